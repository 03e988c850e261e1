import type { Explained } from "../commands/explain/result.ts";
import { callsOf } from "../recording/callDetails.ts";
import { historyOf, readersOf } from "../recording/history.ts";
import { type MomentValue, statementAt } from "../recording/moment.ts";
import { lastStepOn, stepOfNode } from "../recording/navigate.ts";
import type { OpenRecording } from "../recording/openRecording.ts";
import { describeStep, type Reason, reasonsOfExecution, reasonsOfValue } from "../recording/reasons.ts";
import { fromTheStart, type RecordedFlip } from "../recording/recording.ts";
import { whyNotLine } from "../recording/whyNot.ts";
import { counted } from "./phrases.ts";

/** A line about a recorded run, and how it is known; null if it says nothing about the program. */
export type RecordedLine = { readonly text: string; readonly evidence: "observed" | "re-run" | null };

function observed(text: string): RecordedLine {
  return { text, evidence: "observed" };
}

function heading(text: string): RecordedLine {
  return { text, evidence: null };
}

/** For people: what happened in the run needs no mark. */
export function plainLine({ text, evidence }: RecordedLine): string {
  return evidence === "re-run" ? `${text} (re-run)` : text;
}

const longestStatement = 100;
const longestValue = 60;
const mostValues = 6;
const mostEffects = 5;

export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** `s12`: how questions name a step of a run. */
export function stepName(step: number): string {
  return `s${step}`;
}

/** `cart.ts:12 in total: `sum += price``. */
export function statementText({ recording }: OpenRecording, statement: number): string {
  const found = recording.statements[statement];
  if (found === undefined) return "outside of statements";
  const name = recording.functions[found.function] ?? "";
  const place = `${recording.files[found.file] ?? ""}:${found.at[0]}`;
  return `${place}${name === "" ? "" : ` in ${name}`}: \`${cutText(found.text, longestStatement)}\``;
}

/** `s12 cart.ts:12 in total: `sum += price` sum = 12, read price = 2`. */
export function stepText(open: OpenRecording, step: number): string {
  const { statement, wrote, read } = describeStep(open, step);
  const isOnlyTest = wrote.filter(({ kind }) => kind === "tested").length === 1;
  const all = [
    ...wrote.map((each) => (isOnlyTest || each.kind !== "tested" ? namedValue(each) : testedValue(each))),
    ...read.map((value) => `read ${namedValue(value)}`),
  ];
  const more = all.length > mostValues ? `, and ${all.length - mostValues} more` : "";
  const values = all.length === 0 ? "" : ` ${all.slice(0, mostValues).join(", ")}${more}`;
  return `${stepName(step)} ${statementText(open, statement)}${values}`;
}

export function namedValue({ name, value, kind }: Pick<MomentValue, "name" | "value"> & Partial<MomentValue>): string {
  const shown = cutText(value, longestValue);
  if (kind === "returned") return `returned ${shown}`;
  return kind === "tested" ? `was ${shown}` : `${cutText(name, longestValue)} = ${shown}`;
}

function testedValue({ name, value }: MomentValue): string {
  return `\`${cutText(name, longestValue)}\` was ${value}`;
}

/** Why a step happened, one line for each reason. `isWhole`: the whole statement is asked about, not one value of it. */
export function whyLines(open: OpenRecording, step: number, isWhole: boolean): readonly RecordedLine[] {
  const execution = open.recording.steps.execution[step] ?? -1;
  const reasons = isWhole && execution >= 0 ? reasonsOfExecution(open, execution) : reasonsOfValue(open, step);
  const flip = open.recording.flips.find((each) => each.step === step);
  return [
    observed(stepText(open, step)),
    ...(flip === undefined
      ? []
      : [{ text: `  with the other outcome ${flipTexts[flip.end]}`, evidence: "re-run" } as const]),
    heading(reasons.length === 0 ? "nothing that was recorded led to it" : "because:"),
    ...reasons
      .filter(
        (each) => each.kind !== "identity" || !reasons.some((other) => other.kind === "data" && isSame(each, other)),
      )
      .sort((a, b) => Number(isFunction(a)) - Number(isFunction(b)))
      .map((reason) => observed(`  ${reasonText(open, reason)}`)),
    ...callsOf(open, step).map((call) => observed(`  ${callText(call)}`)),
  ];
}

/** The steps that read what a step wrote. */
export function readerLines(open: OpenRecording, step: number): readonly RecordedLine[] {
  const readers = readersOf(open, step);
  if (readers.length === 0) return [];
  return [heading("read later by:"), ...readers.map((reader) => observed(`  ${stepText(open, reader.step)}`))];
}

/** What leads to a failure at once: of the statement that fails, and what else the explanation names. */
export function whyItFails({ failure, graph, questions }: Explained, open: OpenRecording): readonly RecordedLine[] {
  const { file, line } = failure.location;
  // A wrong output has another step than the last one that writes it.
  const failing = failure.difference === undefined ? lastStepOn(open, failure.location) : null;
  const own = failing === null ? [] : whyLines(open, failing, true);
  const known = failing === null ? [] : reasonsOfExecution(open, open.recording.steps.execution[failing] ?? -1);
  const causes = graph.nodes.toReversed().flatMap(({ steps, next, question }) => {
    const step = stepOfNode(open, steps);
    if (next?.node !== null || step === null || known.some((reason) => isSameExecution(open, reason.step, step)))
      return [];
    return [observed(`  ${questions[question] ?? ""}: ${stepText(open, step)}`)];
  });
  return [
    observed(`fails at ${file}:${line} in ${failure.function}: ${failure.message}`),
    ...(own.length > 0 ? own : [heading(causes.length === 0 ? "the failing statement was not recorded" : "because:")]),
    ...causes,
  ];
}

function isSameExecution({ recording: { steps } }: OpenRecording, a: number, b: number): boolean {
  return a === b || (a >= 0 && (steps.execution[a] ?? -1) >= 0 && steps.execution[a] === steps.execution[b]);
}

const flipTexts: Readonly<Record<RecordedFlip["end"], string>> = {
  same: "the run fails in the same way",
  getsPast: "the run gets past the failure",
  passes: "the run passes",
};

const kindTexts: Readonly<Record<Reason["kind"], string>> = {
  data: "",
  identity: "which place: ",
  omission: "not written, because: ",
  control: "condition: ",
  call: "called by: ",
};

function isSame(a: Reason, b: Reason): boolean {
  return a.step === b.step && a.name === b.name;
}

/** Which function it was that was called says least. */
function isFunction({ value }: Reason): boolean {
  return value.startsWith("function ");
}

function reasonText(open: OpenRecording, { kind, step, name, value }: Reason): string {
  const { steps, places } = open.recording;
  const isResult = step >= 0 && places[steps.place[step] ?? 0]?.kind === "return" && name.startsWith("return ");
  const read =
    name === "" ? "" : `${isResult ? `result ${cutText(value, longestValue)}` : namedValue({ name, value })} `;
  if (step < 0) {
    const since = step === fromTheStart ? "it was so from the start" : "written before what is recorded";
    return `${kindTexts[kind]}${read}(${since})`;
  }
  return `${kindTexts[kind]}${read}${read === "" || kind === "omission" ? "" : "from "}${stepText(open, step)}`;
}

function callText({ function: name, first, last, arguments: given, result, effects, left }: CallOf): string {
  const changed = effects.slice(0, mostEffects).map((each) => `${namedValue(each)} at ${stepName(each.step)}`);
  const more = effects.length + left - changed.length;
  return [
    `it called ${name}(${given.map((each) => namedValue(each)).join(", ")})`,
    ...(result === null ? [] : [`which returned ${cutText(result.value, longestValue)} at ${stepName(result.step)}`]),
    ...(changed.length === 0 ? [] : [`and changed ${changed.join(", ")}`]),
    ...(more > 0 ? [`and ${more} more`] : []),
    `(${stepName(first)} to ${stepName(last)})`,
  ].join(" ");
}

type CallOf = ReturnType<typeof callsOf>[number];

/** Why a line was not executed; of an executed line, how often it was. */
export function whyNotLines(open: OpenRecording, file: number, line: number, near: number): readonly RecordedLine[] {
  const place = `${open.recording.files[file]}:${line}`;
  const found = whyNotLine(open, file, line, near);
  switch (found.kind) {
    case "executed":
      return [observed(`${place} was executed ${counted(found.times, "time")}, first at ${stepName(found.step)}`)];
    case "noStatement":
      return [heading(`${place} has no statement that could be executed in this run`)];
    case "condition":
      return [
        observed(`${place} was not executed: a condition led past it`),
        observed(`  ${stepText(open, found.step)}`),
      ];
    case "left":
      return [
        observed(`${place} was not executed: the run left before, at`),
        observed(`  ${stepText(open, found.step)}`),
      ];
    case "neverCalled":
      return [
        observed(`${place} was not executed: ${open.recording.functions[found.function]} was never called`),
        heading(
          found.callers.length === 0 ? "no statement of the recorded files calls it by name" : "it is called at:",
        ),
        ...found.callers.map((statement) => heading(`  ${statementText(open, statement)}`)),
      ];
  }
}

/** All values of a cell, with the statements that wrote them. */
export function historyLines(open: OpenRecording, cell: number, most: number): readonly RecordedLine[] {
  const { name, points, writes } = historyOf(open, cell, most);
  const left = writes - points.length;
  return [
    observed(`${name} was written ${counted(writes, "time")}`),
    ...points.map(({ step, value }, i) => {
      const statement = statementAt(open, step);
      const before = points[i - 1];
      // The same statement is not told again and again.
      const isSame = before !== undefined && statementAt(open, before.step) === statement;
      const shown = value === "" ? "a value that is not known" : cutText(value, 80);
      return observed(`  ${stepName(step)} ${name} = ${shown}${isSame ? "" : `, ${statementText(open, statement)}`}`);
    }),
    ...(left > 0 ? [heading(`${counted(left, "write")} between them are left out evenly`)] : []),
  ];
}
