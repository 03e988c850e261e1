import { lineCount, lineOf } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";

/** At most this many lines of a long range are shown. */
const MOST_LINES = 4;

/**
 * The source lines of a range with what it covers underlined:
 *
 *   15 |   assert(sent == received);
 *      |   ^^^^^^^^^^^^^^^^^^^^^^^^
 */
export function excerpt(text: string, range: SourceRange): string[] {
  const file = { text };
  const last = Math.min(range.endLine, range.line + MOST_LINES - 1, lineCount(file));
  const width = `${last}`.length;
  const result: string[] = [];
  for (let number = range.line; number <= last; number++) {
    const line = lineOf(file, number) ?? "";
    const from = number === range.line ? range.column - 1 : line.length - line.trimStart().length;
    const to = number === range.endLine ? range.endColumn - 1 : line.length;
    result.push(`${`${number}`.padStart(width)} | ${line}`.trimEnd());
    result.push(`${" ".repeat(width)} | ${margin(line, from)}${"^".repeat(Math.max(1, to - from))}`);
  }
  if (result.length > 0 && last < range.endLine) result.push(`${" ".repeat(width)} | …`);
  return result;
}

/** As wide as the first characters of the line, tabs included. */
function margin(line: string, columns: number): string {
  return line.slice(0, columns).replaceAll(/[^\t]/g, " ").padEnd(columns);
}
