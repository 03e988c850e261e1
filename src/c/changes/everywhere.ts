import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Change, TextEdit } from "../../changes/change.ts";
import type { ChangeKind } from "../../changes/kinds.ts";
import type { ChangeDraft } from "./draft.ts";
import { endOf, type FunctionPlaces, sameShape, startOf, visibleNames } from "./sites.ts";

type Part = { readonly start: number; readonly end: number; readonly line: number };

/** Declarations, single statements, conditions, and heads of `for` loops: one thought of the author each. */
function partsOf(draft: ChangeDraft, { statements, conditions, declarations }: FunctionPlaces): readonly Part[] {
  const { file } = draft.sites;
  const nodes = [
    ...declarations.map(({ node }) => node),
    ...conditions.map(({ node }) => node),
    ...statements.flatMap(({ node }) => (node.kind === "expressionStatement" || node.kind === "return" ? [node] : [])),
  ];
  const parts = nodes
    .filter(({ range }) => range.file === file.path)
    .map(({ range }) => ({ start: startOf(file, range), end: endOf(file, range), line: range.line }));
  const heads = statements.flatMap(({ node }) =>
    node.kind === "for"
      ? [{ start: startOf(file, node.range), end: startOf(file, node.body.range), line: node.range.line }]
      : [],
  );
  return [...parts, ...heads];
}

/** Mistakes of these kinds are often made several times in one statement. */
const repeatable: readonly ChangeKind[] = [
  "boundary",
  "comparison",
  "arithmetic",
  "arraySize",
  "constantByOne",
  "smallConstant",
  "otherConstant",
  "character",
  "indexByOne",
  "otherVariable",
  "otherField",
  "format",
];
const mostTimes = 6;

/** The same edit at all places of a statement that have the same text. */
export function repeatChanges(draft: ChangeDraft, groups: readonly FunctionPlaces[]): void {
  const { text } = draft.sites.file;
  const parts = groups.flatMap((group) => partsOf(draft, group));
  for (const kind of repeatable) {
    const same = new Map<string, Change[]>();
    for (const change of draft.changes().get(kind) ?? []) {
      const edit = nth(change.edits, 0);
      if (change.edits.length > 1) continue;
      for (const [i, { start, end }] of parts.entries()) {
        if (start > edit.start || edit.end > end) continue;
        remembered(same, `${i} ${text.slice(edit.start, edit.end)} ${edit.text}`, () => []).push(change);
      }
    }
    for (const changes of same.values()) {
      if (changes.length < 2 || changes.length > mostTimes) continue;
      draft.add(
        kind,
        nth(changes, 0).lines,
        changes.flatMap(({ edits }) => edits),
      );
    }
  }
}

/** The most names of a statement that are swapped with each other. */
const mostSwapped = 5;

/** Two variables take each other's places in a statement. */
export function swapVariables(draft: ChangeDraft, sites: FunctionPlaces): void {
  const { file } = draft.sites;
  const named = sites.expressions.flatMap(({ node, role, scope, executed }) =>
    executed && node.kind === "identifier" && role !== "callee" && draft.text(node) === node.name
      ? [{ node, scope, start: startOf(file, node.range), end: endOf(file, node.range) }]
      : [],
  );
  for (const part of partsOf(draft, sites)) {
    const inside = named.filter(({ start, end }) => part.start <= start && end <= part.end);
    const names = [...new Set(inside.map(({ node }) => node.name))].slice(0, mostSwapped);
    const typeOf = (name: string) =>
      visibleNames(nth(inside, 0).scope).find((each) => each.name === name && !each.type.isFunction)?.type;
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        const [first, second] = [typeOf(a), typeOf(b)];
        if (first === undefined || second === undefined || !sameShape(first, second)) continue;
        const edits = inside.flatMap(({ node: { name }, start, end }): TextEdit[] =>
          name === a ? [{ start, end, text: b }] : name === b ? [{ start, end, text: a }] : [],
        );
        draft.add("swappedVariables", part.line, edits);
      }
    }
  }
}
