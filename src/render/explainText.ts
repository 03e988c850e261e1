import { present } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import { lineOf } from "../base/sourceFile.ts";
import { formatPlace, type SourceRange } from "../base/sourceRange.ts";
import type { Explained, Explanation, ExplanationHead, Failure, Reproducer } from "../commands/explain/result.ts";
import type { OutputDifference } from "../commands/run/result.ts";
import { isSameNumber } from "../interpreter/expected.ts";
import { type Screen, screenOf } from "./chooseRows.ts";
import { type Paint, plain, shortened, WIDTH, wrapped } from "./layout.ts";
import {
  bytesPhrase,
  type CallLabel,
  callLabels,
  claimMark,
  counted,
  inputsPhrase,
  oneLine,
  proofFailureLines,
  proofPhrase,
  testsLines,
  testsPhrase,
} from "./phrases.ts";
import { alsoSuspects, changeLines, sectionText } from "./rows.ts";

export type WhyTextOptions = {
  readonly paint: Paint;
  readonly source: (path: string) => string | null;
  /** True to print the notes instead of their number. */
  readonly verbose?: boolean;
  readonly all?: boolean;
};

/** Prints an explanation: the failure with its values, then the causes in the order of the run. */
export function explainText(explanation: Explanation, options: WhyTextOptions): string {
  const lines = linesOf(explanation, options);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function linesOf(explanation: Explanation, options: WhyTextOptions): readonly string[] {
  const { paint } = options;
  switch (explanation.kind) {
    case "explained":
      return explainedLines(explanation, options);
    case "doesNotFail": {
      const { outcome, tests } = explanation;
      if (tests?.list.every(({ passes }) => passes)) {
        return [`${paint.green(testsPhrase(tests.list))}: there is nothing to explain.`];
      }
      const place = outcome.location === null ? "" : `${paint.bold(formatPlace(outcome.location))}: `;
      return [
        `${place}${paint.green(outcome.message)}`,
        "This run does not fail: there is nothing to explain.",
        ...testsLines(tests),
        `${paint.dim("help:")} --target 'x == 7 @ file.c:12' explains why a condition holds at a line`,
        `inputs: ${inputsPhrase(explanation.inputs)}`,
        `trace: ${counted(explanation.trace.steps, "step")}`,
      ];
    }
    case "notExplained":
    case "interrupted":
      return [
        ...(explanation.failure === null ? [] : failureLines(explanation.failure, explanation.program, options)),
        ...explanation.unknowns.flatMap((unknown) => [...unknownLines(unknown, paint), `  ${unknown.help}`]),
        `inputs: ${inputsPhrase(explanation.inputs)}`,
        `trace: ${counted(explanation.trace.steps, "step")}`,
      ];
    default:
      return assertNever(explanation, "explanation");
  }
}

function explainedLines(explanation: Explained, options: WhyTextOptions): readonly string[] {
  const screen = screenOf(explanation, { all: options.all ?? false });
  const sections = screen.sections.map((section) => sectionText(section, explanation, options.paint));
  const untold = sections.flatMap((section) => section.untold);
  // The change of a first suspect without a row is still printed.
  const isShown = screen.sections.some(({ rows }) => rows.some(({ suspect }) => suspect === 0));
  if (!isShown && explanation.suspects[0]?.whatIfs[0]?.kind === "change") untold.unshift(0);
  return [
    ...failureLines(explanation.failure, explanation.program, options),
    ...sections.flatMap(({ lines }) => lines),
    ...changeLines(explanation, untold, options),
    ...alsoSuspects(explanation, screen.also).lines.map((line) => options.paint.dim(line)),
    ...closingLines(explanation, screen, options),
  ];
}

/** The error, its location, and the failing values. */
function failureLines(
  failure: Failure,
  { files }: ExplanationHead["program"],
  { paint, source }: WhyTextOptions,
): readonly string[] {
  const { location, condition, places, stack, declaration } = failure;
  const callLabel = callLabels(files, location.file);
  const lines = [...failureHeading(failure, paint)];
  const excerpt = excerptLines(failure, source(condition?.location.file ?? location.file), paint);
  const callers = stack.length > 0 && places.length === 0 ? `called from ${stackPhrase(stack, callLabel)}` : null;
  lines.push(...withCallers(excerpt, callers, paint));
  if (declaration !== undefined)
    lines.push(...declarationLines(declaration, condition?.location ?? location, source, paint));
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
function comparedLines({ expected, found, line, stream, lines }: OutputDifference, paint: Paint): readonly string[] {
  if (lines !== undefined) return [`${paint.red("error:")} ${paint.bold(changedLines(lines, line, expected, found))}`];
  if (expected === null || found === null) return [];
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same++;
  const what = `${howDifferent(expected, found)} line ${line}${stream === "stdout" ? "" : ` of ${stream}`}:`;
  const margin = " ".repeat("error: ".length + what.length + 1);
  return [
    `${paint.red("error:")} ${paint.bold(what)} ${paint.dim("expected")} ${oneLine(expected)}`,
    `${margin}${paint.dim("printed ")} ${oneLine(found)}`,
    // Without a common start there is nothing to mark.
    ...(same <= 1 ? [] : [`${margin}${" ".repeat("expected ".length + same)}${paint.red("^")}`]),
  ];
}

/** `line 2 is missing: "b"`; `2 extra lines from line 3 on: "c"`. */
function changedLines(
  { kind, count }: NonNullable<OutputDifference["lines"]>,
  line: number,
  expected: string | null,
  found: string | null,
): string {
  const text = oneLine((kind === "missing" ? expected : found) ?? "");
  if (kind === "extra")
    return `${count === 1 ? `line ${line} is extra` : `${count} extra lines from line ${line} on`}: ${text}`;
  return `${count === 1 ? `line ${line} is` : `lines ${line} to ${line + count - 1} are`} missing: ${text}`;
}

/** A missing line end, or the right number in another form (`1.000000` for `1`), is told as such. */
function howDifferent(expected: string, found: string): string {
  if (expected === `${found.slice(0, -1)}\\n"`) return "no line end after";
  const words = (quoted: string) => quoted.slice(1, -1).replace(/\\n$/, "").split(/\s+/);
  const [wanted, printed] = [words(expected), words(found)];
  const at = wanted.findIndex((word, i) => word !== printed[i]);
  const isSame = isSameNumber(wanted[at] ?? null, printed[at] ?? null);
  return isSame ? "the right number in another form in" : "wrong output in";
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

/** The line that declares the array which is too small. */
function declarationLines(
  declaration: SourceRange,
  { file: shownFile, line: shownLine }: SourceRange,
  source: WhyTextOptions["source"],
  paint: Paint,
): readonly string[] {
  const { file, line } = declaration;
  const width = `${shownLine}`.length;
  const text = source(file);
  const declared = text === null ? undefined : lineOf({ text }, line);
  if (declared === undefined) return [];
  const label = file === shownFile ? `${`${line}`.padStart(width)} |` : `${formatPlace(declaration)}:`;
  const remark = "    declared here";
  return [
    `${paint.dim(label)} ${shortened(oneLine(declared.trim()), WIDTH - label.length - 1 - remark.length)}${remark}`,
  ];
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

function closingLines(explanation: Explained, screen: Screen, { paint, verbose }: WhyTextOptions): readonly string[] {
  const { failure, inputs, inputCondition, reproducer, notes, unknowns, trace, proof } = explanation;
  const lines: string[] = [];
  if (failure.printed !== null && printedSaysMore(failure, failure.printed))
    lines.push(`printed: ${oneLine(failure.printed).slice(0, WIDTH - 9)}`);
  if (inputs.length > 0) lines.push(...wrapped(`inputs: ${inputsPhrase(inputs)}`, 8));
  // A proof about all bytes together says more than conditions on single bytes.
  const isProvedOfBytes =
    inputCondition?.bytes !== undefined && inputCondition.claims === "total" && inputCondition.proved;
  if (inputCondition !== null && (inputs.length > 0 || isProvedOfBytes) && inputCondition.text !== "") {
    lines.push(...wrapped(`when:   ${inputCondition.text}${claimMark(inputCondition, paint)}`, 8));
  }
  const isReplayed = reproducer !== null && saysMore(reproducer.command, inputs.length, reproducer.steps < trace.steps);
  // The command contains a standard input, too.
  if (reproducer?.stdin !== undefined && !(isReplayed && reproducer.command.startsWith("printf ")))
    lines.push(`smallest input that fails: ${inputPhrase(reproducer)}`);
  if (reproducer?.bytes !== undefined && !isProvedOfBytes)
    lines.push(...atMost(wrapped(`when:   ${bytesPhrase(reproducer.bytes)}`, 8), mostWhenLines));
  if (isReplayed) {
    lines.push(`replay: ${paint.bold(reproducer.command)}  ${paint.dim(`(${counted(reproducer.steps, "step")})`)}`);
  }
  lines.push(...otherFailureLines(explanation), ...testsLines(explanation.tests, explanation.suspects));
  for (const unknown of unknowns) lines.push(...unknownLines(unknown, paint));
  if (verbose)
    for (const { message, location } of notes)
      lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  const failures = proof.failures.filter(({ answer }) => verbose || answer !== "unknown");
  const size = sizeLines(explanation, screen, { paint, verbose: verbose ?? false });
  return [...lines, ...size, ...proofFailureLines(failures)];
}

/** Conditions on many single bytes are in the JSON. */
const mostWhenLines = 2;

/** The first lines; dots stand for the others. */
function atMost(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return lines.slice(0, most).map((line, i) => (i < most - 1 ? line : `${shortened(line, WIDTH - 2)} …`));
}

/** One line with the omitted and the proved parts, shortened if necessary. */
function sizeLines(
  explanation: Explained,
  { cut, sections }: Screen,
  { paint, verbose }: SizeOptions,
): readonly string[] {
  const { notes, trace } = explanation;
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  const parts = (isShort: boolean, by: string, colours: Paint) => {
    // The JSON names the checker.
    const proof = verdictText(explanation, isShort, colours);
    return [
      `${counted(trace.steps, "step")} -> ${counted(rows, "line")}`,
      ...(cut === 0 ? [] : [`${cut.toLocaleString("en-US")} more${by} --all`]),
      proof,
      ...(notes.length === 0 || verbose ? [] : [`${counted(notes.length, "note")}${by} --verbose`]),
    ].join("; ");
  };
  if (parts(false, " with", plain).length <= WIDTH) return [parts(false, " with", paint)];
  if (parts(true, ":", plain).length <= WIDTH) return [parts(true, ":", paint)];
  return wrapped(parts(true, ":", paint), 2);
}

type SizeOptions = Pick<Required<WhyTextOptions>, "paint" | "verbose">;

/** Other failures that the search saw: the first one described, the others counted. */
function otherFailureLines({ otherFailures = [] }: Explained): readonly string[] {
  const [first] = otherFailures;
  if (first === undefined) return [];
  const place = first.location === null ? "" : ` at ${formatPlace(first.location)}`;
  const example = `${oneLine(first.message)}${place}`;
  return wrapped(`other inputs: ${counted(otherFailures.length, "other failure")} seen, as ${example}`, 14);
}

/** True if the printed line says more than the assertion with its values: `n = 3` beside `assert(n == 4)` does not. */
function printedSaysMore({ condition, difference }: Failure, printed: string): boolean {
  // The head has the wrong line.
  if (difference?.found?.includes(JSON.stringify(printed.trimEnd()).slice(1, -1))) return false;
  const words = printed.match(/[^\s"'=:;,()[\]]+/g) ?? [];
  const known = new Set(
    (condition?.operands ?? []).flatMap(({ text, value }) => [text, value, value.replace(/^["'](.*)["']$/s, "$1")]),
  );
  return words.some((word) => !known.has(word));
}

function inputPhrase({ stdin = "", arguments: args = [] }: Reproducer): string {
  const words = args.map((arg) => JSON.stringify(arg)).join(" ");
  if (stdin === "" && args.length > 0) return `arguments ${words}`;
  return `${JSON.stringify(stdin)}${args.length === 0 ? "" : ` with arguments ${words}`}`;
}

/** False for a command that is just the program's name. */
function saysMore(command: string, inputs: number, isShorter: boolean): boolean {
  return inputs > 0 || isShorter || / -/.test(command);
}

/** Says that it is proved, or what is not. */
function verdictText(
  { proof, missing, unknowns, outcome, argument, graph }: Explained,
  isShort: boolean,
  paint: Paint,
): string {
  // A run in its own runtime has no proof.
  if (graph.source === "recording") return missing.map(({ reason }) => reason).join("; ");
  const phrase = proofPhrase(proof, "condition", paint, isShort);
  // A cancelled proof gets its own line.
  const [first] = unknowns.length > 0 ? [] : missing;
  if (proof.triples === 0 && outcome.kind === "limit") return "observed, not proved";
  if (first === undefined) return phrase;
  if (first.kind === "proof") return paint.yellow(first.reason);
  const reason = first.kind === "time" ? "out of time" : first.reason;
  // Loop invariants alone do not prove how the run ends.
  const isOpen = proof.triples === 0 || (argument === null && proof.failures.length === 0);
  return isOpen ? paint.yellow(`not proved: ${reason}`) : `${phrase}; ${paint.yellow(reason)}`;
}

function unknownLines({ reason, where }: Explained["unknowns"][number], paint: Paint): readonly string[] {
  const [first, ...rest] = wrapped(`unknown: ${where === null ? "" : `${formatPlace(where)}: `}${reason}`, 2);
  return [`${paint.yellow("unknown:")}${first!.slice("unknown:".length)}`, ...rest];
}
