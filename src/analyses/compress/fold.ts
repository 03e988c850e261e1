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

/** What all work on the loops of one run shares. */
export type CompressContext = {
  readonly symbols: Symbols;
  /** Once it is cancelled, loops that nobody has looked at stay as they are. */
  readonly prover: Prover;
  readonly run: Run;
  readonly options: FoldOptions;
};

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** Attempts after which a loop is left as it is. */
  readonly maxAttempts: number;
};

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

/** What must hold after a loop, and what no invariant gave. */
export type UnmetNeed = {
  readonly said: readonly Term[];
  /** What has no formula, with its line; null where everything has one. */
  readonly unsaid: readonly string[] | null;
};

export function unmetNeed(symbols: Symbols, { obligation, unexpressed }: LoopSite): UnmetNeed {
  const isUnknown = (part: Term) =>
    freeVariablesOf([part]).some(
      (variable) => symbols.cellOf(variable) === null && variable.name.startsWith("unknown"),
    );
  const parts = conjuncts(obligation.conclusion);
  const said = parts.filter((part) => !isUnknown(part));
  const reasons = new Set(unexpressed.map(({ reason, range }) => `${reason} at line ${range.line}`));
  return { said, unsaid: said.length < parts.length ? [...reasons] : null };
}

/** In source syntax: why a loop was not folded. */
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
