import type { SourceRange } from "../base/sourceRange.ts";
import type { Program } from "./program.ts";

const lines = new WeakMap<Program, Map<string, readonly string[]>>();

/** The lines of a file of the program; none where the file is not at hand. */
export function sourceLines(program: Program, file: string): readonly string[] {
  let known = lines.get(program);
  if (known === undefined) {
    known = new Map();
    lines.set(program, known);
  }
  let split = known.get(file);
  if (split === undefined) {
    split = program.files.find(({ path }) => path === file)?.text.split("\n") ?? [];
    known.set(file, split);
  }
  return split;
}

/** What the user wrote at a range, on one line and without comments; null where the file is not at hand. */
export function sourceTextAt(program: Program, range: SourceRange): string | null {
  const all = sourceLines(program, range.file);
  if (range.line < 1 || range.endLine > all.length) return null;
  const parts = all.slice(range.line - 1, range.endLine);
  parts[parts.length - 1] = parts[parts.length - 1]!.slice(0, range.endColumn - 1);
  parts[0] = parts[0]!.slice(range.column - 1);
  return onOneLine(parts.join("\n"));
}

/** Literals stay as they are; comments, line ends and runs of blanks become one blank. */
const pieces = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|\\?\s+/g;

function onOneLine(text: string): string {
  return text
    .replace(pieces, (piece) => (piece.startsWith('"') || piece.startsWith("'") ? piece : " "))
    .replace(/ {2,}/g, " ")
    .trim();
}
