import type { Implication, ProofSession, Prover } from "../solver/solver.ts";

/** How many questions about one loop had no answer. */
export type Patience = { unanswered: number };

/** After so many the loop's questions may cost only a little, and after so many more nothing is asked about it. */
const fullEffort = 2;
const most = 12;

export function isExhausted({ unanswered }: Patience): boolean {
  return unanswered >= most;
}

/** The same for what is only part of a message. */
export function quickProver(prover: Prover, patience: Patience): Prover {
  const patient = patientProver(prover, patience);
  return { ...patient, open: (background) => patient.open(background, "quick") };
}

/**
 * Asks on behalf of one loop. A body that the solver cannot reason about has no answer at the next visit either, so
 * what it may cost is limited by the number of questions without an answer: a count, so that the same run gives the same folds.
 */
export function patientProver(prover: Prover, patience: Patience): Prover {
  return {
    ...prover,
    open(background, effort = "full") {
      const sessions: Partial<Record<"full" | "quick", ProofSession>> = {};
      return {
        implies(assumptions, goal): Implication {
          if (isExhausted(patience)) return { kind: "unknown", reason: "too many questions had no answer" };
          const chosen = patience.unanswered < fullEffort ? effort : "quick";
          sessions[chosen] ??= prover.open(background, chosen);
          const answer = sessions[chosen].implies(assumptions, goal);
          if (answer.kind === "unknown") patience.unanswered++;
          return answer;
        },
        close() {
          sessions.full?.close();
          sessions.quick?.close();
        },
      };
    },
  };
}
