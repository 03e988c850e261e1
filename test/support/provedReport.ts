import { TracefoldError } from "../../src/base/errors.ts";
import { describeExplanation } from "../../src/explain/describeExplanation.ts";
import { describeUnexplained, describeUnfailing } from "../../src/explain/describeUnfailing.ts";
import type { ExplainReport } from "../../src/explain/explainReport.ts";
import { explainRun } from "../../src/explain/explainRun.ts";
import type { ExplainOptions } from "../../src/explain/logicWork.ts";
import type { RunOptions } from "../../src/interpreter/run.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import type { Program } from "../../src/ir/program.ts";
import { isFailure } from "../../src/search/failure.ts";

/** What logic says of a program's run, without experiments and whys, which take longer. */
export function provedReport(
  program: Program,
  { run, ...options }: ExplainOptions & { readonly run?: RunOptions } = {},
): ExplainReport {
  const trace = recordTrace(program, run);
  const about = { version: "", ms: 0, replay: (inputs: readonly string[]) => inputs.join(",") };
  const { kind } = trace.outcome;
  if (program.watched === undefined && (kind === "exit" || kind === "assumption-violated")) {
    return describeUnfailing(trace, about);
  }
  try {
    const shrink = (options.shrink ?? true) && isFailure(trace.outcome);
    return describeExplanation(explainRun(trace, { ...options, shrink }), about);
  } catch (error) {
    if (error instanceof TracefoldError && error.code === "TF220") return describeUnexplained(trace, about, error);
    throw error;
  }
}
