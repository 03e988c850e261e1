import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { tokenCount } from "../../base/text.ts";
import { type Change, orderedEdits, sizeOfEdits, type TextEdit } from "../../changes/change.ts";
import type { ChangeKind } from "../../changes/kinds.ts";
import type { Expr, Statement } from "../ast.ts";
import {
  endOf,
  type FilePlaces,
  type InsertionPlace,
  isComparison,
  isNumeric,
  type NameScope,
  startOf,
  textOf,
  type VisibleName,
  visibleNameSet,
  visibleNames,
} from "./sites.ts";

type Node = { readonly range: SourceRange };

/** Collects the proposed changes of one file. The first of two equal changes stays. */
export type ChangeDraft = {
  readonly sites: FilePlaces;
  readonly text: (node: Node) => string;
  /** The text of an operand: in parentheses unless it binds tightly. */
  readonly operand: (node: Expr) => string;
  readonly replace: (node: Node, text: string) => TextEdit;
  readonly add: (kind: ChangeKind, lines: readonly number[] | number, edits: readonly TextEdit[]) => void;
  readonly changes: () => ReadonlyMap<ChangeKind, readonly Change[]>;
};

export function newDraft(sites: FilePlaces): ChangeDraft {
  const { file } = sites;
  const byKind = new Map<ChangeKind, Change[]>();
  const seen = new Set<string>();
  const text = (node: Node) => textOf(file, node);
  return {
    sites,
    text,
    operand: (node) => (bindsTightly(node) ? text(node) : inParentheses(text(node))),
    replace: ({ range }, replacement) => ({ start: startOf(file, range), end: endOf(file, range), text: replacement }),
    add(kind, lines, edits) {
      const changing = edits.filter(({ start, end, text: now }) => file.text.slice(start, end) !== now);
      const ordered = orderedEdits(changing.map((edit) => apart(file.text, edit)));
      if (ordered === null || ordered.length === 0) return;
      const key = ordered.map(({ start, end, text: now }) => `${start} ${end} ${now}`).join("\n");
      if (seen.has(key)) return;
      seen.add(key);
      const list = byKind.get(kind) ?? [];
      byKind.set(kind, list);
      const size = sizeOfEdits(file.text, ordered);
      list.push({ kind, file: file.path, edits: ordered, size, lines: typeof lines === "number" ? [lines] : lines });
    },
    changes: () => byKind,
  };
}

/** Characters that would be read as one token, or as the start of a comment. */
const joined: ReadonlySet<string> = new Set(["/*", "//", "--", "++", "->", "&&", "||", "<<", ">>", "*/"]);

/** Blanks keep the new text apart from its neighbours. */
function apart(text: string, { start, end, text: now }: TextEdit): TextEdit {
  if (now === "") return { start, end, text: now };
  const before = joined.has(`${text[start - 1]}${now[0]}`) ? " " : "";
  const after = joined.has(`${now.at(-1)}${text[end]}`) ? " " : "";
  return { start, end, text: `${before}${now}${after}` };
}

function bindsTightly(node: Expr): boolean {
  switch (node.kind) {
    case "identifier":
    case "number":
    case "character":
    case "string":
    case "subscript":
    case "member":
    case "call":
      return true;
    default:
      return false;
  }
}

function inParentheses(text: string): string {
  return isEnclosed(text) ? text : `(${text})`;
}

/** True if one pair of parentheses surrounds the whole text. */
export function isEnclosed(text: string): boolean {
  if (!text.startsWith("(") || !text.endsWith(")")) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i === text.length - 1;
  }
  return false;
}

/** Without parentheses around the whole. */
export function bare(text: string): string {
  return isEnclosed(text) ? bare(text.slice(1, -1).trim()) : text;
}

/** The place of the operator between two operands; null if a macro wrote it. */
export function operatorBetween(
  { sites: { file } }: ChangeDraft,
  left: Expr,
  right: Expr,
  operator: string,
): { readonly start: number; readonly end: number; readonly line: number } | null {
  const from = endOf(file, left.range);
  const to = startOf(file, right.range);
  const between = file.text.slice(from, to);
  const at = between.indexOf(operator);
  if (at === -1 || between.replace(operator, "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|[\s()]/g, "") !== "") return null;
  const line = left.range.endLine + (between.slice(0, at).match(/\n/g)?.length ?? 0);
  return { start: from + at, end: from + at + operator.length, line };
}

/** Inserts a statement at a position. */
export function insertion({ sites: { file } }: ChangeDraft, { at }: InsertionPlace, text: string): readonly TextEdit[] {
  if (at.kind === "offset") return [{ start: at.offset, end: at.offset, text: `${text} ` }];
  const { range } = at.statement;
  const [start, end] = [startOf(file, range), endOf(file, range)];
  const [before, after] = at.kind === "before" ? [`{ ${text} `, " }"] : ["{ ", ` ${text} }`];
  return [
    { start, end: start, text: before },
    { start: end, end, text: after },
  ];
}

/** At most this many names are used at one place, the nearest first. */
const mostNames = 14;

export function numericNames(scope: NameScope): readonly VisibleName[] {
  return visibleNames(scope)
    .filter(({ type, name }) => isNumeric(type) && name !== "argc")
    .slice(0, mostNames);
}

const opposites: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

export function oppositeOf(operator: string): string {
  return opposites[operator] ?? operator;
}

const mentioned = new WeakMap<Node, readonly string[]>();

/** The names that an expression or statement mentions. */
export function mentions(draft: ChangeDraft, node: Node): readonly string[] {
  return remembered(mentioned, node, () => namesIn(draft.text(node)));
}

/** The names in a text of the program, without those in literals. */
export function namesIn(text: string): readonly string[] {
  return (text.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "").match(/[A-Za-z_]\w*/g) ?? []) as string[];
}

/** True if every variable that is visible somewhere in the function and mentioned here is visible at the place, too. */
export function isVisible(draft: ChangeDraft, node: Node, owner: ReadonlySet<string>, scope: NameScope): boolean {
  const names = visibleNameSet(scope);
  return mentions(draft, node).every((name) => !owner.has(name) || names.has(name));
}

/** The conditions that can be added at a place: comparisons of the function, and tests of its variables. */
export type Atoms = { readonly plain: readonly string[]; readonly rich: readonly string[] };

/** In tokens. */
const longestAtom = 24;

export function comparisonsIn(
  draft: ChangeDraft,
  nodes: readonly Expr[],
): readonly (Expr & { readonly kind: "binary" })[] {
  const seen = new Set<string>();
  return nodes.flatMap((node) => {
    if (node.kind !== "binary" || !isComparison(node.operator)) return [];
    const text = draft.text(node);
    if (tokenCount(text) >= longestAtom || seen.has(text)) return [];
    seen.add(text);
    return [node];
  });
}

export function isSimpleStatement(node: Statement): boolean {
  return (
    node.kind === "expressionStatement" || node.kind === "break" || node.kind === "continue" || node.kind === "return"
  );
}

/** At most this many from a list, evenly spaced. Another `turn` begins elsewhere in the list. */
export function evenly<T>(list: readonly T[], most: number, turn = 0): readonly T[] {
  const { length } = list;
  if (length <= most) return list;
  return Array.from({ length: most }, (_, i) => nth(list, (Math.floor((i * length) / most) + turn) % length));
}
