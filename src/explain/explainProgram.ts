import { TracefoldError } from "../base/errors.ts";
import type { Program } from "../ir/program.ts";
import { isFailure } from "../search/isFailure.ts";
import type { RunOptions } from "../trace/runOptions.ts";
import { recordTrace, type Trace } from "../trace/trace.ts";
import { describeExplanation } from "./describeExplanation.ts";
import { describeUnexplained, describeUnfailing } from "./describeUnfailing.ts";
import type { ExplainReport } from "./explainReport.ts";
import { explainRun } from "./explainRun.ts";
import type { ExplainOptions } from "./logicWork.ts";

export type ExplainProgramOptions = ExplainOptions & {
  /** Which run: its inputs, arguments, standard input. */
  readonly run?: RunOptions;
  /** The version that the report names. */
  readonly version?: string;
  /** The command that runs the smallest failing run, for the report. */
  replay?(inputs: readonly string[]): string;
};

/** Why a run of a program fails, or why a watched condition holds (`LoadOptions.watch`): the report as data. */
export function explain(program: Program, options: ExplainProgramOptions = {}): ExplainReport {
  const start = performance.now();
  const trace = recordTrace(program, options.run);
  const about = () => ({ version: options.version ?? "", ms: Math.round(performance.now() - start) });
  if (
    program.watched === undefined &&
    (trace.outcome.kind === "exit" || trace.outcome.kind === "assumption-violated")
  ) {
    return describeUnfailing(trace, about());
  }
  const replay = options.replay ?? ((inputs: readonly string[]) => inputs.join(","));
  const shrink = (options.shrink ?? true) && isFailure(trace.outcome);
  return explainTrace(trace, { ...options, shrink }, () => ({ ...about(), replay }));
}

/** The same of a recorded run. What no formula stands for is reported like anything else that is not known. */
export function explainTrace(
  trace: Trace,
  options: ExplainOptions,
  about: () => Parameters<typeof describeExplanation>[1],
): ExplainReport {
  try {
    return describeExplanation(explainRun(trace, options), about());
  } catch (error) {
    if (error instanceof TracefoldError && error.code === "TF220") return describeUnexplained(trace, about(), error);
    throw error;
  }
}
