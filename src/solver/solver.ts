import type { Cancellation } from "../base/cancellation.ts";
import { assertNever } from "../base/errors.ts";
import type { Assignment } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { Model } from "./answers.ts";

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

/** Whether the conclusion holds wherever the premises hold. A refutation is a model of the premises without it. */
export type Entailment = { readonly kind: "valid" } | { readonly kind: "refuted"; readonly model: Model } | Unknown;

/** Asks on top of the solver's assertions, which are premises too, and leaves them as they are. */
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

/** Does something follow? Never a guess: `unknown` says why and is no answer. */
export type Implication =
  /** `used`: assumptions that suffice; fewer may do (`minimiseAssumptions`). */
  | { readonly kind: "proved"; readonly used: readonly Term[] }
  | { readonly kind: "refuted"; readonly model: Assignment }
  | { readonly kind: "unknown"; readonly reason: string };

/** A background of formulas that many questions share. What is known of every variable's type is part of it. */
export type ProofSession = {
  /** Do the background and the assumptions imply the goal? */
  implies(assumptions: readonly Term[], goal: Term): Implication;
  close(): void;
};

export type Prover = {
  /** Once it is cancelled, no question has an answer. */
  readonly cancellation: Cancellation;
  /** `quick`: for questions that can do without an answer, so that it must not take long. */
  open(background: readonly Term[], effort?: "full" | "quick"): ProofSession;
  /** Formulas between steps that contradict each other together: each follows from those before and contradicts the rest. */
  interpolants(steps: readonly Term[]): readonly Term[] | null;
};

/** Cores beyond this size are not made smaller one by one. */
const mostMinimised = 30;

/**
 * The part of the assumptions that a goal needs, by deletion: the last are dropped first, so put what should stay first.
 * Starts from what the solver used. Null if the goal is not proved.
 */
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
