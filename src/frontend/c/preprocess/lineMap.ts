import type { SourceRange } from "../../../base/sourceRange.ts";
import { lastAtOrBefore } from "./lastAtOrBefore.ts";

/** Offsets of one text to 1-based lines and columns. */
export type LineMap = (start: number, end: number) => SourceRange;

export function createLineMap(file: string, text: string): LineMap {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (start, end) => {
    const line = lastAtOrBefore(starts, start);
    const last = end > start ? lastAtOrBefore(starts, end - 1) : line;
    return {
      file,
      line: line + 1,
      column: start - starts[line]! + 1,
      endLine: last + 1,
      endColumn: end - starts[last]! + 1,
    };
  };
}
