import type { EntryExpr } from "../../concolic/expr.ts";
import type { Definition } from "../../concolic/summary.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { entails, type Solver } from "../../solver/solver.ts";
import type { Kinds } from "./kinds.ts";
import { createTranslator } from "./translate.ts";

/** Decides conditions of one function. Unknown counts as no. */
export type ContractReasoner = {
  implies(premises: readonly EntryExpr[], conclusion: EntryExpr): boolean;
  /** True if the premises imply one of the alternatives, each a conjunction. */
  covers(premises: readonly EntryExpr[], alternatives: readonly (readonly EntryExpr[])[]): boolean;
};

export type ReasoningTools = { readonly terms: Terms; readonly solver: Solver };

/** The background: class invariants, definitions of pure predicates, and non-negative lengths. */
export function createContractReasoner(
  { terms, solver }: ReasoningTools,
  kinds: Kinds,
  known: readonly EntryExpr[],
  definitions: readonly Definition[],
): ContractReasoner {
  const translator = createTranslator(terms, kinds);
  const background = [
    ...known.map((expr) => translator.formula(expr)),
    ...definitions.map(({ term, definition }) => terms.iff(translator.formula(term), translator.formula(definition))),
  ];

  function follows(premises: readonly Term[], conclusion: Term): boolean {
    if (premises.includes(conclusion) || background.includes(conclusion)) return true;
    const all = [...background, ...translator.lengths(), ...premises];
    return entails(terms, solver, all, conclusion, { limits: { milliseconds: 1000 } }).kind === "valid";
  }

  return {
    implies: (premises, conclusion) =>
      follows(
        premises.map((one) => translator.formula(one)),
        translator.formula(conclusion),
      ),
    covers: (premises, alternatives) =>
      follows(
        premises.map((one) => translator.formula(one)),
        terms.any(alternatives.map((conjuncts) => terms.all(conjuncts.map((one) => translator.formula(one))))),
      ),
  };
}
