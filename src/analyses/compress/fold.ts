import { nth } from "../../base/checked.ts";
import { printSource } from "../../logic/printSource.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import { traceEnvironment } from "../../recordedRun/executeTrace.ts";
import { type FoldedLoop, foldedLoop } from "../../recordedRun/foldedRun.ts";
import type { Activation, Run } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import type { Prover } from "../../solver/solver.ts";
import { type BlockName, placeStyle } from "../../symbolic/placeStyle.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LoopInvariant } from "./foldLoop.ts";
import type { LoopSite, PointObligation } from "./loopSite.ts";

export type CompressContext = {
  readonly symbols: Symbols;
  /** Once it is cancelled, the remaining loops stay unfolded. */
  readonly prover: Prover;
  readonly run: Run;
  readonly options: FoldOptions;
};

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** The number of attempts per loop. */
  readonly maxAttempts: number;
};

export type Fold = LoopInvariant & {
  readonly activation: Activation;
  /** The number of enclosing loops on the run. */
  readonly depth: number;
  /** If the exit is folded, too: the step before which the fold ends, and the facts there. */
  readonly left?: { readonly step: number; readonly facts: readonly Term[] };
};

/** The fold as part of the folded run, up to the last arrival at its head. */
export function asFoldedLoop(symbols: Symbols, fold: Fold): FoldedLoop {
  return foldedLoop(symbols, fold.activation, { begin: beginOf(fold), end: lastVisitOf(fold) }, fold);
}

export function beginOf({ activation, from }: Fold): number {
  return nth(activation.visits, from);
}

export function lastVisitOf({ activation: { visits } }: Pick<Fold, "activation">): number {
  return nth(visits, visits.length - 1);
}

/** The step before which the fold ends. */
export function endOf(fold: Fold): number {
  return fold.left?.step ?? lastVisitOf(fold);
}

/** The obligation at the start of a fold. */
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

/** The condition after a loop that no invariant implied. */
export type UnmetNeed = {
  readonly said: readonly Term[];
  /** The operations without a formula, with their lines; null if there are none. */
  readonly unsaid: readonly string[] | null;
};

export function unmetNeed(symbols: Symbols, { obligation, unexpressed }: LoopSite): UnmetNeed {
  const isUnknown = (part: Term) => freeVariablesOf([part]).some(symbols.isApproximated);
  const parts = conjuncts(obligation.conclusion);
  const said = parts.filter((part) => !isUnknown(part));
  const reasons = new Set(unexpressed.map(({ reason, range }) => `${reason} at line ${range.line}`));
  return { said, unsaid: said.length < parts.length ? [...reasons] : null };
}

/** Says in source syntax why a loop was not folded. */
export function describeFailure(
  symbols: Symbols,
  { reason, need }: { readonly reason: string; readonly need: UnmetNeed | null },
  blockName?: BlockName,
): string {
  if (need === null) return reason;
  const { said, unsaid } = need;
  const texts = said.length === 0 ? [] : [printSource(symbols.terms.all(said), placeStyle(symbols, said, blockName))];
  if (unsaid !== null) {
    texts.push(`something that has no formula${unsaid.length === 0 ? "" : `, because of ${unsaid.join(", ")}`}`);
  }
  return `${reason}: ${texts.join(" and ")}`;
}
