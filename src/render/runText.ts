import { formatPlace } from "../base/sourceRange.ts";
import type { RunOutcome, RunReport, TestsReport } from "../commands/run/result.ts";
import { excerpt, type Paint } from "./layout.ts";
import { counted, inputsPhrase, oneLine, testsPhrase } from "./phrases.ts";

export type RunTextOptions = {
  readonly paint: Paint;
  readonly source: (path: string) => string | null;
};

/**
 * The report of a run:
 *
 *   counters.c:15:3: assertion failed: sent == received
 *     15 |   assert(sent == received);
 *        |   ^^^^^^^^^^^^^^^^^^^^^^^^
 *   inputs: 12
 *   trace: 63 steps
 */
export function runText(report: RunReport, options: RunTextOptions): string {
  const { paint } = options;
  const lines = [...outcomeLines(report.outcome, options)];
  for (const { message, location } of report.notes) {
    lines.push(`${paint.dim("note:")} ${formatPlace(location)}: ${oneLine(message)}`);
  }
  lines.push(`inputs: ${inputsPhrase(report.inputs)}`);
  lines.push(`trace: ${counted(report.trace.steps, "step")}`);
  for (const { help } of report.unknowns) lines.push(`${paint.dim("help:")} ${help}`);
  return `${lines.join("\n")}\n`;
}

/**
 * The table of a run of tests:
 *
 *   pass  empty      12 steps
 *   FAIL  three      40 steps  wrong output: line 1 of the output is "2", expected "3" (column 1)
 *   1 of 2 tests passes
 */
export function testsText({ tests }: TestsReport, { paint }: Pick<RunTextOptions, "paint">): string {
  const names = tests.map(({ name }) => oneLine(name));
  const steps = tests.map((test) => counted(test.steps, "step"));
  const [nameWidth, stepWidth] = [widest(names), widest(steps)];
  const lines = tests.map(({ passes, outcome }, i) => {
    const head = `${(names[i] ?? "").padEnd(nameWidth)}  ${(steps[i] ?? "").padStart(stepWidth)}`;
    if (passes) return `${paint.green("pass")}  ${head}`;
    const place = outcome.location === null ? "" : `${formatPlace(outcome.location)}: `;
    return `${paint.red("FAIL")}  ${head}  ${place}${oneLine(outcome.message)}`;
  });
  return `${[...lines, testsPhrase(tests)].join("\n")}\n`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

function outcomeLines(outcome: RunOutcome, { paint, source }: RunTextOptions): string[] {
  const place = outcome.location ? `${paint.bold(formatPlace(outcome.location))}: ` : "";
  const first = `${place}${colourOf(outcome, paint)(oneLine(outcome.message))}`;
  if (outcome.location === null || outcome.kind === "exit") return [first];
  const text = source(outcome.location.file);
  if (text === null) return [first];
  return [first, ...excerpt(text, outcome.location).map((line) => `  ${paint.cyan(line)}`)];
}

function colourOf({ kind }: RunOutcome, paint: Paint): (text: string) => string {
  if (kind === "exit") return paint.green;
  return kind === "assumption" || kind === "limit" ? paint.yellow : paint.red;
}
