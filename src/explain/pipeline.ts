import { type ExperimentOptions, runExperiments } from "../analysis/counterfactual/experiments.ts";
import { budgetOf } from "../base/cancellation.ts";
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
import { suspectWishes } from "./why/suspectWishes.ts";
import { tellWhy, whyOf } from "./why/whyExplanation.ts";

export type PipelineOptions = ExplainOptions & {
  /** Runs that pass, and edits that are not to be tried. */
  readonly experiments?: Pick<ExperimentOptions, "passing" | "forbids">;
  /** Lines of answers to whys; the rest of a screen is for what failed and for what is known beside it. */
  readonly mostLines?: number;
};

export type About = { readonly version: string; readonly ms: number; replay(inputs: readonly string[]): string };

/** Lines of answers on one screen. */
export const screenLines = 16;

/** Steps of re-runs; some millions take a second. */
const experimentSteps = 30_000_000;

/** The stages of an explanation, in order: first what the recording knows, then what logic can prove of it. */
export function explainTrace(
  trace: Trace,
  options: PipelineOptions,
  about: () => About,
): { readonly explanation: Explanation; readonly report: ExplainReport } {
  const graph = dependenceGraph(trace);
  const experiments = runExperiments(graph, {
    ...options.experiments,
    budget: budgetOf(experimentSteps, options.cancellation),
  });
  const why = whyOf(
    graph,
    experiments.omissions.map(({ condition, reader }) => ({ condition, affects: reader })),
  );
  const proved = explainByLogic(trace, options);
  const wishes = suspectWishes(why, experiments.suspects);
  // What is left of the screen shows what is nearest to the failure.
  const told = tellWhy(why, [...wishes, ...nearestFirst(why)], options.mostLines ?? screenLines);
  const report =
    proved.kind === "run"
      ? describeExplanation(proved.run, about())
      : describeUnexplained(trace, about(), proved.error);
  return {
    explanation: joinExplanation(trace, told, wishes, proved.kind === "run" ? proved.run : null, report),
    report,
  };
}

type Logic =
  | { readonly kind: "run"; readonly run: ExplainedRun }
  | { readonly kind: "none"; readonly error: TracefoldError };

/** What no formula stands for is left to the recording. */
function explainByLogic(trace: Trace, options: ExplainOptions): Logic {
  try {
    return { kind: "run", run: explainRun(trace, options) };
  } catch (error) {
    // A run that a limit ended has no target, but a loop that it did not leave.
    const isLeft = error instanceof TracefoldError && (error.kind === "unsupported" || error.kind === "limit");
    if (isLeft) return { kind: "none", error };
    throw error;
  }
}
