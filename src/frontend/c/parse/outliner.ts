import { TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Attribute, StorageClass } from "../ast.ts";
import type { PreprocessedSource } from "../preprocess/preprocessedSource.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { shorten } from "../preprocess/strayToken.ts";
import { keywordRole, startsSpecifiers } from "./keywords.ts";
import { createScopes, type Scopes } from "./scopes.ts";
import type { Tokens } from "./tokens.ts";

/**
 * The outline of a program is what the grammar gets to see of it: every type is `int`, every other name is `x`, every
 * literal is `1`, every unary operator is `*`. A grammar without a typedef table cannot misread such a text, and it
 * never meets the attributes, qualifiers and extensions that it does not know. Each piece of the outline remembers the
 * token it stands for, so the tree that comes back is read with the program's own words.
 */
export type Pieces = { readonly texts: string[]; readonly tokens: number[] };

/** Declaration specifiers as collected from the tokens; what is inside a struct or enum comes from the tree. */
export type SpecifierDraft = {
  storage: StorageClass | null;
  inline: boolean;
  unsupported: { word: string; range: SourceRange }[];
  type: "none" | "basic" | "typedefName" | "record" | "enum" | "typeof";
  words: string[];
  /** The token of the typedef name or of the tag. */
  nameToken: number | null;
  union: boolean;
  /** The deferred operand of `typeof`. */
  operand: number | null;
  attributes: AttributeDraft[];
  recordAttributes: AttributeDraft[];
  /** The token of the outline's `int`, `struct` or `enum`. */
  typeToken: number;
  lastTypeToken: number;
  firstToken: number;
  lastToken: number;
};

export type AttributeDraft = Omit<Attribute, "arguments"> & { readonly operands: readonly number[] };

/** Everything the outlining functions share. One per translation unit; `at` is the token they look at. */
export type Outliner = {
  readonly source: PreprocessedSource;
  readonly tokens: Tokens;
  readonly scopes: Scopes;
  at: number;
  pieces: Pieces;
  /** Operands that the grammar has no place for (of attributes, `typeof`, `_Static_assert`), outlined on their own. */
  readonly deferred: Pieces[];
  /** By the token that the outline shows as the type. */
  readonly specifiers: Map<number, SpecifierDraft>;
  /** The deferred condition of each `_Static_assert`, by its token. */
  readonly staticAsserts: Map<number, number>;
  /** Bodies of K&R definitions, by their first token in the outline: how many declarations belong to the parameters. */
  readonly oldStyleBodies: Map<number, OldStyleBody>;
};

export type OldStyleBody = { readonly declarations: number; readonly brace: number };

export function createOutliner(source: PreprocessedSource, tokens: Tokens): Outliner {
  return {
    source,
    tokens,
    scopes: createScopes(["__builtin_va_list"]),
    at: 0,
    pieces: { texts: [], tokens: [] },
    deferred: [],
    specifiers: new Map(),
    staticAsserts: new Map(),
    oldStyleBodies: new Map(),
  };
}

export function wordAt(o: Outliner, token = o.at): string {
  return o.tokens.texts[token] ?? "";
}

export function kindAt(o: Outliner, token = o.at): TokenKind {
  return (o.tokens.kinds[token] ?? TokenKind.end) as TokenKind;
}

/** Shows `text` to the grammar in place of the token. */
export function show(o: Outliner, text: string, token = o.at): void {
  o.pieces.texts.push(text);
  o.pieces.tokens.push(token);
}

/** Shows the current token's own text and moves on. */
export function copy(o: Outliner): void {
  show(o, wordAt(o));
  o.at++;
}

export function isPunctuator(o: Outliner, text: string, token = o.at): boolean {
  return wordAt(o, token) === text && kindAt(o, token) === TokenKind.punctuator;
}

/** A name: an identifier that is not reserved. */
export function isName(o: Outliner, token = o.at): boolean {
  return kindAt(o, token) === TokenKind.identifier && keywordRole(wordAt(o, token)) === undefined;
}

export function isTypedefName(o: Outliner, token = o.at): boolean {
  return isName(o, token) && o.scopes.isTypedef(wordAt(o, token));
}

/** Does a type name or a declaration start here? */
export function isTypeStart(o: Outliner, token = o.at): boolean {
  if (kindAt(o, token) !== TokenKind.identifier) return false;
  const word = wordAt(o, token);
  const role = keywordRole(word);
  if (role === undefined) return o.scopes.isTypedef(word);
  if (word === "__extension__") return isTypeStart(o, token + 1);
  return startsSpecifiers(role);
}

export function expect(o: Outliner, text: string, where: string): void {
  if (!isPunctuator(o, text)) fail(o, `expected '${text}' ${where}`);
  copy(o);
}

/** Runs `outline` on a stream of its own and returns the number of the deferred operand. */
export function defer(o: Outliner, outline: () => void): number {
  const outer = o.pieces;
  o.pieces = { texts: [], tokens: [] };
  outline();
  show(o, ";", o.at - 1);
  const index = o.deferred.push(o.pieces) - 1;
  o.pieces = outer;
  return index;
}

export function rangeOfTokens(o: Outliner, first: number, last: number): SourceRange {
  const end = Math.max(o.tokens.ends[last]!, o.tokens.starts[first]!);
  return o.source.rangeOf(o.tokens.starts[first]!, end);
}

/** A syntax error at a token, by default the current one. */
export function fail(o: Outliner, message: string, token = o.at, help?: string): never {
  const at = Math.min(token, o.tokens.count - 1);
  const found = kindAt(o, at) === TokenKind.end ? "the end of the file" : `'${shorten(wordAt(o, at))}'`;
  throw new TracefoldError({
    code: "TF103",
    message: `${message}, found ${found}`,
    range: rangeOfTokens(o, at, at),
    help,
  });
}

export function unsupported(o: Outliner, message: string, first: number, last: number): never {
  throw new TracefoldError({ code: "TF201", message, range: rangeOfTokens(o, first, last) });
}

/** `foo_t x;` or `foo_t *x;` where nothing declares `foo_t`: more helpful than a word about the `x`. */
export function refuseUnknownType(o: Outliner, token = o.at): void {
  if (o.scopes.isDeclared(wordAt(o, token))) return;
  let next = token + 1;
  while (isPunctuator(o, "*", next)) next++;
  // `a * b` may be a product of names that nobody declared; `a b` and `a *)` may not.
  const isType = next === token + 1 ? isName(o, next) : isPunctuator(o, ")", next);
  if (isType) failUnknownType(o, token);
}

export function failUnknownType(o: Outliner, token: number): never {
  const help = `Nothing declares '${wordAt(o, token)}' as a type here: include the header that does, or define it with -D.`;
  fail(o, "expected a type name", token, help);
}
