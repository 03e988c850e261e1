import type { SourceRange } from "../../../base/sourceRange.ts";
import type { ProgramContext } from "./context.ts";

/** What the user wrote at a range, on one line; null where the file is not at hand. */
export function sourceText(unit: ProgramContext, range: SourceRange): string | null {
  let lines = unit.lines.get(range.file);
  if (lines === undefined) {
    const file = unit.options.files.find(({ path }) => path === range.file);
    lines = file === undefined ? [] : file.text.split("\n");
    unit.lines.set(range.file, lines);
  }
  if (lines.length === 0 || range.line < 1 || range.endLine > lines.length) return null;
  if (range.line === range.endLine) return lines[range.line - 1]!.slice(range.column - 1, range.endColumn - 1).trim();
  const parts = [lines[range.line - 1]!.slice(range.column - 1)];
  for (let line = range.line + 1; line < range.endLine; line++) parts.push(lines[line - 1]!);
  parts.push(lines[range.endLine - 1]!.slice(0, range.endColumn - 1));
  return parts
    .map((part) => part.trim())
    .join(" ")
    .trim();
}
