import type { Change } from "./change.ts";
import { changeKinds, probabilityCorrect } from "./kinds.ts";

/** A change with which the failing test passes, and whether all other tests pass with it. */
export type PassingChange = { readonly change: Change; readonly passesAll: boolean };

export type LineScore = {
  readonly file: string;
  readonly line: number;
  readonly score: number;
  /** Those that pass all tests first, then by the probability that they are right. */
  readonly changes: readonly PassingChange[];
};

/** Further evidence about a line, between 0 and 1; 0 if nothing is known. */
export type LineEvidence = (file: string, line: number) => { readonly lateness: number };

/** The weights of the score, from an experiment with 172 bugs (docs/changes.md). */
const weights = {
  /** Some change passes all tests. */
  passesAll: 1,
  /** Of the logarithm of how many kinds of change pass all tests. */
  kindsPassingAll: 0.5,
  /** Of the logarithm of how many kinds of change let the failing test pass. */
  kindsPassing: 1,
  /** A simple edit passes. */
  simple: 0.5,
  /** Late in the run. */
  lateness: 0.5,
} as const;

/** The lines with passing changes, likeliest first. One accident is one vote; a faulty line gets votes of many kinds. */
export function orderLines(passing: readonly PassingChange[], evidence: LineEvidence): readonly LineScore[] {
  const byLine = new Map<string, { file: string; line: number; changes: PassingChange[] }>();
  for (const each of passing) {
    for (const line of each.change.lines) {
      const key = `${each.change.file}:${line}`;
      const entry = byLine.get(key) ?? { file: each.change.file, line, changes: [] };
      byLine.set(key, entry);
      entry.changes.push(each);
    }
  }
  return [...byLine.values()]
    .map(({ file, line, changes }) => ({
      file,
      line,
      score: scoreOf(changes, evidence(file, line).lateness),
      changes: changes.toSorted((a, b) => Number(b.passesAll) - Number(a.passesAll) || byPromise(a.change, b.change)),
    }))
    .sort((a, b) => b.score - a.score);
}

function scoreOf(changes: readonly PassingChange[], lateness: number): number {
  const all = changes.filter(({ passesAll }) => passesAll);
  const kinds = (list: readonly PassingChange[]) => new Set(list.map(({ change }) => change.kind)).size;
  const isSimple = changes.some(({ change }) => changeKinds[change.kind].simple);
  return (
    (all.length > 0 ? weights.passesAll : 0) +
    weights.kindsPassingAll * Math.log1p(kinds(all)) +
    weights.kindsPassing * Math.log1p(kinds(changes)) +
    (isSimple ? weights.simple : 0) +
    weights.lateness * lateness
  );
}

/** The change that is likelier to be right comes first; then the smaller one. */
export function byPromise(a: Change, b: Change): number {
  return probabilityCorrect(b.kind) - probabilityCorrect(a.kind) || sizeOf(a) - sizeOf(b);
}

function sizeOf({ edits }: Change): number {
  return edits.reduce((sum, { start, end, text }) => sum + end - start + text.length, 0);
}
