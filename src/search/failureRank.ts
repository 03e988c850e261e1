import type { Outcome } from "../interpreter/outcome.ts";
import type { Program } from "../ir/program.ts";

/** Failures that the user wrote come first, then what is wrong for other values too, then the ends of a type's range. */
export function failureRank(outcome: Outcome): number {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "wrong-output":
    case "wrong-exit":
      return 0;
    case "abort":
      return 1;
    case "undefined-behaviour":
      return outcome.problem === "signed-overflow" ? 3 : 2;
    default:
      return 4;
  }
}

/** The best rank that a failure of the program can have. */
export function bestRank(program: Program): number {
  // What is recorded or watched fails with no outcome of its own.
  if (program.errorFlag !== undefined || program.watched !== undefined) return 4;
  const reasons = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ operation }) => (operation.kind === "fail" ? [operation.reason] : [])),
  );
  if (reasons.some((reason) => reason === "assertion" || reason === "error-location")) return 0;
  return reasons.includes("abort") ? 1 : 2;
}
