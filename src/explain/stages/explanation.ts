import type { Experiments } from "../../analyses/counterfactual/experiments.ts";
import type { TracefoldError } from "../../base/errors.ts";
import { lineCount } from "../../base/sourceFile.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { SmallestText } from "../../search/shrinkText.ts";
import { describeExplanation } from "../describeExplanation.ts";
import { describeText } from "../describeText.ts";
import { describeUnexplained } from "../describeUnfailing.ts";
import type { ExplainedRun } from "../explainRun.ts";
import type { Explanation, Reproducer } from "../explanation.ts";
import { joinExplanation } from "../joinExplanation.ts";
import type { Stage } from "../stage.ts";
import { blockNames } from "../why/heapName.ts";
import { planScreen } from "../why/screen.ts";
import { tellWhy, type Why } from "../why/whyExplanation.ts";
import type { TextOfRun } from "./smallestText.ts";

/** What logic says; what no formula stands for is left to the recording. */
export type Logic =
  | { readonly kind: "run"; readonly run: ExplainedRun }
  | { readonly kind: "none"; readonly error: TracefoldError };

export type About = {
  readonly version: string;
  readonly ms: number;
  /** The command that runs the program with these inputs and, where given, with another standard input and other arguments. */
  replay(inputs: readonly string[], text?: SmallestText): string;
};

type Given = {
  readonly trace: Trace;
  readonly experiments: Experiments;
  readonly why: Why;
  readonly logic: Logic;
  readonly text: TextOfRun | null;
  /** `all`: everything that was found, not only what fits on a screen. */
  readonly options: { readonly all?: boolean };
  readonly about: () => About;
};

function textReproducer(text: TextOfRun, about: About): Reproducer {
  return {
    inputs: [],
    ...describeText(text),
    command: about.replay([], text),
    steps: text.steps,
    confirmed: text.confirmed,
    ...(text.bytes.length === 0 ? {} : { bytes: text.bytes }),
  };
}

/** What is shown, in the words of the source. */
export const explanation: Stage<Given, { readonly explanation: Explanation }> = {
  name: "explanation",
  make({ trace, why, experiments, logic, text, options, about }) {
    const screen = planScreen(why, experiments.suspects, options.all ?? false);
    const told = tellWhy(why, screen.wishes, screen.mostLines);
    const described =
      logic.kind === "run"
        ? describeExplanation(logic.run, about(), blockNames(why.graph))
        : describeUnexplained(trace, about(), logic.error);
    const report = text === null ? described : { ...described, reproducer: textReproducer(text, about()) };
    const proved = logic.kind === "run" ? logic.run : null;
    return { explanation: joinExplanation(trace, told, screen, proved, report) };
  },
  problems({ trace, explanation: made }) {
    if (made.kind !== "explained") return [];
    const { sections, suspects } = made;
    const rows = sections.flatMap((section) => section.rows);
    const ids = new Set(rows.map(({ id }) => id));
    const lines = new Map(trace.program.files.map((file) => [file.path, lineCount(file)]));
    return [
      ...(ids.size === rows.length ? [] : ["two rows have the same number"]),
      ...rows.flatMap(({ id, location, because, suspect, step }) => [
        ...(location.line <= (lines.get(location.file) ?? 0) ? [] : [`row ${id} is at no line of the program`]),
        ...(because.every((each) => each.for === null || ids.has(each.for)) ? [] : [`row ${id} leads to no row`]),
        ...(suspect === null || suspect < suspects.length ? [] : [`row ${id} shows no suspect`]),
        ...(step >= 1 && step <= trace.steps + 1 ? [] : [`row ${id} is no step of the run`]),
      ]),
      ...suspects.flatMap(({ row }) => (row === null || ids.has(row) ? [] : [`no row ${row} shows a suspect`])),
    ];
  },
  print: ({ explanation: made }) => `${JSON.stringify(made, null, 2)}\n`,
};
