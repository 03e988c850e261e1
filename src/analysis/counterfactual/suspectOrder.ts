import type { Suspect } from "./suspect.ts";

/**
 * The order in which lines are suspected, smaller first: test code last; then what its best edit breaks, with half a run
 * for one that only gets past the failure, and how much it changes; then how much flips and values helped; how close a critical comparison
 * was; how near the line is to the failure; the later the line, the sooner it is suspected.
 */
export function suspectKey({ inTest, edit, flip, value, distance, lastStep }: Suspect): readonly number[] {
  return [
    inTest ? 1 : 0,
    edit === null ? noEdit : edit.broken + (edit.level === 1 ? 0.5 : 0),
    edit === null ? 9 : edit.size,
    -((flip?.level ?? 0) + (value?.level ?? 0)),
    flip?.distance ?? Number.POSITIVE_INFINITY,
    distance === -1 ? Number.POSITIVE_INFINITY : distance,
    -lastStep,
  ];
}

const noEdit = 999;

export function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}
