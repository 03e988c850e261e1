import type { Experiments } from "../../../analyses/counterfactual/experiments.ts";
import type { TracefoldError } from "../../../base/errors.ts";
import type { Trace } from "../../../interpreter/trace.ts";
import type { SmallestText } from "../../../search/shrink.ts";
import type { About } from "../../common/result.ts";
import { describeObserved, describeProved, describeUnproved } from "../describeProof.ts";
import { joinExplanation } from "../joinExplanation.ts";
import type { ExplainedRun } from "../proveExplanation.ts";
import type { Explanation, Reproducer } from "../result.ts";
import { blockNames } from "../why/memoryAtSteps.ts";
import type { Why } from "../why/whyGraph.ts";
import { describeText, type TextOfRun } from "./smallestRun.ts";
import type { Stage } from "./stage.ts";

/** The result of the logic stages, or the reason why there is none. */
export type Logic =
  | { readonly kind: "run"; readonly run: ExplainedRun }
  | { readonly kind: "none"; readonly error: TracefoldError }
  | { readonly kind: "notRequested" };

export type ExplanationAbout = About & {
  /**
   * Builds the command that runs the program with these inputs and, if given, another standard input and other
   * arguments.
   */
  replay(inputs: readonly string[], text?: SmallestText): string;
};

type Given = {
  readonly trace: Trace;
  readonly experiments: Experiments;
  readonly why: Why;
  readonly logic: Logic;
  readonly text: TextOfRun | null;
  readonly about: () => ExplanationAbout;
};

function textReproducer(text: TextOfRun, about: ExplanationAbout): Reproducer {
  return {
    inputs: [],
    ...describeText(text),
    command: about.replay([], text),
    steps: text.steps,
    confirmed: text.confirmed,
    ...(text.bytes.length === 0 ? {} : { bytes: text.bytes }),
  };
}

/** Puts all results into the words of the source. */
export const explanation: Stage<Given, { readonly explanation: Explanation }> = {
  name: "explanation",
  make({ trace, why, experiments, logic, text, about: tell }) {
    const about = tell();
    const proved = logic.kind === "run" ? logic.run : null;
    const described =
      logic.kind === "run"
        ? describeProved(logic.run, about.replay, blockNames(why.graph))
        : logic.kind === "none"
          ? describeUnproved(logic.error, trace)
          : describeObserved(trace, logic.kind);
    const part = text === null ? described : { ...described, reproducer: textReproducer(text, about) };
    return { explanation: joinExplanation(trace, tell(), why, experiments.suspects, proved, part) };
  },
  problems({ trace, explanation: made }) {
    if (made.kind !== "explained") return [];
    const { graph, suspects, questions } = made;
    const lines = new Map(trace.program.files.map(({ path, text }) => [path, text.split("\n").length]));
    const isNode = (id: number | null) => id === null || graph.nodes[id]?.id === id;
    return [
      ...graph.nodes.flatMap(({ id, location, next, calledBy, question, steps }, i) => [
        ...(id === i ? [] : [`node ${id} stands at ${i}`]),
        ...(location.line <= (lines.get(location.file) ?? 0) ? [] : [`node ${id} is at no line of the program`]),
        ...(isNode(next?.node ?? null) && isNode(calledBy) ? [] : [`node ${id} leads to no node`]),
        ...(question < questions.length ? [] : [`node ${id} answers no question`]),
        ...(steps.every((step) => step >= 1 && step <= trace.steps + 1) ? [] : [`node ${id} is no step of the run`]),
      ]),
      ...graph.edges.flatMap(({ from, to }) => (isNode(from) && isNode(to) ? [] : [`an edge from ${from} to ${to}`])),
      ...suspects.flatMap(({ node, way }) =>
        isNode(node) && (way ?? []).every(isNode) ? [] : [`a suspect is at no node ${node}`],
      ),
    ];
  },
  print: ({ explanation: made }) => `${JSON.stringify(made, null, 2)}\n`,
};
