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
  return odds
    .sort((a, b) => compareKeys(keyOf(a.line, a.score), keyOf(b.line, b.score)))
    .map(({ line, odds: own }) => ({ ...line, weight: own / all }));
}

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
