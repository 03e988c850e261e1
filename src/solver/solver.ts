import type { Cancellation } from "../base/cancellation.ts";
import { assertNever } from "../base/errors.ts";
import type { Assignment } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Model } from "./answers.ts";

/**
 * Limits of a check. `resources` counts the solver's own steps (`rlimit`), so it stops at the same point in every run;
 * its unit depends on the solver. `milliseconds` is a safety net. Zero means no limit, a negative number an exhausted
 * budget.
 */
export type Limits = { readonly resources: number; readonly milliseconds: number };

export const defaultLimits: Limits = { resources: 0, milliseconds: 30_000 };

export type CheckResult = Satisfiable | Unsatisfiable | Unknown;

export type Satisfiable = {
  readonly kind: "sat";
  /** Values for every variable of the assertions and assumptions; empty unless the check asked for it. */
  readonly model: Model;
};

export type Unsatisfiable = {
  readonly kind: "unsat";
  /** The assumptions that contradict the assertions, in order. */
  readonly core: readonly Term[];
};

export type Unknown = { readonly kind: "unknown"; readonly reason: UnknownReason; readonly message: string };

/**
 * - `limit`: the resource or time limit was reached; a larger one may help. - `memory`: the solver ran out of memory. -
 * `incomplete`: the solver gave up (quantifiers, nonlinear arithmetic). - `failure`: the solver died, was killed, or
 * answered what no solver answers. - `interrupted`: nobody waits for the answer any more.
 */
export type UnknownReason = "limit" | "memory" | "incomplete" | "failure" | "interrupted";

export type CheckOptions = {
  /** Overrides the solver's limits, each separately. */
  readonly limits?: Partial<Limits>;
  /** False skips reading the model of a satisfiable check. */
  readonly model?: boolean;
  /** Makes the core irredundant: no element can be left out. Costs up to one check per element. */
  readonly minimiseCore?: boolean;
};

/** The output of a script, for features outside of the interface (real arithmetic, Horn clauses). */
export type ScriptResult = { readonly kind: "output"; readonly text: string } | Unknown;

/**
 * A stack of assertions that can be asked whether it has a model. Synchronous. All terms belong to one store. - An
 * answer is about the assertions of all levels and the assumptions of this check only. - `unknown` leaves the stack as
 * it is, and the next check works, in a new solver process if need be. - Nothing is started before the first check or
 * `prepare`. - After `dispose` only `dispose` may be called. A solver that is not disposed does not keep the process
 * alive.
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
  /** Drops all levels, assertions and cached answers, but keeps the process. */
  reset(): void;
  /** Starts the solver in the background, so that the first check does not wait for it. */
  prepare(): void;
  dispose(): void;
};

export function unknown(reason: UnknownReason, message: string): Unknown {
  return { kind: "unknown", reason, message };
}

/** A refutation is a model of the premises in which the conclusion is false. */
export type Entailment = { readonly kind: "valid" } | { readonly kind: "refuted"; readonly model: Model } | Unknown;

/** The solver's assertions are premises too; they are left as they are. */
export function entails(
  terms: Terms,
  solver: Solver,
  premises: readonly Term[],
  conclusion: Term,
  options?: CheckOptions,
): Entailment {
  solver.push();
  try {
    solver.assert(...premises, terms.not(conclusion));
    const result = solver.check([], options);
    switch (result.kind) {
      case "unsat":
        return { kind: "valid" };
      case "sat":
        return { kind: "refuted", model: result.model };
      case "unknown":
        return result;
      default:
        return assertNever(result);
    }
  } finally {
    solver.pop();
  }
}

/** `unknown` says why and is no answer. */
export type Implication =
  /** `used`: sufficient assumptions; fewer may do (`minimiseAssumptions`). */
  | { readonly kind: "proved"; readonly used: readonly Term[] }
  | { readonly kind: "refuted"; readonly model: Assignment }
  | { readonly kind: "unknown"; readonly reason: string };

/** A shared background of many questions, including the ranges of all variables' types. */
export type ProofSession = {
  implies(assumptions: readonly Term[], goal: Term): Implication;
  close(): void;
};

export type Prover = {
  /** Once cancelled, no question has an answer. */
  readonly cancellation: Cancellation;
  /** `quick`: for optional questions, which must not take long. */
  open(background: readonly Term[], effort?: "full" | "quick"): ProofSession;
};

const mostMinimised = 30;

/** The assumptions that a goal needs, by deletion from the last. null if the goal is not proved. */
export function minimiseAssumptions(
  session: ProofSession,
  assumptions: readonly Term[],
  goal: Term,
): readonly Term[] | null {
  const first = session.implies(assumptions, goal);
  if (first.kind !== "proved") return null;
  let needed = assumptions.filter((assumption) => first.used.includes(assumption));
  if (needed.length > mostMinimised) return needed;
  for (const assumption of needed.toReversed()) {
    const rest = needed.filter((other) => other !== assumption);
    const without = session.implies(rest, goal);
    if (without.kind === "proved") needed = rest.filter((other) => without.used.includes(other));
  }
  return needed;
}
