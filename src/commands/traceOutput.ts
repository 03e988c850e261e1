import { type Cancellation, throwIfCancelled } from "../base/cancellation.ts";
import { TracefoldError } from "../base/errors.ts";
import type { Trace } from "../interpreter/trace.ts";
import { placeText, stepText } from "../render/phrases.ts";
import { openOutput, paintOf } from "./output.ts";
import type { RunStep } from "./run/result.ts";
import { forEachStep } from "./run/traceSteps.ts";

/** The approximate size of one write, in characters. */
const PIECE = 65_536;
const MOST_LISTED = 500_000;

/** Prints steps while they are replayed, so that the text of a long trace is never in memory as a whole. */
export function printSteps(trace: Trace, cancellation: Cancellation, colours: boolean): void {
  const paint = paintOf(colours);
  const out = openOutput(1);
  const place = placeText(trace.program.files);
  let piece = "";
  forEachStep(trace, (step) => {
    piece += `${stepText(step, place, paint)}\n`;
    if (piece.length < PIECE) return;
    out.write(piece);
    piece = "";
    throwIfCancelled(cancellation, `printing the steps: ${step.step} of ${trace.steps}`);
  });
  out.write(piece);
}

export function listSteps(trace: Trace, cancellation: Cancellation): RunStep[] {
  if (trace.steps > MOST_LISTED) {
    throw new TracefoldError({
      code: "TF135",
      message: `a trace of ${trace.steps} steps is too long for JSON`,
      help: "Print it as text, or end the run earlier with --max-steps.",
    });
  }
  const steps: RunStep[] = [];
  forEachStep(trace, (step) => {
    steps.push(step);
    throwIfCancelled(cancellation, "listing the steps");
  });
  return steps;
}
