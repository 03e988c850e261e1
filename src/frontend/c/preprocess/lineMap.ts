import type { SourceRange } from "../../../base/sourceRange.ts";

/** Offsets of one text to 1-based lines and columns. */
export type LineMap = (start: number, end: number) => SourceRange;

export function createLineMap(file: string, text: string): LineMap {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return (start, end) => {
    const line = lineOf(start);
    const last = end > start ? lineOf(end - 1) : line;
    return {
      file,
      line: line + 1,
      column: start - starts[line]! + 1,
      endLine: last + 1,
      endColumn: end - starts[last]! + 1,
    };
  };
}
