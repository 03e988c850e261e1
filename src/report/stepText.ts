import { lineCount } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { distinctEnds } from "../base/text.ts";
import type { RunStep } from "../jobs/run/runReport.ts";
import type { Paint } from "./paint.ts";

const OPERATION_WIDTH = 40;

/** One step of a trace: `    12  15  sent = sent + 1     // 3`: number, place, operation indented by call depth, value. */
export function stepText({ step, depth, text, value, location }: RunStep, place: PlaceText, paint: Paint): string {
  const operation = "  ".repeat(Math.min(depth, 20)) + text;
  const result = value === undefined ? operation : `${operation.padEnd(OPERATION_WIDTH)}  ${paint.cyan(`// ${value}`)}`;
  return `${paint.dim(`${String(step).padStart(6)}  ${place(location)}`)}  ${result}`;
}

export type PlaceText = (location: SourceRange) => string;

/** The line alone where a program has one file, else with the file's name; blank for what no file contains. */
export function placeText(files: readonly { readonly path: string; readonly text: string }[]): PlaceText {
  const ends = distinctEnds(files.map(({ path }) => path));
  const names = new Map(files.map(({ path }, i) => [path, files.length > 1 ? `${ends[i]}:` : ""]));
  const digits = Math.max(...files.map((file) => `${lineCount(file)}`.length), 1);
  const width = Math.max(...[...names.values()].map((name) => name.length), 0) + digits;
  return ({ file, line }) => (names.has(file) ? `${names.get(file)}${line}` : "").padStart(width);
}
