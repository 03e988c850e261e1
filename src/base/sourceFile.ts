import { createHash } from "node:crypto";
import { nth } from "./checked.ts";
import { encodeSource } from "./files.ts";
import type { SourceRange } from "./sourceRange.ts";

/** A file that the user wrote. Lines and columns start at 1, offsets at 0; all count UTF-16 units. */
export type SourceFile = { readonly path: string; readonly text: string; readonly sha256: string };

export function sourceFile(path: string, text: string): SourceFile {
  return { path, text, sha256: createHash("sha256").update(encodeSource(text)).digest("hex") };
}

type Text = Pick<SourceFile, "text">;

const known = new WeakMap<Text, readonly number[]>();

function lineStarts(file: Text): readonly number[] {
  let starts = known.get(file);
  if (starts === undefined) {
    const found = [0];
    for (let at = file.text.indexOf("\n"); at >= 0; at = file.text.indexOf("\n", at + 1)) found.push(at + 1);
    starts = found;
    known.set(file, starts);
  }
  return starts;
}

export function lineCount(file: Text): number {
  return lineStarts(file).length;
}

/** A line without its end; undefined if the file has no such line. */
export function lineOf(file: Text, line: number): string | undefined {
  const starts = lineStarts(file);
  const start = starts[line - 1];
  if (start === undefined) return undefined;
  const next = starts[line];
  const end = next === undefined ? file.text.length : next - 1;
  return file.text.slice(start, file.text[end - 1] === "\r" && end > start ? end - 1 : end);
}

/** The offset of a place; the end of the text for lines that the file does not have. */
export function offsetOf(file: Text, line: number, column: number): number {
  const start = lineStarts(file)[line - 1];
  return start === undefined ? file.text.length : start + column - 1;
}

export function rangeBetweenOffsets(file: Omit<SourceFile, "sha256">, start: number, end: number): SourceRange {
  const starts = lineStarts(file);
  const line = lastAtOrBefore(starts, start);
  const last = end > start ? lastAtOrBefore(starts, end - 1) : line;
  return {
    file: file.path,
    line: line + 1,
    column: start - (starts[line] ?? 0) + 1,
    endLine: last + 1,
    endColumn: end - (starts[last] ?? 0) + 1,
  };
}

/** The text of a range; null if the file does not have these lines. */
export function textOfRange(file: Text, range: SourceRange): string | null {
  if (range.line < 1 || range.endLine > lineCount(file)) return null;
  return file.text.slice(offsetOf(file, range.line, range.column), offsetOf(file, range.endLine, range.endColumn));
}

/** The index of the last entry that is at most `value`, in ascending numbers; -1 if there is none. */
export function lastAtOrBefore(ascending: readonly number[], value: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (nth(ascending, middle) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
