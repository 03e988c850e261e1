import type { Outcome } from "../interpreter/outcome.ts";
import { edgeAt, stepCursor } from "../interpreter/stepCursor.ts";
import type { Trace } from "../interpreter/trace.ts";
import { watchedAt } from "../model/target.ts";
import { runOf } from "../run/runOf.ts";

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
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const { operation } = edgeAt(trace.program, cursor);
    if (operation.kind === "assign" && operation.target === flag) return true;
  }
  return false;
}
