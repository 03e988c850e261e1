import type { ChangeKind } from "../../changes/kinds.ts";
import { children, isFunction, type Node } from "../recorder/syntax.ts";
import type { Draft } from "./draft.ts";
import { fileNames, type InsertionPoint, localNames, type StatementSite } from "./sites.ts";

/** A short statement of the file that may be missing elsewhere. */
export type Snippet = {
  readonly kind: ChangeKind;
  readonly text: string;
  readonly start: number;
  /** The variables that it reads or writes. */
  readonly names: ReadonlySet<string>;
  readonly needsLoop: boolean;
};

const longest = 80;
/** At most this many of a kind are copied to one place, the nearest ones. */
const most = 3;

/** `if (…) return …;` and calls or assignments. */
export function snippetsOf(statements: readonly StatementSite[], text: (node: Node) => string): readonly Snippet[] {
  return statements.flatMap(({ node, function: owner }): readonly Snippet[] => {
    const kind = kindOf(node);
    if (kind === null || node.end - node.start > longest || owner.node.type === "Program") return [];
    const names = namesIn(node);
    if (names === null) return [];
    const own = text(node);
    return [{ kind, text: own, start: node.start, names, needsLoop: /\b(break|continue)\b/.test(own) }];
  });
}

function kindOf(node: Node): ChangeKind | null {
  if (node.type === "ExpressionStatement")
    return /^(Call|Assignment)Expression$/.test(node.expression.type) ? "insertedCopy" : null;
  if (node.type !== "IfStatement" || node.alternate !== null) return null;
  const inside =
    node.consequent.type === "BlockStatement" ? (node.consequent.body as readonly Node[]) : [node.consequent];
  const [only] = inside;
  const isJump = inside.length === 1 && /^(Return|Continue|Break|Throw)Statement$/.test(only?.type ?? "");
  return isJump ? "insertedCopyOfIf" : null;
}

/** Null if it has a function of its own, `await`, or the like. */
function namesIn(node: Node): ReadonlySet<string> | null {
  const names = new Set<string>();
  const visit = (each: Node, parent: Node | null): boolean => {
    if (isFunction(each) || /^(Await|Yield|Super|ThisExpression)|^Private/.test(each.type)) return false;
    const isKey =
      (parent?.type === "MemberExpression" && parent.property === each && !parent.computed) ||
      (parent?.type === "Property" && parent.key === each && !parent.computed && !parent.shorthand);
    if (each.type === "Identifier" && !isKey) names.add(each.name);
    return [...children(each)].every((child) => visit(child, each));
  };
  return visit(node, null) ? names : null;
}

/** Copies of statements of the file whose variables are known at a place. */
export function proposeCopies(draft: Draft, position: InsertionPoint, snippets: readonly Snippet[]): void {
  const { offset, next, previous, inLoop, scope, function: owner } = position;
  if (owner.node.type === "Program") return;
  const lines = [...new Set([next, previous].flatMap((node) => (node === null ? [] : [draft.line(node.start)])))];
  if (lines.length === 0 || (previous !== null && /^(Return|Break|Continue|Throw)/.test(previous.type))) return;
  const known = new Set([...localNames(scope, offset), ...fileNames(scope)].map(({ name }) => name));
  const beside = new Set([next, previous].map((node) => (node === null ? "" : draft.text(node))));
  const fitting = snippets
    .filter(({ text, names, needsLoop }) => {
      const isKnown = [...names].every((name) => known.has(name) || name in globalThis);
      return isKnown && !beside.has(text) && (inLoop || !needsLoop);
    })
    .toSorted((a, b) => Math.abs(a.start - offset) - Math.abs(b.start - offset));
  for (const kind of ["insertedCopyOfIf", "insertedCopy"] as const) {
    const texts = new Set(fitting.flatMap((each) => (each.kind === kind ? [each.text] : [])));
    for (const text of [...texts].slice(0, most))
      draft.insert(kind, offset, /[;}]$/.test(text) ? text : `${text};`, lines);
  }
}
