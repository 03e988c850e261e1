import type { Assignment } from "../../logic/evaluate.ts";
import type { Term } from "../../logic/term.ts";
import { type FoldedRun, foldsOf } from "../../recordedRun/foldedRun.ts";
import { type FlowOptions, type TraceFormula, type Transition, traceFormula } from "../../recordedRun/traceFormula.ts";
import type { Prover } from "../../solver/solver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { coverTrace, type FactStretch } from "./coverTrace.ts";
import { keepStatements } from "./keepStatements.ts";
import { positionsOf } from "./positions.ts";
import { preconditions } from "./preconditions.ts";
import { createReasoner, fixedBy } from "./reasoner.ts";

/** An abstract error trace (003 §4): facts and the transitions between them. */
export type AbstractErrorTrace = {
  readonly formula: TraceFormula;
  /** The transitions that imply the target. */
  readonly relevant: readonly Transition[];
  readonly stretches: readonly FactStretch[];
  /** True if the stretches have facts that imply the error; otherwise they only mark the relevant transitions. */
  readonly explained: boolean;
  /** True if no relevant transition can be dropped. */
  readonly minimal: boolean;
};

export type AbstractionResult =
  | { readonly kind: "abstracted"; readonly trace: AbstractErrorTrace; readonly formula: TraceFormula }
  | { readonly kind: "failed"; readonly reason: string; readonly formula: TraceFormula };

/** With more statements, facts are not computed: a loop did not fold, and nobody reads them. */
const coverLimit = 1_500;

export function abstractErrorTrace(
  symbols: Symbols,
  prover: Prover,
  folded: FoldedRun,
  options: FlowOptions = {},
): AbstractionResult {
  const formula = traceFormula(symbols, folded, { ...options, cancellation: prover.cancellation });
  const suggested: Term[] = foldsOf(folded).flatMap(({ invariant }) => invariant);
  return abstractFormula(symbols, prover, formula, suggested);
}

/** The same, starting at the trace formula. `suggested` are facts to try. */
export function abstractFormula(
  symbols: Symbols,
  prover: Prover,
  formula: TraceFormula,
  suggested: readonly Term[],
): AbstractionResult {
  const reasoner = createReasoner(symbols, prover, formula);
  const kept = keepStatements(reasoner, prover, formula);
  if (kept.kind === "failed") return { ...kept, formula };
  const { transitions: relevant, minimal } = kept;
  const cover = (values: Assignment, needed?: readonly Term[]) => {
    const positions = positionsOf(symbols, reasoner, formula, relevant, { suggested, values, needed });
    return coverTrace(reasoner, positions, formula, relevant);
  };
  const isReadable = relevant.length <= coverLimit && !prover.cancellation.isCancelled();
  // Values that relevant transitions fix show their origin; other values of the run are the second choice.
  let stretches = isReadable ? (cover(fixedBy(relevant)) ?? cover(reasoner.values)) : null;
  if (stretches === null && isReadable) {
    // If values, tests and invariants do not suffice at some position, try what the rest of the run needs there.
    const needed = preconditions(symbols.terms, prover, relevant, formula.target);
    if (needed !== null) stretches = cover(reasoner.values, needed);
  }
  return {
    kind: "abstracted",
    formula,
    trace: {
      formula,
      relevant,
      minimal,
      stretches: stretches ?? withoutFacts(formula, relevant),
      explained: stretches !== null,
    },
  };
}

/** Without facts, the relevant transitions are the explanation. */
function withoutFacts(formula: TraceFormula, relevant: readonly Transition[]): readonly FactStretch[] {
  const stretches: FactStretch[] = [];
  let from = 0;
  for (const kept of relevant) {
    stretches.push({ from, to: kept.index, fact: [], within: [], kept });
    from = kept.index + 1;
  }
  return [...stretches, { from, to: formula.transitions.length, fact: [], within: [], kept: null }];
}
