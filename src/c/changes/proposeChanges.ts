import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import type { Change, TextEdit } from "../../changes/change.ts";
import { type ChangeKind, changeKinds, mostChanges } from "../../changes/kinds.ts";
import type { ProposeOptions } from "../../frontEnd/frontEnd.ts";
import type { TranslationUnit } from "../ast.ts";
import { proposeCalls, proposeTexts } from "./calls.ts";
import { atomsOf, proposeConditions, proposeGuards } from "./conditions.ts";
import { proposeDeclarations } from "./declarations.ts";
import { type ChangeDraft, evenly, newDraft } from "./draft.ts";
import { proposeOperators } from "./operators.ts";
import { endOf, type FunctionPlaces, sameShape, sitesOf, startOf, visibleNames } from "./sites.ts";
import { proposeInsertions, proposeStatements } from "./statements.ts";
import { proposeExpressions, proposeTerms, proposeValues, valuePool } from "./values.ts";

/**
 * At most this many changes of one kind, by stage; more of those that name the fault most often. Small programs get more of
 * each, up to as many as are tried.
 */
const factors = [8, 6, 4, 3, 2, 1.5];
const mostOfStage = { 1: 400, 2: 160, 3: 80 } as const;
const mostOfKind: Partial<Readonly<Record<ChangeKind, number>>> = {
  otherVariable: 600,
  constantForVariable: 240,
  addedRichCondition: 160,
  otherRichCondition: 100,
  insertedGuardedOutput: 40,
  insertedOutput: 40,
};

/** Small changes of a file that the run executed, by stage. Not all of them compile. */
export function proposeChanges(file: SourceFile, tree: TranslationUnit, options: ProposeOptions): readonly Change[] {
  const sites = sitesOf(file, tree, options.executed);
  const { expectedWords = [], wrongWord = null, isCancelled = () => false } = options;
  const draft = newDraft(sites);
  const groups = [sites.globals, ...sites.functions];
  const pool = valuePool(draft, groups);
  for (const { expressions } of groups) {
    for (const site of expressions) {
      if (!site.executed) continue;
      if (isCancelled()) return [];
      proposeOperators(draft, site);
      proposeValues(draft, site, pool);
      proposeTerms(draft, site, pool);
      proposeCalls(draft, site);
    }
  }
  proposeTexts(draft, sites, expectedWords, wrongWord);
  proposeDeclarations(draft, sites);
  const executed = sites.functions.filter(isExecuted);
  for (const fn of executed) {
    if (isCancelled()) return [];
    const atomsAt = atomsOf(draft, fn, pool.numbers);
    proposeConditions(draft, fn, atomsAt);
    proposeStatements(draft, fn, expectedWords);
    proposeExpressions(draft, fn);
    proposeGuards(draft, fn, atomsAt);
    proposeInsertions(draft, fn, atomsAt, expectedWords);
  }
  for (const fn of executed) {
    swapVariables(draft, fn);
    restoreComments(draft, fn);
  }
  repeatChanges(draft, groups);
  return chosen(draft.changes());
}

function chosen(byKind: ReadonlyMap<ChangeKind, readonly Change[]>): readonly Change[] {
  const kinds = Object.keys(changeKinds) as ChangeKind[];
  const most = (kind: ChangeKind, factor: number) =>
    Math.floor(factor * (mostOfKind[kind] ?? mostOfStage[changeKinds[kind].stage]));
  const count = (factor: number) =>
    kinds.reduce((sum, kind) => sum + Math.min(byKind.get(kind)?.length ?? 0, most(kind, factor)), 0);
  const factor = factors.find((each) => count(each) <= mostChanges) ?? 1;
  return kinds.flatMap((kind) => evenly(byKind.get(kind) ?? [], most(kind, factor)));
}

function isExecuted({ expressions, positions, statements }: FunctionPlaces): boolean {
  return [expressions, positions, statements].some((places) => places.some(({ executed }) => executed));
}

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
  "initialValue",
  "character",
  "indexByOne",
  "otherVariable",
  "otherField",
  "format",
];
const mostTimes = 6;

/** Parts are found by the region of the text that they are in. */
const regionOf = (offset: number) => offset >> 10;

/** The last two tokens of a text: `n - ` in `a[k + n - `. */
function tokensBefore(text: string): string {
  return (text.match(/\w+|[^\w\s]/g) ?? []).slice(-2).join(" ");
}

/** The same edit at all places of a statement that have the same text, or also the same text before them. */
function repeatChanges(draft: ChangeDraft, groups: readonly FunctionPlaces[]): void {
  const { text } = draft.sites.file;
  const parts = groups.flatMap((group) => partsOf(draft, group));
  const partsNear = new Map<number, number[]>();
  for (const [i, { start, end }] of parts.entries()) {
    for (let at = regionOf(start); at <= regionOf(end); at++) remembered(partsNear, at, () => []).push(i);
  }
  for (const kind of repeatable) {
    const same = new Map<string, Change[]>();
    for (const change of draft.changes().get(kind) ?? []) {
      const edit = nth(change.edits, 0);
      if (change.edits.length > 1) continue;
      for (const i of partsNear.get(regionOf(edit.start)) ?? []) {
        const { start, end } = nth(parts, i);
        if (start > edit.start || edit.end > end) continue;
        const key = `${i} ${text.slice(edit.start, edit.end)} ${edit.text}`;
        remembered(same, key, () => []).push(change);
        remembered(same, `${key} ${tokensBefore(text.slice(start, edit.start))}`, () => []).push(change);
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

const comment = /\/\/[ \t]*(.*;)[ \t]*$|\/\*[ \t]*([^*\n]*;)[ \t]*\*\//gm;

/** Statements that were made comments become statements again. */
function restoreComments(draft: ChangeDraft, { definition: { body } }: FunctionPlaces): void {
  const { file } = draft.sites;
  if (body.range.file !== file.path) return;
  const [from, to] = [startOf(file, body.range), endOf(file, body.range)];
  let { line } = body.range;
  let at = from;
  for (const { 0: whole, 1: rest, 2: inner, index } of file.text.slice(from, to).matchAll(comment)) {
    const start = from + index;
    line += file.text.slice(at, start).split("\n").length - 1;
    at = start;
    draft.add("restoredComment", line, [{ start, end: start + whole.length, text: (rest ?? inner ?? "").trim() }]);
  }
}

/** The most names of a statement that are swapped with each other. */
const mostSwapped = 5;

/** Two variables take each other's places in a statement. */
function swapVariables(draft: ChangeDraft, sites: FunctionPlaces): void {
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
