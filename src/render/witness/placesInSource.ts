import type { SourceRange } from "../../base/sourceRange.ts";
import type { OutlinedCall, OutlinedName, OutlinedStatement, SourceOutline } from "../../c/outline.ts";

export type Position = { readonly line: number; readonly column: number };

export type WitnessLoopHead = Position & { readonly keyword: "for" | "while" | "do" };

/**
 * Maps the locations of a report to statements and keywords, which witnesses use. Null if nothing fits: the witness
 * then says less, but nothing wrong.
 */
export type PlacesInSource = {
  /** The start of the innermost statement or full expression around a place. */
  statementStart(place: Position): Position | null;
  /**
   * True if nothing in the statement is evaluated before the place: it is its start, or a declarator behind its type.
   */
  beginsStatement(place: Position): boolean;
  /** The statement before which nothing but the place has to be evaluated: that begins there, or is an `if` with this condition. */
  statementBegunAt(place: Position): Position | null;
  /** The keyword of the loop whose condition or keyword is at the place. */
  loopHead(place: Position): WitnessLoopHead | null;
  /** True if exactly one variable of this name is visible at the place. */
  inScope(place: Position, name: string): boolean;
  /** The same at the loop's condition: visible at its keyword, or declared by this `for`. */
  inScopeAtHead(head: WitnessLoopHead, name: string): boolean;
  /** The closing parenthesis of the first call of `name` at or after the place, in its statement. */
  endOfCall(place: Position, name: string): Position | null;
  /** The functions that the statement at a place calls. */
  callsIn(place: Position): string[];
  /** The first statement that is a call of `name`. */
  callStatement(name: string): Position | null;
};

export function placesInSource(outline: SourceOutline): PlacesInSource {
  const statementAt = (place: Position) => innermost(outline.statements, place);
  const isBeginning = (place: Position) => {
    const statement = statementAt(place);
    if (statement === null || statement.steers) return false;
    const { range, declarator } = statement;
    return isAt(place, range) || (declarator !== null && isAt(place, declarator));
  };
  const callsOf = (place: Position): readonly OutlinedCall[] => {
    const statement = statementAt(place);
    if (statement === null) return [];
    return outline.calls.filter(({ callee }) => statementAt(startOf(callee)) === statement);
  };
  return {
    statementStart: (place) => {
      const statement = statementAt(place);
      return statement === null ? null : startOf(statement.range);
    },
    beginsStatement: isBeginning,
    statementBegunAt: (place) => {
      const statement = statementAt(place);
      if (statement === null) return null;
      if (isBeginning(place)) return startOf(statement.range);
      return statement.begins !== undefined && isAt(place, statement.range) ? startOf(statement.begins) : null;
    },
    loopHead: (place) => {
      const loop = innermost(outline.loops, place);
      if (loop === null || isIn(place, loop.body)) return null;
      return { ...startOf(loop.range), keyword: loop.keyword };
    },
    inScope: (place, name) => isOneVisible(outline.names, place, name, () => false),
    inScopeAtHead: (head, name) =>
      isOneVisible(outline.names, head, name, ({ scope }) => scope !== null && isAt(head, scope)),
    endOfCall: (place, name) => {
      const call = callsOf(place).find((entry) => entry.name === name && !isBefore(startOf(entry.callee), place));
      return call === undefined ? null : { line: call.end.line, column: call.end.column };
    },
    callsIn: (place) => callsOf(place).map(({ name }) => name),
    callStatement: (name) => {
      const call = outline.calls.find((entry) => entry.name === name && entry.isStatement);
      return call === undefined ? null : startOf(call.callee);
    },
  };
}

/** `isDeclaredThere`: also accept a declaration that is not before the place. */
function isOneVisible(
  names: readonly OutlinedName[],
  place: Position,
  name: string,
  isDeclaredThere: (entry: OutlinedName) => boolean,
): boolean {
  const visible = names.filter(
    (entry) =>
      entry.name === name &&
      (isDeclaredThere(entry) || isBefore(startOf(entry.declared), place)) &&
      (entry.scope === null || isIn(place, entry.scope)),
  );
  return new Set(visible.map(({ scope }) => (scope === null ? "" : `${scope.line}:${scope.column}`))).size === 1;
}

function innermost<T extends OutlinedStatement | SourceOutline["loops"][number]>(
  entries: readonly T[],
  place: Position,
): T | null {
  let found: T | null = null;
  for (const entry of entries) {
    if (isIn(place, entry.range) && (found === null || isIn(startOf(entry.range), found.range))) found = entry;
  }
  return found;
}

function startOf({ line, column }: SourceRange): Position {
  return { line, column };
}

function isAt({ line, column }: Position, range: SourceRange): boolean {
  return line === range.line && column === range.column;
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

function isIn(place: Position, range: SourceRange): boolean {
  return !isBefore(place, startOf(range)) && isBefore(place, { line: range.endLine, column: range.endColumn });
}
