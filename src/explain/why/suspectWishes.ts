import type { Suspect } from "../../analysis/counterfactual/suspect.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Wish } from "./selectVisits.ts";
import type { Why } from "./whyExplanation.ts";

/** Ways to the root of so many suspects are wanted; of the others the line alone. */
const mostPaths = 3;

/** A suspect and the execution of its line that tells most. */
export type SuspectWish = Wish & { readonly suspect: Suspect };

/**
 * Each suspect by the execution in which its change was tried, or else by the one that is nearest to the failure. A line that the
 * failure does not depend on is wanted for its own sake.
 */
export function suspectWishes(why: Why, suspects: readonly Suspect[]): readonly SuspectWish[] {
  const nearest = nearestSteps(why);
  return suspects.flatMap((suspect, i) => {
    const step = stepOf(why, suspect, nearest);
    return step === null ? [] : [{ step, withPath: i < mostPaths && why.paths.cost(step) !== null, suspect }];
  });
}

function stepOf({ graph, visits }: Why, suspect: Suspect, nearest: ReadonlyMap<string, number>): number | null {
  const { whatIf } = suspect;
  const tried = whatIf !== null && whatIf.kind !== "edit" ? whatIf.step : null;
  const candidates = [tried, nearest.get(keyOf(suspect.range)) ?? null, suspect.lastStep];
  return candidates.find((step) => step !== null && step >= graph.first && visits.of(step) !== -1) ?? null;
}

function nearestSteps({ graph, paths, visits }: Why): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  for (const step of paths.steps()) {
    if (visits.of(step) === -1) continue;
    const key = keyOf(graph.edge(step).range);
    if (!steps.has(key)) steps.set(key, step);
  }
  return steps;
}

function keyOf({ file, line }: SourceRange): string {
  return `${file}:${line}`;
}
