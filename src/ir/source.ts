import { lineOf, textOfRange } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Program } from "./program.ts";

export function sourceLine({ files }: Pick<Program, "files">, path: string, line: number): string | undefined {
  const file = files.find((each) => each.path === path);
  return file === undefined ? undefined : lineOf(file, line);
}

/** The text at a range as the user wrote it; null if the program does not have it or if it is empty. */
export function writtenTextAt({ files }: Pick<Program, "files">, range: SourceRange): string | null {
  const file = files.find(({ path }) => path === range.file);
  return (file === undefined ? null : textOfRange(file, range)) || null;
}

/** The text at a range, on one line and without comments; null if the program does not have it. */
export function sourceTextAt({ files }: Pick<Program, "files">, range: SourceRange): string | null {
  const file = files.find(({ path }) => path === range.file);
  const text = file === undefined ? null : textOfRange(file, range);
  return text === null ? null : onOneLine(text);
}

/** Literals are kept; comments, line ends and runs of blanks become one blank. */
const pieces = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|\\?\s+/g;

function onOneLine(text: string): string {
  return text
    .replace(pieces, (piece) => (piece.startsWith('"') || piece.startsWith("'") ? piece : " "))
    .replace(/ {2,}/g, " ")
    .trim();
}

/** A range with the `!` in front of it and parentheses between them: `!(x)` for `x`; on one line. */
export function withNegations(
  program: Pick<Program, "files">,
  range: SourceRange,
): { readonly range: SourceRange; readonly negations: number } {
  const before = sourceLine(program, range.file, range.line) ?? "";
  const behind = sourceLine(program, range.file, range.endLine) ?? "";
  let found = { range, negations: 0 };
  let [start, end, negations] = [range.column - 1, range.endColumn - 1, 0];
  for (;;) {
    while (/\s/.test(before[start - 1] ?? "")) start--;
    const character = before[start - 1];
    if (character === "!") {
      start--;
      negations++;
      found = { range: { ...range, column: start + 1, endColumn: end + 1 }, negations };
    } else {
      while (/\s/.test(behind[end] ?? "")) end++;
      if (character !== "(" || behind[end] !== ")") return found;
      start--;
      end++;
    }
  }
}

function startsBehind(a: SourceRange, b: SourceRange): boolean {
  return a.line > b.line || (a.line === b.line && a.column > b.column);
}

export function containsRange(outer: SourceRange, inner: SourceRange): boolean {
  if (outer.file !== inner.file || startsBehind(outer, inner)) return false;
  return inner.endLine < outer.endLine || (inner.endLine === outer.endLine && inner.endColumn <= outer.endColumn);
}
