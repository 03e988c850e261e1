import type { Trace } from "../interpreter/trace.ts";
import { describeOutcome } from "../jobs/run/describeRun.ts";
import type { RunOutcome } from "../jobs/run/runReport.ts";
import { isFailure } from "../search/failure.ts";
import type { Explanation } from "./explanation.ts";
import { type About, headOf } from "./explanationHead.ts";
import type { FoundRun } from "./findRun.ts";
import type { PipelineOptions } from "./pipeline.ts";
import type { ExplanationAbout } from "./stages/explanation.ts";

export type ExplainFoundRunOptions = PipelineOptions & {
  /** Told how the run fails before anyone asks why. */
  failed(outcome: RunOutcome): void;
  about(): About;
  /** The command that runs the smallest failing run. */
  replay: ExplanationAbout["replay"];
};

/** Explains a run that was found: why it fails, that it does not, or why a watched condition holds. */
export async function explainFoundRun(found: FoundRun, options: ExplainFoundRunOptions): Promise<Explanation> {
  const { trace } = found;
  const { about, replay } = options;
  const isAsked = trace.program.watched !== undefined;
  if (!isAsked && doesNotFail(trace)) {
    return { ...headOf(trace, about()), kind: "doesNotFail" };
  }
  if (!isAsked && isFailure(trace.outcome)) options.failed(describeOutcome(trace.program, trace.outcome));
  // Only now: loading the analyses takes longer than a small program's run.
  const { explainTrace } = await import("./pipeline.ts");
  const { shortenEndless } = await import("./shortenEndless.ts");
  const { trace: shown, notes: all, others = [] } = isAsked ? found : shortenEndless(found);
  const shrink = (options.shrink ?? true) && !isAsked;
  const explanation = withNotes(
    explainTrace(shown, { ...options, shrink }, () => ({ ...about(), replay })),
    all,
  );
  if (explanation.kind !== "explained" || others.length === 0) return explanation;
  return { ...explanation, otherFailures: others.map((outcome) => describeOutcome(trace.program, outcome)) };
}

function doesNotFail({ outcome }: Trace): boolean {
  return !isFailure(outcome) && outcome.kind !== "limit" && outcome.kind !== "needs-input";
}

function withNotes(explanation: Explanation, notes: readonly string[]): Explanation {
  const { location } = explanation.outcome;
  if (location === null) return explanation;
  return { ...explanation, notes: [...explanation.notes, ...notes.map((message) => ({ message, location }))] };
}
