import { TracefoldError } from "../base/errors.ts";
import { dependenceGraph } from "../dependence/dependenceGraph.ts";
import type { Trace } from "../trace/trace.ts";
import { describeExplanation } from "./describeExplanation.ts";
import { describeUnexplained } from "./describeUnfailing.ts";
import type { ExplainReport } from "./explainReport.ts";
import { type ExplainedRun, type ExplainOptions, explainRun } from "./explainRun.ts";
import type { Explanation } from "./explanation.ts";
import { joinExplanation } from "./joinExplanation.ts";
import { nearestFirst } from "./why/nearestFirst.ts";
import { tellWhy, whyOf } from "./why/whyExplanation.ts";

export type PipelineOptions = ExplainOptions & {
  /** Lines of answers to whys; the rest of a screen is for what failed and for what is known beside it. */
  readonly mostLines?: number;
};

export type About = { readonly version: string; readonly ms: number; replay(inputs: readonly string[]): string };

/** Lines of answers on one screen. */
export const screenLines = 16;

/** The stages of an explanation, in order: first what the recording knows, then what logic can prove of it. */
export function explainTrace(
  trace: Trace,
  options: PipelineOptions,
  about: () => About,
): { readonly explanation: Explanation; readonly report: ExplainReport } {
  const graph = dependenceGraph(trace);
  const why = whyOf(graph);
  const proved = explainByLogic(trace, options);
  const told = tellWhy(why, nearestFirst(why), options.mostLines ?? screenLines);
  const report =
    proved.kind === "run"
      ? describeExplanation(proved.run, about())
      : describeUnexplained(trace, about(), proved.error);
  return { explanation: joinExplanation(trace, told, proved.kind === "run" ? proved.run : null, report), report };
}

type Logic =
  | { readonly kind: "run"; readonly run: ExplainedRun }
  | { readonly kind: "none"; readonly error: TracefoldError };

/** What no formula stands for is left to the recording. */
function explainByLogic(trace: Trace, options: ExplainOptions): Logic {
  try {
    return { kind: "run", run: explainRun(trace, options) };
  } catch (error) {
    if (error instanceof TracefoldError && error.kind === "unsupported") return { kind: "none", error };
    throw error;
  }
}
