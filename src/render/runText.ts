import { formatPlace } from "../base/sourceRange.ts";
import type { RunOutcome, RunReport } from "../commands/run/result.ts";
import { excerpt, type Paint } from "./layout.ts";
import { counted, inputsPhrase, oneLine } from "./phrases.ts";

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
