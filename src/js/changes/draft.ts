import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import { applyEdits, type Change, orderedEdits, sizeOfEdits, type TextEdit } from "../../changes/change.ts";
import type { ChangeKind } from "../../changes/kinds.ts";
import type { Node } from "../recorder/syntax.ts";
import type { ExpressionSite, Role } from "./sites.ts";

export type JsFile = { readonly path: string; readonly text: string };

/** What a switch replaces: an expression, a statement, or nothing at an offset between two statements. */
export type SwitchForm = "expression" | "statement" | "insertion";

/** A change, and the part of the source that a switch replaces to make it. */
export type Proposal = {
  readonly change: Change;
  readonly form: SwitchForm;
  readonly start: number;
  readonly end: number;
  /** The text that takes the place of the part. */
  readonly text: string;
};

/** Collects the proposed changes of one file. The first of two equal changes stays. */
export type Draft = {
  readonly file: JsFile;
  readonly text: (node: Node) => string;
  /** The text of an operand: in parentheses unless it binds tightly. */
  readonly operand: (node: Node) => string;
  readonly line: (offset: number) => number;
  /** Changes an expression by a new text, or by edits inside of it. */
  readonly change: (kind: ChangeKind, node: Node, to: string | readonly TextEdit[], at?: number) => void;
  readonly changeStatement: (kind: ChangeKind, node: Node, to: string | readonly TextEdit[], at?: number) => void;
  readonly insert: (kind: ChangeKind, offset: number, text: string, lines: readonly number[]) => void;
  readonly proposals: () => readonly Proposal[];
};

/** Longer parts are left alone: each alternative repeats them. */
const longestPart = 300;

export function newDraft(file: JsFile): Draft {
  const proposals: Proposal[] = [];
  const seen = new Set<string>();
  const text = (node: Node) => file.text.slice(node.start, node.end);
  const line = (offset: number) => rangeBetweenOffsets(file, offset, offset).line;
  const add = (
    kind: ChangeKind,
    form: SwitchForm,
    { start, end }: Pick<Node, "start" | "end">,
    edits: readonly TextEdit[],
    lines: readonly number[],
  ): void => {
    const ordered = orderedEdits(edits.filter((edit) => file.text.slice(edit.start, edit.end) !== edit.text));
    if (ordered === null || ordered.length === 0) return;
    const key = ordered.map((edit) => `${edit.start} ${edit.end} ${edit.text}`).join("\n");
    if (seen.has(key)) return;
    seen.add(key);
    const inside = ordered.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const now = form === "insertion" ? (ordered[0]?.text ?? "") : applyEdits(file.text.slice(start, end), inside);
    const change = { kind, file: file.path, edits: ordered, size: sizeOfEdits(file.text, ordered), lines };
    proposals.push({ change, form, start, end, text: now });
  };
  const changeAs =
    (form: SwitchForm): Draft["change"] =>
    (kind, node, to, at) => {
      if (node.end - node.start > longestPart) return;
      const edits = typeof to === "string" ? [{ start: node.start, end: node.end, text: to }] : to;
      add(kind, form, node, edits, [line(at ?? edits[0]?.start ?? node.start)]);
    };
  return {
    file,
    text,
    line,
    operand: (node) => (bindsTightly(node) ? text(node) : `(${text(node)})`),
    change: changeAs("expression"),
    changeStatement: changeAs("statement"),
    insert(kind, offset, inserted, lines) {
      // Behind a statement on the same line that has no semicolon.
      const isOpen = /[^\s;{}][^\S\n]*$/.test(file.text.slice(Math.max(0, offset - 200), offset));
      const edit = { start: offset, end: offset, text: `${isOpen ? "; " : ""}${inserted} ` };
      add(kind, "insertion", edit, [edit], lines);
    },
    proposals: () => proposals,
  };
}

function bindsTightly({ type }: Node): boolean {
  return /^(Identifier|Literal|MemberExpression|CallExpression|ThisExpression|TemplateLiteral|ArrayExpression)$/.test(
    type,
  );
}

const looseRoles: ReadonlySet<Role> = new Set([
  ...(["condition", "argument", "returned", "assigned", "element", "index", "discarded", "iterated"] as const),
]);

/** Replaces an expression by another, which gets parentheses where the place needs them. */
export function put(draft: Draft, kind: ChangeKind, { node, role }: ExpressionSite, text: string, at?: number): void {
  const isTight = /^(-?[\w$.]+|[\w$.]+\([^()]*\)|'[^']*'|"[^"]*")$/.test(text);
  // An object literal at the start of an arrow function's body would be a block.
  const isSafe = looseRoles.has(role) && !text.startsWith("{");
  draft.change(kind, node, isSafe || isTight ? text : `(${text})`, at);
}

/** The operator between two operands. */
export function operatorBetween(draft: Draft, left: Node, right: Node, operator: string): TextEdit | null {
  const between = draft.file.text.slice(left.end, right.start);
  const blank = between.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => " ".repeat(comment.length));
  const at = blank.indexOf(operator);
  if (at === -1) return null;
  const start = left.end + at;
  return { start, end: start + operator.length, text: operator };
}

/** The elements of a list without duplicates and without one, at most some. */
export function others(list: Iterable<string>, without: string, most: number): readonly string[] {
  return [...new Set(list)].filter((each) => each !== without).slice(0, most);
}
