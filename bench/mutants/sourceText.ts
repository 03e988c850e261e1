import type { SourceRange } from "../../src/base/sourceRange.ts";

/** A program's text by offset and by place. */
export type SourceText = {
  readonly text: string;
  readonly startOf: (range: SourceRange) => number;
  readonly endOf: (range: SourceRange) => number;
  readonly at: (range: SourceRange) => string;
  readonly lineOf: (offset: number) => number;
  /** Lines that hold more than blanks and braces. */
  readonly isCode: (line: number) => boolean;
};

export function sourceText(text: string): SourceText {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number) => starts[line - 1]! + column - 1;
  const startOf = (range: SourceRange) => offset(range.line, range.column);
  const endOf = (range: SourceRange) => offset(range.endLine, range.endColumn);
  return {
    text,
    startOf,
    endOf,
    at: (range) => text.slice(startOf(range), endOf(range)),
    lineOf: (at) => starts.findLastIndex((start) => start <= at) + 1,
    isCode: (line) => /[^\s{};]/.test(text.slice(starts[line - 1] ?? text.length, starts[line] ?? text.length)),
  };
}
