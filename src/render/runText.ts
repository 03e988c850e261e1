import { assertNever } from "../base/errors.ts";
import { formatPlace } from "../base/sourceRange.ts";
import type { RunOutcome, RunReport } from "../commands/run/result.ts";
import { excerpt, type Paint } from "./layout.ts";
import { oneLine } from "./phrases.ts";

const MOST_INPUTS = 20;

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
  lines.push(`inputs: ${inputsLine(report)}`);
  lines.push(`trace: ${count(report.trace.steps, "step")}`);
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

function colourOf(outcome: RunOutcome, paint: Paint): (text: string) => string {
  switch (outcome.kind) {
    case "exit":
      return paint.green;
    case "assertion":
    case "error-location":
    case "abort":
    case "undefined-behaviour":
    case "wrong-output":
    case "wrong-exit":
      return paint.red;
    case "assumption":
    case "limit":
      return paint.yellow;
    default:
      return assertNever(outcome.kind);
  }
}

function inputsLine({ inputs }: RunReport): string {
  if (inputs.length === 0) return "none";
  const shown = inputs.slice(0, MOST_INPUTS).map(({ value }) => `${value}`);
  const rest = inputs.length - shown.length;
  return shown.join(", ") + (rest > 0 ? `, … (${rest} more)` : "");
}

function count(n: number, what: string): string {
  return `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
}
