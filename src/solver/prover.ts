import type { Cancellation } from "../base/cancellation.ts";
import type { Assignment } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";

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

/**
 * The part of the assumptions that is needed, by deletion: the last are dropped first, so put what should stay first.
 * Starts from what the solver used. Only for implications that hold.
 */
export function minimiseAssumptions(session: ProofSession, assumptions: readonly Term[], goal: Term): readonly Term[] {
  const first = session.implies(assumptions, goal);
  if (first.kind !== "proved") return assumptions;
  let needed = assumptions.filter((assumption) => first.used.includes(assumption));
  for (const assumption of needed.toReversed()) {
    const rest = needed.filter((other) => other !== assumption);
    const without = session.implies(rest, goal);
    if (without.kind === "proved") needed = rest.filter((other) => without.used.includes(other));
  }
  return needed;
}
