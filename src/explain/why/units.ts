import type { SourceRange } from "../../base/sourceRange.ts";
import type { Edge, Function, Program, SourceStatement } from "../../ir/program.ts";
import { isOfLibrary } from "../../ir/reservedNames.ts";
import { sourceLine, sourceTextAt } from "../../ir/sourceText.ts";

/** What a reader sees as one line of a run: a statement, or what steers one that has a body. */
export type Unit = {
  /** Unique in the program. */
  readonly id: number;
  readonly function: Function;
  readonly kind: SourceStatement["kind"];
  readonly range: SourceRange;
  /** As written, on one line. */
  readonly text: string;
};

/** The unit of an edge; null for what the user's source does not spell out (the return at a closing brace, a function of the library). */
export type Units = (fn: Function, edge: Edge) => Unit | null;

export function unitsOf(program: Program): Units {
  const known = new Map<Edge, Unit | null>();
  const byStatement = new Map<SourceStatement, Unit>();
  const byPlace = new Map<string, Unit>();
  let count = 0;
  const find = (fn: Function, edge: Edge): Unit | null => {
    if (isOfLibrary(fn)) return null;
    const statement = (fn.statements ?? []).findLast(({ range }) => isWithin(edge.range, range));
    if (statement !== undefined) {
      let unit = byStatement.get(statement);
      if (unit === undefined) {
        const range = trimmed(program, statement.head);
        const text = sourceTextAt(program, range) ?? "";
        unit = { id: count++, function: fn, kind: statement.kind, range, text };
        byStatement.set(statement, unit);
      }
      return unit.text === "" ? null : unit;
    }
    const text = lineText(program, edge.range);
    if (text === null || text === "" || text === "}") return null;
    const key = `${edge.range.file}:${edge.range.line}`;
    let unit = byPlace.get(key);
    if (unit === undefined) {
      unit = { id: count++, function: fn, kind: "declaration", range: edge.range, text };
      byPlace.set(key, unit);
    }
    return unit;
  };
  return (fn, edge) => {
    let unit = known.get(edge);
    if (unit === undefined) {
      unit = find(fn, edge);
      known.set(edge, unit);
    }
    return unit;
  };
}

/** Outside of statements, such as an initialiser at file level, the line says what it is. */
function lineText(program: Program, range: SourceRange): string | null {
  const line = sourceLine(program, range.file, range.line);
  if (line === undefined) return null;
  return sourceTextAt(program, { ...range, column: 1, endLine: range.line, endColumn: line.length + 1 });
}

/** A head ends where its body begins: without the blanks in between, and begins behind those of `do`'s. */
function trimmed(program: Program, range: SourceRange): SourceRange {
  const lineAt = (number: number): string => sourceLine(program, range.file, number) ?? "";
  let { line, column, endLine, endColumn } = range;
  while (
    endLine > line &&
    lineAt(endLine)
      .slice(0, endColumn - 1)
      .trim() === ""
  ) {
    endLine--;
    endColumn = lineAt(endLine).length + 1;
  }
  while (
    line < endLine &&
    lineAt(line)
      .slice(column - 1)
      .trim() === ""
  ) {
    line++;
    column = 1;
  }
  const blanks = /^\s*/.exec(lineAt(line).slice(column - 1))![0].length;
  return { ...range, line, column: column + blanks, endLine, endColumn };
}

export function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  if (inner.file !== outer.file) return false;
  const begins = inner.line - outer.line || inner.column - outer.column;
  const ends = outer.endLine - inner.endLine || outer.endColumn - inner.endColumn;
  return begins >= 0 && ends >= 0;
}
