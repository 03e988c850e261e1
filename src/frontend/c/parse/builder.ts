import { Defect } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { PreprocessedSource } from "../preprocess/preprocessedSource.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import type { Outline } from "./joinOutline.ts";
import type { OldStyleBody, Outliner, SpecifierDraft } from "./outliner.ts";
import type { SyntaxTree } from "./syntaxTree.ts";
import type { Tokens } from "./tokens.ts";

/** What the tree-building functions share: the grammar's tree and the words it stands for. Read-only. */
export type Builder = {
  readonly source: PreprocessedSource;
  readonly tokens: Tokens;
  readonly outline: Outline;
  readonly tree: SyntaxTree;
  readonly specifiers: ReadonlyMap<number, SpecifierDraft>;
  readonly staticAsserts: ReadonlyMap<number, number>;
  readonly oldStyleBodies: ReadonlyMap<number, OldStyleBody>;
  /** The nodes of the deferred operands' statements. */
  readonly deferred: readonly number[];
  /** The items of the translation unit, without the function that holds the deferred operands. */
  readonly items: readonly number[];
};

export function createBuilder(outliner: Outliner, outline: Outline, tree: SyntaxTree): Builder {
  const { source, tokens, specifiers, staticAsserts, oldStyleBodies } = outliner;
  const items = childrenOf(tree, 0);
  let deferred: readonly number[] = [];
  if (outline.deferred > 0) {
    const holder = items.pop();
    if (holder === undefined) throw new Defect("the outline has lost its deferred operands");
    deferred = childrenOf(tree, childrenOf(tree, holder).pop()!);
    if (deferred.length !== outline.deferred) throw new Defect("the outline has lost a deferred operand");
  }
  return { source, tokens, outline, tree, specifiers, staticAsserts, oldStyleBodies, deferred, items };
}

function childrenOf(tree: SyntaxTree, node: number): number[] {
  const children: number[] = [];
  const end = tree.nexts[node]!;
  for (let child = node + 1; child < end; child = tree.nexts[child]!) children.push(child);
  return children;
}

export function children(b: Builder, node: number): number[] {
  return childrenOf(b.tree, node);
}

export function typeOf(b: Builder, node: number): string {
  return b.tree.typeNames[b.tree.types[node]!]!;
}

/** The first child; every caller knows that there is one. */
export function onlyChild(b: Builder, node: number): number {
  if (b.tree.nexts[node]! <= node + 1) throw new Defect(`${typeOf(b, node)} has no child`);
  return node + 1;
}

export function firstToken(b: Builder, node: number): number {
  return b.outline.tokens[b.tree.starts[node]!]!;
}

export function lastToken(b: Builder, node: number): number {
  return b.outline.tokens[b.tree.ends[node]! - 1]!;
}

/** The token in front of a node: the operator before a right operand. */
export function tokenBefore(b: Builder, node: number): number {
  return b.outline.tokens[b.tree.starts[node]! - 1]!;
}

export function word(b: Builder, token: number): string {
  return b.tokens.texts[token]!;
}

export function rangeOfTokens(b: Builder, first: number, last: number): SourceRange {
  let end = Math.max(first, last);
  // Adjacent string literals are one literal, and the outline knows only the first.
  if (b.tokens.kinds[end] === TokenKind.string) while (b.tokens.kinds[end + 1] === TokenKind.string) end++;
  return b.source.rangeOf(b.tokens.starts[first]!, b.tokens.ends[end]!);
}

export function rangeOf(b: Builder, node: number): SourceRange {
  return rangeOfTokens(b, firstToken(b, node), lastToken(b, node));
}

export function unexpected(b: Builder, node: number, where: string): never {
  const place = rangeOf(b, node);
  throw new Defect(`${place.file}:${place.line}:${place.column}: unexpected ${typeOf(b, node)} in ${where}`);
}
