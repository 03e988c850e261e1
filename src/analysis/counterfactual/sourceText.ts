import type { SourceRange } from "../../base/sourceRange.ts";
import type { Program } from "../../ir/program.ts";

/** A stretch of a source file that another text stands for. */
export type Replacement = { readonly range: SourceRange; readonly text: string };

/** The text of a range; null where the program does not have the file, or the range is not in it. */
export function textOf(program: Program, range: SourceRange): string | null {
  const file = program.files.find(({ path }) => path === range.file);
  if (file === undefined) return null;
  const [start, end] = offsetsOf(file.text, range);
  return start < end ? file.text.slice(start, end) : null;
}

/** Where a range starts and ends in the text of its file. */
export function offsetsOf(text: string, range: SourceRange): readonly [number, number] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1;
  return [offset(range.line, range.column), offset(range.endLine, range.endColumn)];
}

/** What lies between two ranges of one file; null where the second does not follow the first. */
export function rangeBetween(first: SourceRange, second: SourceRange): SourceRange | null {
  if (first.file !== second.file) return null;
  const follows = second.line > first.endLine || (second.line === first.endLine && second.column >= first.endColumn);
  if (!follows) return null;
  return {
    file: first.file,
    line: first.endLine,
    column: first.endColumn,
    endLine: second.line,
    endColumn: second.column,
  };
}
