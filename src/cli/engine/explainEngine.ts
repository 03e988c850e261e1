import { describeUnfailing } from "../../explain/describeUnfailing.ts";
import type { ExplainReport } from "../../explain/explainReport.ts";
import type { Explanation } from "../../explain/explanation.ts";
import { findRun } from "../../explain/findRun.ts";
import { headOf } from "../../explain/joinExplanation.ts";
import { describeOutcome } from "../../jobs/run/describeRun.ts";
import { isFailure } from "../../search/isFailure.ts";
import type { Trace } from "../../trace/trace.ts";
import type { ExplainRequest } from "../options/explainOptions.ts";
import { shellWords } from "../shellWords.ts";
import { packageVersion } from "../version.ts";
import type { Control } from "./control.ts";
import type { EngineMessage, EngineNews } from "./engineMessage.ts";
import { loadRequested, requestedProject, requestedRun } from "./loadRequested.ts";

/** Loads the program, finds the failing run, tells how it fails, and explains it. */
export async function explainEngine(
  request: ExplainRequest,
  control: Control,
  tell: (news: EngineNews) => void,
): Promise<EngineMessage> {
  const start = performance.now();
  control.report("loading");
  const program = await loadRequested(
    await requestedProject(request),
    request,
    control,
    request.target === null ? {} : { watch: request.target },
  );
  const sources = new Map(program.files.map((file) => [file.path, file.text]));
  control.report("running");
  const { trace, notes } = await findRun(program, {
    source: request.source,
    run: requestedRun(request, control),
    seed: request.seed,
    hasTarget: request.target !== null,
    cancellation: control.cancellation,
    searching: () => control.report("searching"),
  });
  const about = () => ({ version: packageVersion(), ms: Math.round(performance.now() - start) });
  if (request.target === null && doesNotFail(trace)) {
    const report = describeUnfailing(trace, about());
    return { kind: "explain", explanation: { ...headOf(trace, report), kind: "doesNotFail" }, report, sources };
  }
  if (request.target === null && isFailure(trace.outcome)) {
    tell({ kind: "failed", outcome: describeOutcome(program, trace.outcome) });
  }
  // Only now: loading the analyses takes longer than a small program's run.
  const { explainTrace } = await import("../../explain/pipeline.ts");
  const options = {
    candidates: request.candidates,
    flowSensitive: request.flowSensitive,
    ...(request.all ? { mostLines: Number.POSITIVE_INFINITY } : {}),
    shrink: request.shrink && request.target === null,
    solver: {
      backend: request.solver,
      ...(request.dumpSmt === null ? {} : { dump: request.dumpSmt }),
    },
    validate: request.validate,
    cancellation: control.cancellation,
    progress: control.report,
  };
  const replay = (inputs: readonly string[]) => replayCommand(request, inputs);
  const { explanation, report } = explainTrace(trace, options, () => ({ ...about(), replay }));
  control.report("printing");
  return { kind: "explain", explanation: withNotes(explanation, notes), report: withNotes(report, notes), sources };
}

function doesNotFail({ outcome }: Trace): boolean {
  return !isFailure(outcome) && outcome.kind !== "limit" && outcome.kind !== "needs-input";
}

function replayCommand({ replay }: ExplainRequest, inputs: readonly string[]): string {
  const given = inputs.length === 0 ? [] : [`--inputs=${inputs.join(",")}`];
  return shellWords([...replay.before, ...given, ...replay.after]);
}

function withNotes<T extends Explanation | ExplainReport>(report: T, notes: readonly string[]): T {
  const { location } = report.outcome;
  if (location === null) return report;
  return { ...report, notes: [...report.notes, ...notes.map((message) => ({ message, location }))] };
}
