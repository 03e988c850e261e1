import { type Examined, evidenceOf, scoreOf } from "./evidence.ts";
import type { Suspect } from "./suspect.ts";

/**
 * The order in which lines are suspected: by how much speaks for them (`evidence.ts`); what is told apart by nothing comes in the order of its
 * closeness to the failure, later lines first.
 */
export function suspectOrder(lines: readonly Examined[]): readonly Suspect[] {
  const evidence = evidenceOf(lines);
  const scored = lines.map((line, i) => ({ line, score: scoreOf(evidence[i]!) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const odds = scored.map(({ line, score }) => ({ line, score, odds: Math.exp(score - best) }));
  const all = odds.reduce((sum, each) => sum + each.odds, 0);
  const sorted = odds
    .sort((a, b) => compareKeys(keyOf(a.line, a.score), keyOf(b.line, b.score)))
    .map(({ line, odds: own }) => ({ ...line, weight: own / all }));
  return withAnotherFunction(sorted);
}

/** Of the first ones, which everybody looks at, the last is in a function that the others are not in: code that is missing is no line, but its function has others. */
function withAnotherFunction(sorted: readonly Suspect[]): readonly Suspect[] {
  const known = new Set(sorted.slice(0, firstOnes - 1).map((suspect) => suspect.function));
  const other = sorted.findIndex(({ function: fn, inTest }) => !inTest && !known.has(fn));
  if (other < firstOnes) return sorted;
  return sorted.toSpliced(other, 1).toSpliced(firstOnes - 1, 0, sorted[other]!);
}

const firstOnes = 5;

function keyOf({ flip, distance, lastStep }: Examined, score: number): readonly number[] {
  return [
    -score,
    flip?.distance ?? Number.POSITIVE_INFINITY,
    distance === -1 ? Number.POSITIVE_INFINITY : distance,
    -lastStep,
  ];
}

export function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}
