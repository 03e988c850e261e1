/** A place in the user's source file. Lines and columns are 1-based; the end column is after the last character. */
export type SourceRange = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
};

export function formatPlace(range: SourceRange): string {
  return `${range.file}:${range.line}:${range.column}`;
}

/** The range between two ranges of one file; null if the second does not follow the first. */
export function rangeBetween(first: SourceRange, second: SourceRange): SourceRange | null {
  if (first.file !== second.file) return null;
  const follows = second.line > first.endLine || (second.line === first.endLine && second.column >= first.endColumn);
  if (!follows) return null;
  const { file, endLine: line, endColumn: column } = first;
  return { file, line, column, endLine: second.line, endColumn: second.column };
}

/** The smallest range that contains both; the first one if they are in different files (a macro of a header). */
export function spanRanges(first: SourceRange, last: SourceRange): SourceRange {
  if (first.file !== last.file) return first;
  return { ...first, endLine: last.endLine, endColumn: last.endColumn };
}

export function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  if (inner.file !== outer.file) return false;
  const begins = inner.line - outer.line || inner.column - outer.column;
  const ends = outer.endLine - inner.endLine || outer.endColumn - inner.endColumn;
  return begins >= 0 && ends >= 0;
}
