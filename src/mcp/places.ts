import type { SourceRange } from "../base/sourceRange.ts";
import { cellName, type MomentValue, statementAt } from "../recording/moment.ts";
import type { OpenRecording } from "../recording/openRecording.ts";
import { describeStep } from "../recording/reasons.ts";

/** `cart.ts:12`. */
export function placeOf({ file, line }: Pick<SourceRange, "file" | "line">): string {
  return `${file}:${line}`;
}

/** `s12`: how the client names a step of a run. */
export function stepId(step: number): string {
  return `s${step}`;
}

const longestStatement = 100;
const longestValue = 60;

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** `cart.ts:12 in total: `sum += price``. */
export function statementText({ recording }: OpenRecording, statement: number): string {
  const found = recording.statements[statement];
  if (found === undefined) return "outside of statements";
  const { file, at, text, function: fn } = found;
  const name = recording.functions[fn] ?? "";
  return `${recording.files[file] ?? ""}:${at[0]}${name === "" ? "" : ` in ${name}`}: \`${cut(text, longestStatement)}\``;
}

/** `s12 cart.ts:12 in total: `sum += price` sum = 12, read price = 2`. */
export function stepText(open: OpenRecording, step: number): string {
  const { statement, wrote, read } = describeStep(open, step);
  const own = statementAt(open, step);
  const values = valuesText(wrote, read);
  return `${stepId(step)} ${statementText(open, statement >= 0 ? statement : own)}${values === "" ? "" : ` ${values}`}`;
}

const mostValues = 6;

function valuesText(wrote: readonly MomentValue[], read: readonly MomentValue[]): string {
  const all = [
    ...wrote.map((value) => (value.kind === "tested" ? testedText(value) : valueText(value))),
    ...read.map((value) => `read ${valueText(value)}`),
  ];
  const left = all.length - mostValues;
  return `${all.slice(0, mostValues).join(", ")}${left > 0 ? `, and ${left} more` : ""}`;
}

function testedText({ value }: MomentValue): string {
  return value === "true" || value === "false" ? `was ${value}` : `was ${cut(value, longestValue)}`;
}

export function valueText({ name, value, kind }: Pick<MomentValue, "name" | "value"> & Partial<MomentValue>): string {
  const shown = cut(value, longestValue);
  return kind === "returned" ? `returned ${shown}` : `${cut(name, longestValue)} = ${shown}`;
}

/** The cells that have a name, in the order in which they were first written. */
export function cellsNamed(open: OpenRecording, name: string): readonly number[] {
  const { cells } = open.recording;
  const found = cells.flatMap((each, cell) => (each === name ? [cell] : []));
  return found.filter((cell) => open.writesOf(cell).length > 0);
}

/** The cell that a step wrote; null if it wrote none. */
export function cellOfStep({ recording }: OpenRecording, step: number): number | null {
  const cell = recording.steps.cell[step] ?? 0;
  return cell === 0 || cellName(recording, step) === "" ? null : cell;
}
