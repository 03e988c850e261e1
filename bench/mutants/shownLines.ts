import type { Explanation, Failure } from "../../src/commands/explain/result.ts";
import { type Row, screenOf } from "../../src/render/chooseRows.ts";
import { alsoSuspects } from "../../src/render/rows.ts";

/** The lines of the program that a screen shows: with their numbers, and of a longer statement those that its text has. */
export function shownLines(explanation: Explanation, text: string): readonly number[] {
  if (explanation.kind === "doesNotFail") return [];
  const lines = new Set<number>();
  if (explanation.failure !== null) for (const line of failureLines(explanation.failure)) lines.add(line);
  if (explanation.kind === "explained") {
    const source = text.split("\n").map(inOneLine);
    const { sections, also } = screenOf(explanation);
    for (const row of sections.flatMap((section) => section.rows)) {
      for (const line of rowLines(row, source)) lines.add(line);
    }
    for (const index of alsoSuspects(explanation, also).shown) lines.add(explanation.suspects[index]!.location.line);
  }
  return [...lines];
}

function failureLines({ location, condition, stack, places }: Failure): readonly number[] {
  const calls = [...stack.slice(0, mostCalls), ...places.flatMap((place) => place.calls)];
  return [location, ...(condition === null ? [] : [condition.location]), ...calls.map((call) => call.location)].map(
    ({ line }) => line,
  );
}

/** The rest of a longer text is cut off in print, and so are calls beyond these. */
const longestText = 64;
const mostCalls = 4;

function rowLines({ location, text }: Row, source: readonly string[]): readonly number[] {
  const shown = inOneLine(text).slice(0, longestText);
  const lines = [location.line];
  for (let line = location.line + 1; line <= location.endLine; line++) {
    const part = source[line - 1] ?? "";
    if (part !== "" && shown.includes(part)) lines.push(line);
  }
  return lines;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
