import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { Model } from "../model.ts";
import type { Limits, Solver, Unknown } from "../solver.ts";

/**
 * A trace as a sequence of steps `A_1 … A_n`, each a list of conjuncts over versioned variables: SSA equalities
 * (`x_5 = x_4 + 1`, `a_3 = store(a_2, i, v)`), assumptions, or anything else.
 */
export type InterpolationProblem = {
  readonly terms: Terms;
  readonly solver: Solver;
  readonly steps: readonly (readonly Term[])[];
  readonly options?: InterpolationOptions;
};

export type InterpolationOptions = {
  /**
   * `any`: whatever is found first, simplest shapes first. `weakest` and `strongest`: the sequence of the weakest
   * (strongest) formulas over the shared variables, where quantifiers can be eliminated.
   */
  readonly strength?: Strength;
  /** Restricts the choice, for tests and comparison. */
  readonly method?: Method;
  /** Variables that exist before the first step: they may occur in every interpolant. */
  readonly isInitial?: (variable: Variable) => boolean;
  readonly limits?: Partial<Limits>;
  /** Drops conjuncts and summands while the sequence stays valid; on by default for short traces. */
  readonly weaken?: boolean;
};

export type Strength = "any" | "weakest" | "strongest";
export type Method = "farkas" | "precondition" | "spacer";

/**
 * `sequence` has `n - 1` formulas. With `I_0 = true` and `I_n = false`, each `I_(i-1)` and `A_i` imply `I_i`; `I_i` only
 * has variables that occur on both sides of its position (or are initial). All of this has been checked.
 */
export type Interpolants = {
  readonly kind: "interpolants";
  readonly sequence: readonly Term[];
  readonly method: Method;
  /** The strength that was asked for was reached. */
  readonly exact: boolean;
};

/** The trace has a model: there is nothing to interpolate. */
export type Feasible = { readonly kind: "feasible"; readonly model: Model };

export type InterpolationResult = Interpolants | Feasible | Unknown;
