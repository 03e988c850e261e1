import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { type Unit, unitsOf } from "./units.ts";

/**
 * The steps of a run as a reader counts them: one visit is one execution of a unit, without the calls that it makes. A unit that
 * begins again is another visit.
 */
export type Visits = {
  /** The visit of a step; -1 for steps that the source does not spell out. */
  of(step: number): number;
  unit(visit: number): Unit;
  /** In the order of the run. */
  steps(visit: number): readonly number[];
  first(visit: number): number;
  /** How many visits the unit had up to this one, in the window of the graph. */
  ordinal(visit: number): number;
  /** How many it has in all. */
  total(unit: Unit): number;
  /** The step in which the callee of a call returned; null where the run ended before. */
  returnOf(call: number): number | null;
  /** For each activation in the window, how many calls of its function there were up to it. */
  callNumber(activation: number): number;
};

/** A unit has a few edges: a list of those that were executed is faster than a set. */
type OpenVisit = { id: number; unit: Unit; readonly seen: number[]; last: number };

/** One function: it is one walk over the run, and all that is kept changes with each step. */
export function visitsOf(graph: DependenceGraph): Visits {
  const { first, end } = graph;
  const unitOf = unitsOf(graph.trace.program);
  const visitOf = new Int32Array(end - first).fill(-1);
  const nextStep = new Int32Array(end - first).fill(-1);
  // By visit: its first step, its unit, how many visits the unit had by then.
  const starts = new Int32Array(end - first);
  const units = new Int32Array(end - first);
  const ordinals = new Int32Array(end - first);
  let count = 0;
  // By the number of a unit: it, and how many visits it has.
  const unitNumbered: Unit[] = [];
  const totals: number[] = [];
  const open = new Map<number, OpenVisit>();
  const lastCall = new Map<number, number>();
  const returns = new Map<number, number>();
  const calls = countCalls(graph);
  const unitOfEdge: (Unit | null | undefined)[] = new Array(graph.edges.length);
  // Most steps are of the activation that the one before is of.
  let [activation, call]: [number, number | undefined] = [-1, undefined];
  let visit: OpenVisit | undefined;

  for (let step = first; step < end; step++) {
    const code = graph.code(step);
    const { kind } = graph.edges[code]!.operation;
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
      unit = unitOf(graph.function(step), graph.edges[code]!);
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
      // An activation has one visit under way: its next one takes the place of it.
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
    of: (step) => (step >= first && step < end ? visitOf[step - first]! : -1),
    unit: (visit) => unitNumbered[units[visit]!]!,
    steps(visit) {
      const steps: number[] = [];
      for (let step = starts[visit]!; step !== -1; step = nextStep[step - first]!) steps.push(step);
      return steps;
    },
    first: (visit) => starts[visit]!,
    ordinal: (visit) => ordinals[visit]!,
    total: (unit) => totals[unit.id] ?? 0,
    returnOf: (call) => returns.get(call) ?? null,
    callNumber: (activation) => calls.get(activation) ?? 1,
  };
}

function countCalls(graph: DependenceGraph): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  const counts = new Map<number, number>();
  let last = -1;
  for (let step = graph.first; step < graph.end; step++) {
    const activation = graph.activation(step);
    if (activation === last || numbers.has(activation)) continue;
    last = activation;
    const { id } = graph.function(step);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    numbers.set(activation, count);
  }
  return numbers;
}
