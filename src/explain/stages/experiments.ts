import { describeWhatIf } from "../../analyses/counterfactual/describeChange.ts";
import { type ExperimentOptions, type Experiments, runExperiments } from "../../analyses/counterfactual/experiments.ts";
import { budgetOf, type Cancellation } from "../../base/cancellation.ts";
import { formatPlace } from "../../base/sourceRange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Stage } from "../stage.ts";

type Given = {
  readonly graph: DependenceGraph;
  readonly options: {
    /** Runs that pass, and edits that are not to be tried. */
    readonly experiments?: Pick<ExperimentOptions, "passing" | "forbids">;
    readonly cancellation?: Cancellation;
  };
};

/** Steps of re-runs: tens of millions take a second. */
const experimentSteps = 50_000_000;

/**
 * Of a longer run than this each experiment tells less for what it costs: so the more steps the run has, the fewer there are for experiments, but
 * as many as it takes to run the whole of it some times.
 */
const longRun = 250_000;
const leastRuns = 12;

function stepsFor({ steps }: Trace): number {
  const some = experimentSteps * Math.min(1, longRun / Math.max(steps, 1));
  return Math.min(experimentSteps, Math.max(some, leastRuns * steps));
}

/** Runs with one thing changed: which lines are suspected. */
export const experiments: Stage<Given, { readonly experiments: Experiments }> = {
  name: "experiments",
  make: ({ graph, options }) => ({
    experiments: runExperiments(graph, {
      ...options.experiments,
      budget: budgetOf(stepsFor(graph.trace), options.cancellation),
    }),
  }),
  problems({ graph, experiments: { suspects, omissions } }) {
    const { files } = graph.trace.program;
    const problems = suspects.flatMap(({ lastStep, range, whatIf, edit, flip, value }) => {
      const place = formatPlace(range);
      return [
        ...(lastStep < graph.end ? [] : [`${place} is suspected at step ${lastStep}, behind the run`]),
        ...(files.some(({ path }) => path === range.file) ? [] : [`${place} is in no file of the program`]),
        ...(whatIf === (edit ?? flip ?? value) ? [] : [`${place} does not tell its best experiment`]),
      ];
    });
    const late = omissions.filter(({ condition, reader }) => condition >= reader);
    return [...problems, ...late.map(({ reader }) => `what step ${reader} misses was decided behind it`)];
  },
  print({ graph, experiments: { suspects, reruns, steps, complete } }) {
    const lines = suspects.map(({ range, function: fn, whatIf, distance }) => {
      const tried = whatIf === null ? "nothing helped" : describeWhatIf(graph.trace.program, whatIf);
      return `${formatPlace(range)} in ${fn.name}: ${tried} (distance ${distance})`;
    });
    return `${lines.join("\n")}\n${reruns} runs, ${steps} steps${complete ? "" : ", not all that was wanted"}\n`;
  },
};
