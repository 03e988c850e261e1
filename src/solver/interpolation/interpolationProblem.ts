import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { Model } from "../answers.ts";
import type { Limits, Solver, Unknown } from "../solver.ts";

/**
 * A trace as steps `A_1 … A_n`, each a list of conjuncts over versioned variables: SSA equalities (`x_5 = x_4 + 1`,
 * `a_3 = store(a_2, i, v)`), assumptions, or anything else.
 */
export type InterpolationProblem = {
  readonly terms: Terms;
  readonly solver: Solver;
  readonly steps: readonly (readonly Term[])[];
  readonly limits?: Partial<Limits>;
};

/**
 * `sequence` has `n - 1` formulas. With `I_0 = true` and `I_n = false`, each `I_(i-1)` and `A_i` imply `I_i`; `I_i` has
 * only variables that occur on both sides of its position. All of this has been checked.
 */
export type Interpolants = { readonly kind: "interpolants"; readonly sequence: readonly Term[] };

export type FeasibleTrace = { readonly kind: "feasible"; readonly model: Model };

export type InterpolationResult = Interpolants | FeasibleTrace | Unknown;
