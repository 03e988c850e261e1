import { describeWhatIf } from "../../../analyses/counterfactual/describeChange.ts";
import {
  type ExperimentOptions,
  type Experiments,
  experimentSteps,
  runExperiments,
} from "../../../analyses/counterfactual/experiments.ts";
import { budgetOf, type Cancellation } from "../../../base/cancellation.ts";
import { formatPlace } from "../../../base/sourceRange.ts";
import { type DependenceGraph, dependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { refusedCall } from "../../../dependence/missedUpdates.ts";
import type { Trace } from "../../../interpreter/trace.ts";
import { printOperation } from "../../../ir/printOperation.ts";
import { changesOf } from "../../../languages/loadProject.ts";
import { type Why, whyOf } from "../why/whyGraph.ts";
import type { Stage } from "./stage.ts";

/** Finds the writer of each value that is read, and the branch that caused each step. */
export const dependences: Stage<{ readonly trace: Trace }, { readonly graph: DependenceGraph }> = {
  name: "dependences",
  make: ({ trace }) => ({ graph: dependenceGraph(trace) }),
  problems({ graph }) {
    const problems: string[] = [];
    for (let step = graph.first; step < graph.end; step++) {
      graph.visitDependences(step, 0, (source) => {
        if (source >= step) problems.push(`step ${step} depends on step ${source}, which comes later`);
      });
    }
    return problems;
  },
  print({ trace, graph }) {
    const lines: string[] = [];
    for (let step = Math.max(graph.first, graph.end - mostSteps); step < graph.end; step++) {
      const edge = graph.edge(step);
      const sources = graph.dependences({ step, part: 0 }).map((each) => `${each.step + 1} ${each.kind}`);
      const text = printOperation(trace.program, edge.operation);
      const from = sources.length === 0 ? "" : `  <- ${[...new Set(sources)].join(", ")}`;
      lines.push(`${step + 1}: ${graph.function(step).name}:${edge.range.line}: ${text}${from}`);
    }
    return `${lines.join("\n")}\n`;
  },
};

/** Only the last steps of longer runs are printed. */
const mostSteps = 20_000;

type Given = {
  readonly graph: DependenceGraph;
  readonly options: {
    /** Passing runs, and how changes of the text are made. */
    readonly experiments?: Pick<ExperimentOptions, "passing" | "changes">;
    readonly cancellation?: Cancellation;
  };
};

/**
 * On runs longer than this, each experiment costs more and tells less: the step budget shrinks with the length of the
 * run, but always suffices for a few complete re-runs.
 */
const longRun = 250_000;
const leastRuns = 12;

function stepsFor({ steps }: Trace): number {
  const some = experimentSteps * Math.min(1, longRun / Math.max(steps, 1));
  return Math.min(experimentSteps, Math.max(some, leastRuns * steps));
}

/** Re-runs with one change each, to find the suspected lines. */
export const experiments: Stage<Given, { readonly experiments: Experiments }> = {
  name: "experiments",
  make: ({ graph, options }) => ({
    experiments: runExperiments(graph, {
      changes: changesOf(graph.trace.program),
      ...options.experiments,
      budget: budgetOf(stepsFor(graph.trace), options.cancellation),
    }),
  }),
  problems({ graph, experiments: { suspects, omissions } }) {
    const { files } = graph.trace.program;
    const problems = suspects.flatMap(({ lastStep, range, whatIf, change, flip, value }) => {
      const place = formatPlace(range);
      return [
        ...(lastStep < graph.end ? [] : [`${place} is suspected at step ${lastStep}, behind the run`]),
        ...(files.some(({ path }) => path === range.file) ? [] : [`${place} is in no file of the program`]),
        ...(whatIf === (change ?? flip ?? value) ? [] : [`${place} does not tell its best experiment`]),
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

type Tried = { readonly graph: DependenceGraph; readonly experiments: Experiments };

/** The shortest dependence paths from all relevant steps to the failure. */
export const whys: Stage<Tried, { readonly why: Why }> = {
  name: "whys",
  make: ({ graph, experiments: { omissions, slice } }) => ({
    why: whyOf(
      graph,
      omissions.map(({ condition, reader }) => ({ condition, affects: reader })),
      refusedCall(graph, slice.has),
    ),
  }),
  problems({ why: { paths, root } }) {
    const missed = "missed" in root.failure ? (root.failure.missed ?? []) : [];
    const death = root.death === null ? [] : [root.death];
    const ends = new Set([...root.events.map(({ step }) => step), ...missed, ...death]);
    return paths
      .steps()
      .slice(0, mostWays)
      .filter((step) => !ends.has(paths.path(step).at(-1)?.step ?? step))
      .map((step) => `the way from step ${step} does not end at the failure`);
  },
  print({ graph, why: { paths } }) {
    const lines = paths.steps().map((step) => {
      const way = paths.path(step).map((hop) => `${hop.kind} ${hop.step + 1}`);
      return `${step + 1}: line ${graph.edge(step).range.line}, cost ${paths.cost(step)}: ${way.join(" -> ")}`;
    });
    return `${lines.slice(0, mostWays).join("\n")}\n`;
  },
};

/** Only the nearest paths are inspected. */
const mostWays = 5000;
