import type { Term } from "../logic/term.ts";
import type { Model } from "./model.ts";

/**
 * How much a check may cost. `resources` counts the solver's own steps (`rlimit`), so it stops at the same point in
 * every run; its unit differs from solver to solver. `milliseconds` is a net for what the count does not catch.
 * Zero is no limit, anything below it a budget that is used up.
 */
export type Limits = { readonly resources: number; readonly milliseconds: number };

export const defaultLimits: Limits = { resources: 0, milliseconds: 30_000 };

/** Narrowed by outcome: nobody can read a model from an `unknown`. */
export type CheckResult = Satisfiable | Unsatisfiable | Unknown;

export type Satisfiable = {
  readonly kind: "sat";
  /** Values for every variable of the assertions and assumptions; empty when the check did not ask for it. */
  readonly model: Model;
};

export type Unsatisfiable = {
  readonly kind: "unsat";
  /** Those of the assumptions that contradict the assertions, in the order of the assumptions. */
  readonly core: readonly Term[];
};

export type Unknown = { readonly kind: "unknown"; readonly reason: UnknownReason; readonly message: string };

/**
 * - `limit`: the resource or time limit was reached; a larger one may help.
 * - `memory`: the solver ran out of memory.
 * - `incomplete`: the solver gave up (quantifiers, nonlinear arithmetic).
 * - `failure`: the solver died, was killed, or answered what no solver answers.
 * - `interrupted`: nobody waits for the answer any more.
 */
export type UnknownReason = "limit" | "memory" | "incomplete" | "failure" | "interrupted";

export type CheckOptions = {
  /** Overrides the solver's limits, each of the two by itself. */
  readonly limits?: Partial<Limits>;
  /** False spares reading the model of a satisfiable check. */
  readonly model?: boolean;
  /** Makes the core irredundant: no element can be left out. Costs up to one check per element. */
  readonly minimiseCore?: boolean;
};

/** The output of a script of our own, for what the interface does not offer (real arithmetic, Horn clauses). */
export type ScriptResult = { readonly kind: "output"; readonly text: string } | Unknown;

/**
 * A stack of assertions that can be asked whether it has a model. Synchronous. All terms belong to one store.
 *
 * - An answer is about the assertions of all levels and the assumptions of this check only.
 * - `unknown` leaves the stack as it is, and the next check works, in a new solver process if need be.
 * - Nothing is started before the first check or `prepare`.
 * - After `dispose` only `dispose` may be called. A solver that is not disposed does not keep the process alive.
 */
export type Solver = {
  /** `z3 4.8.12`, `z3 5.1.0 (embedded)`; a guess before the first check. */
  readonly name: string;
  push(): void;
  pop(levels?: number): void;
  assert(...formulas: readonly Term[]): void;
  check(assumptions?: readonly Term[], options?: CheckOptions): CheckResult;
  /** Runs a complete SMT-LIB script apart from the stack. An `(error …)` in its output is a failure. */
  run(script: string, limits?: Partial<Limits>): ScriptResult;
  /** Forgets all levels, assertions and remembered answers: the next run starts afresh, in the same process. */
  reset(): void;
  /** Starts the solver in the background, so that the first check does not wait for it. */
  prepare(): void;
  dispose(): void;
};

export function unknown(reason: UnknownReason, message: string): Unknown {
  return { kind: "unknown", reason, message };
}
