import type { Term } from "../../logic/term.ts";
import type { Prover } from "../../symbolic/prover.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Trace } from "../../trace/trace.ts";
import { coverTrace, type Stretch } from "./coverTrace.ts";
import { keepStatements } from "./keepStatements.ts";
import { positionsOf } from "./positions.ts";
import { createReasoner } from "./reasoner.ts";
import {
  type FlowOptions,
  type FoldedLoop,
  type TargetPoint,
  type TraceFormula,
  type Transition,
  traceFormula,
} from "./traceFormula.ts";

/** An abstract error trace (003 §4): facts and the transitions between them. */
export type AbstractErrorTrace = {
  readonly formula: TraceFormula;
  /** Transitions from which the target follows; the stretches leave out some of them, but no others matter. */
  readonly relevant: readonly Transition[];
  readonly stretches: readonly Stretch[];
  /** No relevant transition can be left out. */
  readonly minimal: boolean;
};

export type AbstractionResult =
  | { readonly kind: "abstracted"; readonly trace: AbstractErrorTrace }
  | { readonly kind: "failed"; readonly reason: string };

/** From a folded run to the statements and facts that make it fail. */
export function abstractErrorTrace(
  symbols: Symbols,
  prover: Prover,
  run: Trace,
  folds: readonly FoldedLoop[],
  target: TargetPoint,
  options: FlowOptions = {},
): AbstractionResult {
  const formula = traceFormula(symbols, run, folds, target, options);
  const suggested: Term[] = folds.flatMap(({ invariant }) => invariant);
  return abstractFormula(symbols, prover, formula, suggested);
}

/** The same from the trace formula on. `suggested` are facts that may be worth knowing. */
export function abstractFormula(
  symbols: Symbols,
  prover: Prover,
  formula: TraceFormula,
  suggested: readonly Term[],
): AbstractionResult {
  const reasoner = createReasoner(symbols, prover, formula);
  const kept = keepStatements(reasoner, prover, formula);
  if (kept.kind === "failed") return kept;
  const { transitions: relevant, minimal } = kept;
  const positions = positionsOf(symbols, reasoner, formula, relevant, suggested);
  const stretches = coverTrace(reasoner, positions, formula, relevant) ?? withoutFacts(formula, relevant);
  return { kind: "abstracted", trace: { formula, relevant, stretches, minimal } };
}

/** Where no facts were found, the relevant transitions are the explanation. */
function withoutFacts(formula: TraceFormula, relevant: readonly Transition[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const kept of relevant) {
    stretches.push({ from, to: kept.index, fact: [], kept });
    from = kept.index + 1;
  }
  return [...stretches, { from, to: formula.transitions.length, fact: [], kept: null }];
}
