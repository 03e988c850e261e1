import type { Suspect } from "../../analyses/counterfactual/suspect.ts";
import { nearestFirst } from "./nearestFirst.ts";
import type { Wish } from "./selectVisits.ts";
import { spine } from "./spine.ts";
import { type SuspectWish, suspectWishes } from "./suspectWishes.ts";
import type { Why } from "./whyExplanation.ts";

/** What is to be on a screen: rows for the likeliest suspects with their ways to the failure, the others by name. */
export type Screen = {
  /** In the order of their weights. */
  readonly suspects: readonly SuspectWish[];
  readonly wishes: readonly Wish[];
  /** Of rows and questions. */
  readonly mostLines: number;
  /** So many suspects are shown, with a row or by name. */
  readonly named: number;
};

/** So many suspects get rows; what is likelier than the rest altogether is shown with less beside it. */
const mostMarked = 5;
const isLikely = 0.8;
/** What is less likely is named at most. */
const leastWeight = 0.02;
const fewLines = 7;
const manyLines = 9;
/** So many are named where there is room. */
const mostNamed = 24;
/** A chain of fewer rows is made longer by what is nearest to the failure. */
const fewestRows = 3;

export function planScreen(why: Why, found: readonly Suspect[], all: boolean): Screen {
  const suspects = suspectWishes(why, found);
  const nearest = nearestFirst(why);
  if (all) {
    const mostLines = Number.POSITIVE_INFINITY;
    return { suspects, wishes: [...suspects, ...nearest], mostLines, named: suspects.length };
  }
  const weightOf = (some: readonly SuspectWish[]) => some.reduce((sum, { suspect }) => sum + suspect.weight, 0);
  const marked = suspects.slice(0, mostMarked).filter(({ suspect }, i) => i === 0 || suspect.weight >= leastWeight);
  const isSure = weightOf(marked) >= isLikely;
  return {
    suspects,
    wishes: [
      ...marked.slice(0, 1),
      ...spine(why, marked[0]?.step ?? null),
      ...marked.slice(1),
      ...nearest.map((wish) => ({ ...wish, unless: fewestRows })),
    ],
    mostLines: isSure ? fewLines : manyLines,
    named: Math.min(mostNamed, suspects.length),
  };
}
