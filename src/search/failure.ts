import type { Outcome } from "../interpreter/outcome.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { runOf } from "../recordedRun/runOf.ts";
import { isFlagged, watchedAt } from "../recordedRun/target.ts";

export function isFailure(outcome: Outcome): boolean {
  return (
    outcome.kind === "assertion" ||
    outcome.kind === "error-location" ||
    outcome.kind === "abort" ||
    outcome.kind === "undefined-behaviour" ||
    outcome.kind === "wrong-output" ||
    outcome.kind === "wrong-exit"
  );
}

/** Does the run fail, or record an error on its way to its end, or meet the condition that is watched? */
export function isFailingRun(trace: Trace): boolean {
  const { errorFlag: flag, watched } = trace.program;
  if (watched !== undefined) return watchedAt(runOf(trace), watched)?.holds === true;
  if (isFailure(trace.outcome)) return true;
  // A run that was cut short has recorded what it has recorded.
  if (flag === undefined || (trace.outcome.kind !== "exit" && trace.outcome.kind !== "limit")) return false;
  return isFlagged(runOf(trace), flag);
}

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
  // Recorded errors and watched conditions have no outcome of their own.
  if (program.errorFlag !== undefined || program.watched !== undefined) return 4;
  const reasons = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ operation }) => (operation.kind === "fail" ? [operation.reason] : [])),
  );
  if (reasons.some((reason) => reason === "assertion" || reason === "error-location")) return 0;
  return reasons.includes("abort") ? 1 : 2;
}
