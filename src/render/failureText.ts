import { present } from "../base/checked.ts";
import { lineOf } from "../base/sourceFile.ts";
import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import type { ExplanationHead, Failure } from "../commands/explain/result.ts";
import type { OutputDifference } from "../commands/run/result.ts";
import { type Paint, WIDTH, wrapped } from "./layout.ts";
import { type CallLabel, callLabels, oneLine } from "./phrases.ts";
import { shortened } from "./rows.ts";

export type SourceOptions = { readonly paint: Paint; readonly source: (path: string) => string | null };

/** The error, its location, and the failing values. */
export function failureLines(
  failure: Failure,
  { files }: ExplanationHead["program"],
  { paint, source }: SourceOptions,
): readonly string[] {
  const { location, condition, places, stack } = failure;
  const callLabel = callLabels(files, location.file);
  const lines = [...failureHeading(failure, paint)];
  const excerpt = excerptLines(failure, source(condition?.location.file ?? location.file), paint);
  const callers = stack.length > 0 && places.length === 0 ? `called from ${stackPhrase(stack, callLabel)}` : null;
  lines.push(...withCallers(excerpt, callers, paint));
  for (const { what, calls } of places) {
    const path = calls.map(callLabel).join(" <- ");
    lines.push(`   ${paint.dim(what.padEnd(11))} ${path}`);
  }
  return lines;
}

/** The outcome and its location. */
function failureHeading(
  { kind, message, problem, difference, location, function: fn }: Failure,
  paint: Paint,
): readonly string[] {
  const compared = difference === undefined ? [] : comparedLines(difference, paint);
  const label = kind === "condition" ? paint.bold("asked:") : paint.red("error:");
  const [first, ...rest] = wrapped(`error: ${oneLine(problem ?? message)}`, 7);
  const told = [`${label} ${paint.bold(first!.slice(7))}`, ...rest.map((line) => paint.bold(line))];
  const head = compared.length > 0 ? compared : told;
  return [...head, `  ${paint.dim("-->")} ${formatPlace(location)}${fn === undefined ? "" : ` in ${fn}`}`];
}

/** The expected line and the printed one, one above the other, with a mark below the first difference. */
function comparedLines({ expected, found, line, stream }: OutputDifference, paint: Paint): readonly string[] {
  if (expected === null || found === null) return [];
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same++;
  const what = `wrong output in line ${line}${stream === "stdout" ? "" : ` of ${stream}`}:`;
  const margin = " ".repeat("error: ".length + what.length + 1);
  return [
    `${paint.red("error:")} ${paint.bold(what)} ${paint.dim("expected")} ${oneLine(expected)}`,
    `${margin}${paint.dim("printed ")} ${oneLine(found)}`,
    // Without a common start there is nothing to mark.
    ...(same <= 1 ? [] : [`${margin}${" ".repeat("expected ".length + same)}${paint.red("^")}`]),
  ];
}

const mostCalls = 4;

function stackPhrase(stack: Failure["stack"], callLabel: CallLabel): string {
  const shown = stack.slice(0, mostCalls).map(callLabel);
  if (stack.length > shown.length) shown.push("…");
  return shown.join(" <- ");
}

/** Callers go after the failing line if there is room, otherwise before it. */
function withCallers(excerpt: Excerpt, callers: string | null, paint: Paint): readonly string[] {
  const { line, values } = excerpt;
  const all = [...(line === null ? [] : [line.text]), ...values];
  if (callers === null) return all;
  if (line === null || line.width + callersGap.length + callers.length > WIDTH)
    return [`      ${paint.dim(callers)}`, ...all];
  return [`${line.text}${callersGap}${paint.dim(callers)}`, ...values];
}

const callersGap = "    ";

type Excerpt = {
  /** `width` does not count colour codes. */
  readonly line: { readonly text: string; readonly width: number } | null;
  readonly values: readonly string[];
};

/** Room for the values of a part at the end of a line. */
const roomForValues = 12;

/** The failing line, with values below its parts. */
function excerptLines({ location, condition }: Failure, text: string | null, paint: Paint): Excerpt {
  const place = condition?.location ?? location;
  const line = text === null ? undefined : lineOf({ text }, place.line);
  if (line === undefined) return { line: null, values: [] };
  const number = `${place.line}`;
  const shift = line.length - line.trimStart().length;
  const margin = " ".repeat(number.length);
  const room = WIDTH - number.length - 3;
  const marked = (condition?.operands ?? []).flatMap(({ location: at }) =>
    at !== null && isOn(at, place) ? [at] : [],
  );
  const farthest = Math.max(0, ...marked.map(({ endColumn }) => endColumn - 1 - Math.min(shift, 8)));
  const nearest = Math.min(place.column, ...marked.map(({ column }) => column)) - 1;
  // Parts of a long line that lie behind its end are shown, and its start is not.
  const isFar = farthest > room - roomForValues;
  const offset = isFar ? Math.max(Math.min(shift, 8), nearest - 1) : Math.min(shift, 8);
  const rest = `${isFar ? "…" : ""}${line.slice(isFar ? offset + 1 : offset)}`;
  const shown = shortened(rest.replaceAll("\t", " ").trimEnd(), room);
  const first = { text: `${paint.dim(`${number} |`)} ${shown}`, width: number.length + 3 + shown.length };
  const operands = (condition?.operands ?? [])
    .filter(({ location: at }) => at !== null && isOn(at, place))
    .sort((a, b) => present(a.location).column - present(b.location).column)
    .map(({ location: at, value }) => ({
      column: at!.column - 1 - offset,
      mark: "^".repeat(Math.max(1, at!.endColumn - at!.column)),
      value,
    }));
  const values =
    underOneLine(operands.map(({ column, mark, value }) => ({ column, label: `${mark} ${value}` }))) ??
    underOneLine(operands.map(({ column, value }) => ({ column, label: value }))) ??
    operands.map(({ column, mark, value }) => `${" ".repeat(column)}${mark} ${value}`);
  return { line: first, values: values.map((under) => `${paint.dim(`${margin} |`)} ${paint.red(under)}`) };
}

/** Labels in one line, each at its column; null if they would touch. */
function underOneLine(
  labels: readonly { readonly column: number; readonly label: string }[],
): readonly string[] | null {
  let under = "";
  for (const { column, label } of labels) {
    if (under !== "" && under.length >= column) return null;
    under = `${under.padEnd(column)}${label}`;
  }
  return under === "" ? [] : [under];
}

function isOn(range: SourceRange, place: SourceRange): boolean {
  return range.file === place.file && range.line === place.line && range.endLine === place.line;
}
