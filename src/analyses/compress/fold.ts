import { nth } from "../../base/checked.ts";
import type { Term } from "../../logic/term.ts";
import { traceEnvironment } from "../../recordedRun/executeTrace.ts";
import { type FoldedLoop, foldedLoop } from "../../recordedRun/foldedRun.ts";
import type { Activation } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { CompressContext } from "./compressContext.ts";
import type { LoopInvariant } from "./foldLoop.ts";
import type { PointObligation } from "./loopSite.ts";

/** A loop's iterations from visit `from` on, replaced by an invariant. */
export type Fold = LoopInvariant & {
  readonly activation: Activation;
  /** How many other loops of the run it is inside of. */
  readonly depth: number;
  /** Where the way out of the loop is folded too: the step before which it ends, and what holds there. */
  readonly left?: { readonly step: number; readonly facts: readonly Term[] };
};

/** A fold as a part of the folded run, up to the last arrival at its head. */
export function asFoldedLoop(symbols: Symbols, fold: Fold): FoldedLoop {
  return foldedLoop(symbols, fold.activation, { begin: beginOf(fold), end: lastVisitOf(fold) }, fold);
}

export function beginOf({ activation, from }: Fold): number {
  return nth(activation.visits, from);
}

export function lastVisitOf({ activation: { visits } }: Pick<Fold, "activation">): number {
  return nth(visits, visits.length - 1);
}

/** The step before which the steps that it stands for end. */
export function endOf(fold: Fold): number {
  return fold.left?.step ?? lastVisitOf(fold);
}

/** What has to hold where a fold begins. */
export function needOf(symbols: Symbols, fold: Fold): PointObligation {
  const invariant = symbols.terms.all(asFoldedLoop(symbols, fold).entry);
  return { step: beginOf(fold), conclusion: ({ state }) => inState(symbols, state, invariant) };
}

export function needOfTarget(
  { symbols, run }: Pick<CompressContext, "symbols" | "run">,
  target: Target,
): PointObligation {
  return {
    step: target.step,
    conclusion: (position, encoding) => {
      const environment = traceEnvironment(symbols, run, encoding);
      return target.formula(symbols, position, environment(target.step));
    },
  };
}
