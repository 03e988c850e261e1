import type { Experiments } from "../../analyses/counterfactual/experiments.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Stage } from "../stage.ts";
import { type Why, whyOf } from "../why/whyExplanation.ts";

type Given = { readonly graph: DependenceGraph; readonly experiments: Experiments };

/** The ways of dependences from everything that mattered to the failure. */
export const whys: Stage<Given, { readonly why: Why }> = {
  name: "whys",
  make: ({ graph, experiments: { omissions } }) => ({
    why: whyOf(
      graph,
      omissions.map(({ condition, reader }) => ({ condition, affects: reader })),
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

/** The nearest ones are looked at. */
const mostWays = 5000;
