import type { SourceRange } from "../../base/sourceRange.ts";
import type { OutlinedCall, OutlinedName, OutlinedStatement, SourceOutline } from "../../c/outline.ts";

export type Position = { readonly line: number; readonly column: number };

export type WitnessLoopHead = Position & { readonly keyword: "for" | "while" | "do" };

/**
 * Witnesses speak of statements and keywords; a report speaks of expressions. Where nothing fits the answer is null: a
 * witness says less then, never something wrong.
 */
export type PlacesInSource = {
  /** The first character of the innermost statement or full expression that a place is in. */
  statementStart(place: Position): Position | null;
  /** Nothing is evaluated before the place in its statement: it is its beginning, or a declarator behind its type. */
  beginsStatement(place: Position): boolean;
  /** The keyword of the loop whose condition or keyword is at the place. */
  loopHead(place: Position): WitnessLoopHead | null;
  /** One variable of this name, and only one, is visible at the place. */
  inScope(place: Position, name: string): boolean;
  /**
   * The same where the loop's condition is evaluated: at its keyword, or
   * declared between the parentheses of this very `for`.
   */
  inScopeAtHead(head: WitnessLoopHead, name: string): boolean;
  /** The closing parenthesis of the first call of `name` at or behind the place, in its statement. */
  endOfCall(place: Position, name: string): Position | null;
  /** The functions that the statement of a place calls. */
  callsIn(place: Position): string[];
  /** The first statement that is a call of `name`. */
  callStatement(name: string): Position | null;
};

export function placesInSource(outline: SourceOutline): PlacesInSource {
  const statementAt = (place: Position) => innermost(outline.statements, place);
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
    beginsStatement: (place) => {
      const statement = statementAt(place);
      if (statement === null || statement.steers) return false;
      const { range, declarator } = statement;
      return isAt(place, range) || (declarator !== null && isAt(place, declarator));
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

/** `isDeclaredThere`: although its declaration is not before the place. */
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
