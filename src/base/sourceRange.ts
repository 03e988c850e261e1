import { spelledOut } from "./text.ts";

/** A place in the user's source file. Lines and columns are 1-based; the end column is after the last character. */
export type SourceRange = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
};

export function formatPlace(range: SourceRange): string {
  return `${spelledOut(range.file, "")}:${range.line}:${range.column}`;
}

export function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  if (inner.file !== outer.file) return false;
  const begins = inner.line - outer.line || inner.column - outer.column;
  const ends = outer.endLine - inner.endLine || outer.endColumn - inner.endColumn;
  return begins >= 0 && ends >= 0;
}
