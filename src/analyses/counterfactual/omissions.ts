import { nth, present } from "../../base/checked.ts";
import type { DependenceGraph, Event } from "../../dependence/dependenceGraph.ts";
import { backwardSlice, type Slice } from "../../dependence/slice.ts";
import type { DependenceTracker } from "../../interpreter/track/tracker.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import { sizeOf } from "../../ir/type.ts";
import type { PlaceVisit } from "./executedPlaces.ts";

/**
 * An omission: with the other outcome of the condition at step `condition`, the run would write the cell that step
 * `reader` reads and that nothing wrote in between. Found by re-runs (relevant slicing after Gyimóthy, Beszédes and
 * Forgács, ESEC/FSE 1999, which uses static sets instead).
 */
export type Omission = {
  readonly condition: number;
  readonly reader: number;
  /** The edge that would have written it. */
  readonly write: Edge;
};

/** A slice with the omissions that affect it. */
export type RelevantSlice = { readonly slice: Slice; readonly omissions: readonly Omission[] };

/** The number of steps of a flipped run that are inspected. */
const maxFlippedSteps = 5000;
const maxCells = 2_000_000;
const maxRounds = 3;

/**
 * Extends the slice by the conditions outside of it (`candidates`) that prevented a write, and by what they depend on,
 * until nothing is new or `trackFlip` returns null because the time is over.
 */
export function relevantSlice(
  graph: DependenceGraph,
  start: readonly Event[],
  known: RelevantSlice,
  candidates: readonly PlaceVisit[],
  trackFlip: (instance: PlaceVisit, maxSteps: number) => DependenceTracker | null,
): RelevantSlice {
  let { slice } = known;
  const omissions = [...known.omissions];
  const edges = graph.trace.program.functions.flatMap((fn) => fn.edges);
  const flipped = new Map<PlaceVisit, Writes>();
  for (const instance of candidates) {
    if (slice.has(instance.step) || instance.step < graph.first) continue;
    const tracker = trackFlip(instance, maxFlippedSteps);
    if (tracker === null) break;
    flipped.set(instance, writesOf(graph.trace.program, edges, tracker));
  }
  const asked = askedOf(flipped);
  for (let round = 0; round < maxRounds && asked.cells.size > 0; round++) {
    const cells = readCells(graph, slice, asked);
    const before = omissions.length;
    for (const [instance, writes] of flipped) {
      if (slice.has(instance.step)) continue;
      const found = firstReader(cells, writes, instance.step);
      if (found !== null) omissions.push({ condition: instance.step, ...found });
    }
    if (omissions.length === before) break;
    slice = backwardSlice(graph, start, undefined, furtherOf(omissions));
  }
  return { slice, omissions };
}

/** For each step, the conditions that it depends on by omission. */
export function furtherOf(omissions: readonly Omission[]): ReadonlyMap<number, readonly number[]> {
  const further = new Map<number, number[]>();
  for (const { reader, condition } of omissions) further.set(reader, [...(further.get(reader) ?? []), condition]);
  return further;
}

/** A cell: a register of an activation, a static one, or a byte. */
type Cell = string | number;
type Writes = ReadonlyMap<Cell, Edge>;
type Reads = ReadonlyMap<Cell, { readonly step: number; readonly writer: number }[]>;

function registerCell(program: Program, variable: number, activation: number): Cell {
  return nth(program.variables, variable).kind === "static" ? `s${variable}` : `r${variable} ${activation}`;
}

/**
 * The cells that flipped runs write, and the steps of their conditions: only reads after a condition of values written
 * before it count.
 */
type Asked = { readonly cells: ReadonlySet<Cell>; readonly conditions: readonly number[] };

function askedOf(flipped: ReadonlyMap<PlaceVisit, Writes>): Asked {
  const cells = new Set<Cell>();
  for (const writes of flipped.values()) for (const cell of writes.keys()) cells.add(cell);
  return { cells, conditions: [...flipped.keys()].map(({ step }) => step).sort((a, b) => a - b) };
}

/** The readers of the cells that flipped runs write. */
function readCells(graph: DependenceGraph, slice: Slice, asked: Asked): Reads {
  const { program } = graph.trace;
  const { conditions } = asked;
  const last = present(conditions.at(-1));
  const cells = new Map<Cell, { step: number; writer: number }[]>();
  let count = 0;
  const add = (cell: Cell, step: number, writer: number | null): void => {
    if ((writer ?? -1) >= last || !asked.cells.has(cell)) return;
    count++;
    const known = cells.get(cell);
    if (known === undefined) cells.set(cell, [{ step, writer: writer ?? -1 }]);
    else known.push({ step, writer: writer ?? -1 });
  };
  const mayRead = readersOf(asked.cells);
  const readers = Uint8Array.from(graph.edges, (edge) => (mayRead(edge) ? 1 : 0));
  let passed = 0;
  for (let step = Math.max(graph.first, nth(conditions, 0) + 1); step < graph.end; step++) {
    while (passed < conditions.length && nth(conditions, passed) < step) passed++;
    // Most steps read values that were written after the last condition.
    if (readers[graph.code(step)] === 0 || !slice.has(step)) continue;
    if (graph.oldestRead(step) >= nth(conditions, passed - 1)) continue;
    for (const { expression, writer, address, size } of graph.reads(step)) {
      if (address !== 0) for (let i = 0; i < Math.min(size, 64); i++) add(address + i, step, writer);
      else if (expression?.kind === "variable") {
        add(registerCell(program, expression.variable, graph.activation(step)), step, writer);
      }
    }
    if (count > maxCells) return new Map();
  }
  return cells;
}

/** Excludes edges that only read registers which no flipped run writes: most steps of a long run. */
function readersOf(written: ReadonlySet<Cell>): (edge: Edge) => boolean {
  const registers = new Set<number>();
  let memory = false;
  for (const cell of written) {
    if (typeof cell === "number") memory = true;
    else registers.add(Number.parseInt(cell.slice(1), 10));
  }
  const readsSome = (expression: Expression): boolean => {
    if (expression.kind === "variable") return registers.has(expression.variable);
    return (memory && expression.kind === "load") || expressionOperands(expression).some(readsSome);
  };
  return ({ operation }) => {
    const isPlain = operation.kind === "assign" || operation.kind === "assume";
    return (!isPlain && memory) || operationExpressions(operation).some(readsSome);
  };
}

/** The writes of a flipped run that its first step, the condition, controls. */
function writesOf(program: Program, edges: readonly Edge[], tracker: DependenceTracker): Writes {
  const { steps, from } = tracker;
  const writes = new Map<Cell, Edge>();
  const end = Math.min(tracker.step - from, steps.code.length);
  for (let i = 1; i < end; i++) {
    const edge = nth(edges, nth(steps.code, i));
    const { operation } = edge;
    if (operation.kind === "assign" || operation.kind === "call" || operation.kind === "callLibrary") {
      if (operation.target !== null) {
        writes.set(registerCell(program, operation.target, nth(steps.activation, i)), edge);
      }
    }
    const address = nth(steps.writeAddress, i);
    if (address === 0) continue;
    const size = writtenBytes(program, tracker, from + i, edge);
    for (let k = 0; k < size; k++) writes.set(address + k, edge);
  }
  return writes;
}

/** Library functions write from their first address on; a few bytes identify the cell. */
function writtenBytes(program: Program, tracker: DependenceTracker, step: number, { operation }: Edge): number {
  if (operation.kind === "store") return sizeOf(operation.type, program.pointerBytes) ?? 1;
  return Math.min(tracker.copies.get(step)?.size ?? 8, 256);
}

/**
 * The first step of the slice after the condition that reads the missing write's cell, which had been written before.
 */
function firstReader(
  cells: Reads,
  writes: Writes,
  condition: number,
): { readonly reader: number; readonly write: Edge } | null {
  let best: { reader: number; write: Edge } | null = null;
  for (const [cell, write] of writes) {
    for (const { step, writer } of cells.get(cell) ?? []) {
      if (step > condition && writer < condition && (best === null || step < best.reader))
        best = { reader: step, write };
    }
  }
  return best;
}
