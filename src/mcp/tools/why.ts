import type { Explained } from "../../commands/explain/result.ts";
import { callsOf } from "../../recording/callDetails.ts";
import { readersOf } from "../../recording/history.ts";
import { stepOfNode } from "../../recording/navigate.ts";
import type { OpenRecording } from "../../recording/openRecording.ts";
import { type Reason, reasonsOf, reasonsOfExecution } from "../../recording/reasons.ts";
import { fromTheStart } from "../../recording/recording.ts";
import { whyNotLine } from "../../recording/whyNot.ts";
import { claim, line } from "../answer.ts";
import { fileOf, recordingOfRun, stepOf } from "../findStep.ts";
import { callError, requiredWord, truth, wholeNumber, word } from "../parameters.ts";
import { cut, placeOf, statementText, stepId, stepText, valueText } from "../places.ts";
import { tool } from "../tool.ts";

const parameters = {
  run: requiredWord(""),
  step: word("s12"),
  file: word(""),
  line: wholeNumber(""),
  variable: word("as in the source: x, a[2], this.total"),
  not: truth("why was the line not executed?"),
} as const;

export const whyTool = tool({
  name: "why",
  description:
    "Why did a step of an open run happen: what it read and who wrote that, the condition or call that led there, what its calls returned. Name a step, a line, or a variable (its last write before the step, line, or failure). With not: why a line was not executed.",
  parameters,
  onlyReads: true,
  async answer(given, session) {
    const run = session.runs.get(given.run);
    const open = recordingOfRun(given.run, run);
    const { explanation } = run;
    const isFailure = given.step === null && given.line === null && given.variable === null;
    if (!given.not && isFailure && explanation.kind === "explained") return { lines: failureLines(explanation, open) };
    if (!given.not) {
      const step = stepOf(session, open, run, given);
      return { lines: whyLines(open, step, given.step === null && given.variable === null) };
    }
    if (given.line === null) throw callError('"not" needs a line', "Give the line that was not executed.");
    const near = stepOf(session, open, run, { ...given, line: null, variable: null });
    return { lines: whyNotLines(open, fileOf(session, open, given.file), given.line, near) };
  },
});

/** What leads to the failure at once. */
function failureLines({ failure, graph }: Explained, open: OpenRecording): readonly string[] {
  const causes = graph.nodes.flatMap(({ steps, next }) => {
    const step = stepOfNode(open, steps);
    return next?.node === null && step !== null ? [{ step, kind: next.edge }] : [];
  });
  return [
    claim(`fails at ${placeOf(failure.location)} in ${failure.function}: ${failure.message}`, "observed"),
    causes.length === 0 ? "nothing that was recorded led to it" : "because:",
    ...causes.toReversed().map(({ step, kind }) => claim(` ${kindTexts[kind]}${stepText(open, step)}`, "observed")),
  ];
}

/** `isWhole`: the whole statement was asked about, not one value of it. */
function whyLines(open: OpenRecording, step: number, isWhole: boolean): readonly string[] {
  const execution = open.recording.steps.execution[step] ?? -1;
  const reasons = isWhole && execution >= 0 ? reasonsOfExecution(open, execution) : reasonsOf(open, step);
  const flip = open.recording.flips.find((each) => each.step === step);
  const readers = readersOf(open, step);
  return [
    claim(stepText(open, step), "observed"),
    ...(flip === undefined ? [] : [claim(` with the other outcome ${flipTexts[flip.end]}`, "re-run")]),
    reasons.length === 0 ? "nothing that was recorded led to it" : "because:",
    ...reasons.map((reason) => claim(` ${reasonText(open, reason)}`, "observed")),
    ...callsOf(open, step).map((call) => claim(` ${callText(call)}`, "observed")),
    ...(readers.length === 0 ? [] : ["read later by:"]),
    ...readers.map((reader) => claim(` ${stepText(open, reader.step)}`, "observed")),
  ];
}

const flipTexts = {
  same: "the run fails in the same way",
  getsPast: "the run gets past the failure",
  passes: "the run passes",
} as const;

const kindTexts: Readonly<Record<Reason["kind"], string>> = {
  data: "",
  identity: "which one: ",
  omission: "not written, because: ",
  control: "condition: ",
  call: "called by: ",
};

function reasonText(open: OpenRecording, { kind, step, name, value }: Reason): string {
  const read = name === "" ? "" : `${valueText({ name, value })} `;
  if (step < 0) {
    const since = step === fromTheStart ? "it was so from the start" : "written before what is recorded";
    return `${kindTexts[kind]}${read}(${since})`;
  }
  return `${kindTexts[kind]}${read}${kind === "data" && read !== "" ? "from " : ""}${stepText(open, step)}`;
}

const mostEffects = 5;

function callText({ function: name, first, last, arguments: given, result, effects, left }: CallOf): string {
  const parts = [
    `it called ${name}(${given.map((each) => valueText(each)).join(", ")})`,
    ...(result === null ? [] : [`which returned ${cut(result.value, 60)} at ${stepId(result.step)}`]),
    ...(effects.length === 0
      ? []
      : [
          `and changed ${effects
            .slice(0, mostEffects)
            .map((each) => `${valueText(each)} at ${stepId(each.step)}`)
            .join(", ")}`,
        ]),
    ...(effects.length + left > mostEffects ? [`and ${effects.length + left - mostEffects} more`] : []),
    `(${stepId(first)} to ${stepId(last)})`,
  ];
  return parts.join(" ");
}

type CallOf = ReturnType<typeof callsOf>[number];

function whyNotLines(open: OpenRecording, file: number, number: number, near: number): readonly string[] {
  const place = `${open.recording.files[file]}:${number}`;
  const found = whyNotLine(open, file, number, near);
  switch (found.kind) {
    case "executed":
      return [claim(`${place} was executed ${found.times} times, first at ${stepId(found.step)}`, "observed")];
    case "noStatement":
      return [line(`${place} has no statement that could be executed in this run`)];
    case "condition":
      return [
        claim(`${place} was not executed: a condition led past it`, "observed"),
        claim(` ${stepText(open, found.step)}`, "observed"),
      ];
    case "left":
      return [
        claim(`${place} was not executed: the run left before, at`, "observed"),
        claim(` ${stepText(open, found.step)}`, "observed"),
      ];
    case "neverCalled":
      return [
        claim(`${place} was not executed: ${open.recording.functions[found.function]} was never called`, "observed"),
        ...(found.callers.length === 0
          ? ["no statement of the recorded files calls it by name"]
          : ["it is called at:"]),
        ...found.callers.map((statement) => line(` ${statementText(open, statement)}`)),
      ];
  }
}
