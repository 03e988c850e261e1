import { nth } from "../../src/base/checked.ts";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { Explanation, Failure } from "../../src/commands/explain/result.ts";
import { type Row, screenOf } from "../../src/render/chooseRows.ts";
import { alsoSuspects } from "../../src/render/rows.ts";

/**
 * The lines of a file that a screen shows: with their numbers, and of a longer statement those that its text has. Null
 * for a program with one file.
 */
export function shownLines(explanation: Explanation, text: string, file: string | null = null): readonly number[] {
  if (explanation.kind === "doesNotFail") return [];
  const lines = new Set<number>();
  const isThere = (location: SourceRange) => file === null || location.file === file;
  if (explanation.failure !== null)
    for (const location of failurePlaces(explanation.failure).filter(isThere)) lines.add(location.line);
  if (explanation.kind === "explained") {
    const source = text.split("\n").map(inOneLine);
    const { sections, also } = screenOf(explanation);
    for (const row of sections.flatMap((section) => section.rows).filter(({ location }) => isThere(location))) {
      for (const line of rowLines(row, source)) lines.add(line);
    }
    for (const index of alsoSuspects(explanation, also).shown) {
      const { location } = nth(explanation.suspects, index);
      if (isThere(location)) lines.add(location.line);
    }
  }
  return [...lines];
}

function failurePlaces({ location, condition, stack, places }: Failure): readonly SourceRange[] {
  const calls = [...stack.slice(0, mostCalls), ...places.flatMap((place) => place.calls)];
  return [location, ...(condition === null ? [] : [condition.location]), ...calls.map((call) => call.location)];
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
