import { nth } from "../../../base/checked.ts";
import { memoised, remembered } from "../../../base/memo.ts";
import { isWithin, type SourceRange } from "../../../base/sourceRange.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { Edge, Function, Program, SourceStatement } from "../../../ir/program.ts";
import { isOfLibrary } from "../../../ir/reservedNames.ts";
import { sourceLine, sourceTextAt } from "../../../ir/source.ts";

/** One source line of a run: a statement, or the head of a statement with a body. */
export type Unit = {
  readonly id: number;
  readonly function: Function;
  readonly kind: SourceStatement["kind"];
  readonly range: SourceRange;
  /** With the bodies of an `if` or loop. */
  readonly whole: SourceRange;
  readonly text: string;
};

/** The unit of an edge; null for edges without source text (the return at a closing brace, library functions). */
export type Units = (fn: Function, edge: Edge) => Unit | null;

/** All views of a program number its units alike. */
export const unitsOf = memoised((program: Program): Units => {
  const known = new Map<Edge, Unit | null>();
  const byStatement = new Map<SourceStatement, Unit>();
  const byPlace = new Map<string, Unit>();
  let count = 0;
  const find = (fn: Function, edge: Edge): Unit | null => {
    if (isOfLibrary(fn)) return null;
    const statement = statementAround(fn.statements ?? [], edge.range);
    if (statement !== undefined) {
      const unit = remembered(byStatement, statement, () => {
        const range = trimmed(program, statement.head);
        const text = sourceTextAt(program, range) ?? "";
        return { id: count++, function: fn, kind: statement.kind, range, whole: statement.range, text };
      });
      return unit.text === "" ? null : unit;
    }
    const text = lineText(program, edge.range);
    if (text === null || text === "" || text === "}") return null;
    const key = `${edge.range.file}:${edge.range.line}`;
    return remembered(byPlace, key, () => ({
      id: count++,
      function: fn,
      kind: "declaration",
      range: edge.range,
      whole: edge.range,
      text,
    }));
  };
  return (fn, edge) => {
    return remembered(known, edge, () => find(fn, edge));
  };
});

/** The innermost statement around a range: the last one, because statements are in the order of their starts. */
function statementAround(statements: readonly SourceStatement[], range: SourceRange): SourceStatement | undefined {
  if (!areInOrder(statements)) return statements.findLast((statement) => isWithin(range, statement.range));
  let [low, high] = [0, statements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startsBehind(nth(statements, middle).range, range)) high = middle;
    else low = middle + 1;
  }
  for (let i = low - 1; i >= 0; i--) {
    if (isWithin(range, nth(statements, i).range)) return statements[i];
  }
  return undefined;
}

/** False for functions with parts from several files. */
const areInOrder = memoised((statements: readonly SourceStatement[]): boolean =>
  statements.every(({ range }, i) => {
    const before = statements[i - 1]?.range;
    return before === undefined || (before.file === range.file && !startsBehind(before, range));
  }),
);

function startsBehind(a: SourceRange, b: SourceRange): boolean {
  return a.line > b.line || (a.line === b.line && a.column > b.column);
}

/** Outside of statements, for example for a global initialiser: the text of the line. */
function lineText(program: Program, range: SourceRange): string | null {
  const line = sourceLine(program, range.file, range.line);
  if (line === undefined) return null;
  return sourceTextAt(program, { ...range, column: 1, endLine: range.line, endColumn: line.length + 1 });
}

/** Trims blanks around a head, including those after `do`. */
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

/**
 * The steps of a run grouped by visits. A visit is one execution of a unit without the calls that it makes; a unit that
 * starts again is a new visit.
 */
export type Visits = {
  /** The visit of a step; -1 for steps without source text. */
  of(step: number): number;
  unit(visit: number): Unit;
  steps(visit: number): readonly number[];
  first(visit: number): number;
  /** The number of visits of the unit up to this one, inside the graph's window. */
  ordinal(visit: number): number;
  /** The number of all its visits. */
  total(unit: Unit): number;
  /** The step in which a call's callee returned; null if the run ended before. */
  returnOf(call: number): number | null;
};

/** A unit has few edges, so a list is faster than a set. */
type OpenVisit = { id: number; unit: Unit; readonly seen: number[]; last: number };

export function visitsOf(graph: DependenceGraph): Visits {
  const { first, end } = graph;
  const unitOf = unitsOf(graph.trace.program);
  const visitOf = new Int32Array(end - first).fill(-1);
  const nextStep = new Int32Array(end - first).fill(-1);
  // Indexed by visit: first step, unit, and visits of the unit so far.
  const starts = new Int32Array(end - first);
  const units = new Int32Array(end - first);
  const ordinals = new Int32Array(end - first);
  let count = 0;
  // Indexed by unit number: the unit, and its number of visits.
  const unitNumbered: Unit[] = [];
  const totals: number[] = [];
  const open = new Map<number, OpenVisit>();
  const lastCall = new Map<number, number>();
  const returns = new Map<number, number>();
  const unitOfEdge: (Unit | null | undefined)[] = new Array(graph.edges.length);
  // A cache: consecutive steps are usually in one activation.
  let [activation, call]: [number, number | undefined] = [-1, undefined];
  let visit: OpenVisit | undefined;

  for (let step = first; step < end; step++) {
    const code = graph.code(step);
    const { kind } = nth(graph.edges, code).operation;
    if (graph.activation(step) !== activation) {
      activation = graph.activation(step);
      call = lastCall.get(activation);
      visit = open.get(activation);
    }
    if (call !== undefined) {
      returns.set(call, step - 1);
      lastCall.delete(activation);
      call = undefined;
    }
    if (kind === "call") {
      lastCall.set(activation, step);
      call = step;
    }
    let unit = unitOfEdge[code];
    if (unit === undefined) {
      unit = unitOf(graph.function(step), nth(graph.edges, code));
      unitOfEdge[code] = unit;
    }
    if (unit === null) {
      if (visit !== undefined) open.delete(activation);
      visit = undefined;
      continue;
    }
    if (visit === undefined || visit.unit !== unit || visit.seen.includes(code)) {
      const total = (totals[unit.id] ?? 0) + 1;
      totals[unit.id] = total;
      unitNumbered[unit.id] = unit;
      // An activation has one open visit; the next visit replaces it.
      if (visit === undefined) {
        visit = { id: -1, unit, seen: [], last: -1 };
        open.set(activation, visit);
      }
      visit.id = count;
      visit.unit = unit;
      visit.seen.length = 0;
      visit.last = -1;
      starts[count] = step;
      units[count] = unit.id;
      ordinals[count++] = total;
    }
    visit.seen.push(code);
    visitOf[step - first] = visit.id;
    if (visit.last !== -1) nextStep[visit.last - first] = step;
    visit.last = step;
    if (kind === "return") {
      open.delete(activation);
      visit = undefined;
    }
  }

  return {
    of: (step) => (step >= first && step < end ? nth(visitOf, step - first) : -1),
    unit: (visit) => nth(unitNumbered, nth(units, visit)),
    steps(visit) {
      const steps: number[] = [];
      for (let step = nth(starts, visit); step !== -1; step = nth(nextStep, step - first)) steps.push(step);
      return steps;
    },
    first: (visit) => nth(starts, visit),
    ordinal: (visit) => nth(ordinals, visit),
    total: (unit) => totals[unit.id] ?? 0,
    returnOf: (call) => returns.get(call) ?? null,
  };
}
