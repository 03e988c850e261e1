import type { SuspectedLine } from "../../src/analyses/counterfactual/suspect.ts";
import type { Bug } from "./bugs.ts";
import { disguise } from "./disguise.ts";
import { suspectsOf } from "./explainBug.ts";

export type DisguiseResult = {
  readonly name: string;
  readonly isReordered: boolean;
  /** The first difference between the answers; null if they are the same. */
  readonly difference: string | null;
};

const firstOnes = 5;

/** Explains a bug and the same bug with other names, another order of functions and blank lines. */
export function compareDisguised(bug: Bug): DisguiseResult {
  const disguised = disguise(bug.path, bug.text);
  const answer = suspectsOf(bug, { isLimited: false }).suspects.map((suspect) =>
    summary(
      suspect,
      (line) => line,
      (text) => text,
    ),
  );
  const other = suspectsOf({ ...bug, text: disguised.text }, { isLimited: false }).suspects.map((suspect) =>
    summary(suspect, disguised.originalLine, disguised.originalNames),
  );
  const at = answer.slice(0, firstOnes).findIndex((each, i) => each !== other[i]);
  const difference = at === -1 ? null : `${at + 1}. suspect: ${answer[at]} | ${other[at]}`;
  return { name: bug.name, isReordered: disguised.isReordered, difference };
}

/** Line, certainty and change of a suspect, in terms of the original. */
export function summary(
  { range, change, certainty }: SuspectedLine,
  originalLine: (line: number) => number,
  originalNames: (text: string) => string,
): string {
  const edits = change?.change.edits.map(({ text }) => originalNames(text).replaceAll(/\s+/g, " ")) ?? [];
  return [
    originalLine(range.line),
    certainty,
    change?.change.kind,
    change?.asked,
    change?.broken.length,
    ...edits,
  ].join(" ");
}
