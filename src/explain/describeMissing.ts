import type { CancelReason } from "../base/cancellation.ts";
import type { Unknown } from "../jobs/commonReport.ts";
import type { ExplainedRun } from "./explainRun.ts";

/** What an explanation lacks because the work was ended before it was done; null where nothing is missing. */
export function describeMissing(run: ExplainedRun): Unknown | null {
  const { cancelled } = run;
  const missing = cancelled === null ? [] : missingParts(run);
  if (cancelled === null || missing.length === 0) return null;
  return { reason: `${endedBy[cancelled]}: ${missing.join(", ")}`, where: null, help: helpFor[cancelled] };
}

const endedBy: Readonly<Record<CancelReason, string>> = {
  interrupt: "the work was interrupted",
  terminate: "the work was interrupted",
  timeout: "the time was up",
  budget: "the time for it was over",
};

const helpFor: Readonly<Record<CancelReason, string>> = {
  interrupt: "Run it again.",
  terminate: "Run it again.",
  timeout: "Allow more with --timeout.",
  budget: "Allow more with --timeout.",
};

function missingParts({ compressed, abstraction, condition, proof }: ExplainedRun): readonly string[] {
  const parts: string[] = [];
  if (compressed.interrupted) parts.push("not all loops were looked at");
  if (abstraction === null) parts.push("it is not proved which statements matter");
  else {
    if (!abstraction.minimal) parts.push("some of the statements may not be needed");
    if (!abstraction.explained) parts.push("there are no facts between them");
  }
  if (condition.kind === "none") parts.push("it is not proved for which other inputs the same happens");
  if (proof.interrupted) parts.push("the proof is not checked");
  return parts;
}
