import { nth, present } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { type VariedPlace, variedPlacesOf } from "../../interpreter/rerun/places.ts";
import type { InstanceLog } from "../../interpreter/rerun/variation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { rangeOfExpression } from "../../ir/expression.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import { isOfLibrary } from "../../ir/reservedNames.ts";
import { containsRange } from "../../ir/source.ts";

/** An executed place that experiments may change; not in assertions or output. */
export type ExecutedPlace = { readonly number: number; readonly place: VariedPlace };

export function executedPlaces({ trace }: DependenceGraph): readonly ExecutedPlace[] {
  const { program } = trace;
  const executed = executedLocations(trace);
  const asserted = assertionRanges(program);
  return variedPlacesOf(program)
    .list.map((place, number) => ({ number, place }))
    .filter(
      ({ place: { function: fn, edge } }) =>
        nth(executed, fn.id)[edge.from] === 1 &&
        !isOfLibrary(fn) &&
        !onlyPrints(edge) &&
        fn.id !== program.initializer &&
        !present(asserted.get(fn)).some((range) => containsRange(range, edge.range)),
    );
}

export function rangeOfPlace(place: VariedPlace): SourceRange {
  switch (place.kind) {
    case "condition":
      return place.edge.range;
    case "value":
      if (place.use === "selector") return selectorRange(place) ?? place.edge.range;
      return place.use === "argument" || place.use === "index"
        ? ((place.expression === null ? null : rangeOfExpression(place.expression)) ?? place.edge.range)
        : place.edge.range;
  }
}

/** The edge of a `switch` has the location of a label; its selector, without implicit conversion, that of the head. */
function selectorRange({ expression }: Extract<VariedPlace, { readonly kind: "value" }>): SourceRange | null {
  let inner = expression;
  while (inner !== null && inner.kind === "convert" && rangeOfExpression(inner) === null) inner = inner.operand;
  return inner === null ? null : rangeOfExpression(inner);
}

/** 1 for each executed location, by function and location. */
export function executedLocations({ program, blocks, log }: Trace): readonly Uint8Array[] {
  const executed = program.functions.map(({ locations }) => new Uint8Array(locations));
  const seen = new Uint8Array(blocks.count);
  for (const chunk of log) for (const block of chunk) seen[block] = 1;
  for (let block = 0; block < blocks.count; block++) {
    if (seen[block] === 0) continue;
    const fn = nth(program.functions, nth(blocks.functionOf, block));
    for (let i = nth(blocks.first, block); i < nth(blocks.first, block + 1); i++) {
      nth(executed, fn.id)[nth(fn.edges, nth(blocks.edges, i)).from] = 1;
    }
  }
  return executed;
}

export function assertionRanges(program: Program): ReadonlyMap<Function, readonly SourceRange[]> {
  return new Map(
    program.functions.map((fn) => [
      fn,
      fn.edges
        .filter(({ operation }) => operation.kind === "fail" && operation.reason === "assertion")
        .map(({ range }) => range),
    ]),
  );
}

function onlyPrints({ operation }: Edge): boolean {
  return operation.kind === "callLibrary" && /^(f?printf|f?puts|putchar|f?putc|perror|fflush)$/.test(operation.name);
}

/** One visit of a place: its number for re-runs, its step, and the number of earlier visits. */
export type PlaceVisit = { readonly number: number; readonly step: number; readonly visit: number };

/** The visits of one place, in order, without an object for each. */
export type PlaceVisits = {
  readonly length: number;
  at(index: number): PlaceVisit;
};

/** The logged visits of each place; for a long run only its last part and the first visit. */
export function instancesByPlace(log: InstanceLog): (place: number) => PlaceVisits {
  const { place: placeOf, step: stepOf, used, count } = log;
  // A counting sort by place.
  const begin = new Int32Array(count.length + 1);
  for (let i = 0; i < used; i++) begin[nth(placeOf, i) + 1]!++;
  for (let place = 0; place < count.length; place++) begin[place + 1]! += nth(begin, place);
  const filled = begin.slice();
  const order = new Int32Array(used);
  for (let i = 0; i < used; i++) order[filled[nth(placeOf, i)]!++] = i;
  const find = (place: number): PlaceVisits => {
    const from = nth(begin, place);
    const logged = nth(begin, place + 1) - from;
    const number = nth(log.firstNumber, place);
    const isCut = logged > 0 && log.offset + nth(order, from) !== number;
    return {
      length: logged + (isCut ? 1 : 0),
      at(index) {
        if (isCut && index === 0) return { number, step: nth(log.firstStep, place), visit: 0 };
        const k = isCut ? index - 1 : index;
        const i = nth(order, from + k);
        return { number: log.offset + i, step: nth(stepOf, i), visit: nth(count, place) - logged + k };
      },
    };
  };
  const known = new Map<number, PlaceVisits>();
  return (place) => {
    return remembered(known, place, () => find(place));
  };
}

/** Selects visits: the first, the last two and the two with the closest comparison, in the order of the run. */
export function chosenInstances(graph: DependenceGraph, instances: PlaceVisits, max: number): readonly PlaceVisit[] {
  const { length } = instances;
  if (length <= Math.max(max, 5)) return Array.from({ length }, (_, i) => instances.at(i));
  const chosen = new Set([0, length - 2, length - 1, ...closest(graph, instances)]);
  // The others are spread evenly.
  for (let i = 1; chosen.size < max; i++) chosen.add(Math.floor((i * (length - 1)) / max));
  return [...chosen].sort((a, b) => a - b).map(instances.at);
}

const knownClosest = new WeakMap<PlaceVisits, readonly number[]>();

/** The closest comparisons among the last visits. */
function closest(graph: DependenceGraph, instances: PlaceVisits): readonly number[] {
  return remembered(knownClosest, instances, () => {
    const { length } = instances;
    const start = Math.max(0, length - mostCompared);
    return Array.from({ length: length - start }, (_, i) => start + i)
      .map((index) => ({ index, distance: closeness(graph, instances.at(index).step) }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 2)
      .map(({ index }) => index);
  });
}

const mostCompared = 1000;

/** The distance between the sides of a comparison; infinite if it does not compare numbers. */
export function closeness(graph: DependenceGraph, step: number): number {
  if (step < graph.first || step >= graph.end) return Number.POSITIVE_INFINITY;
  const sides = comparedSides(graph.edge(step));
  if (sides === null) return Number.POSITIVE_INFINITY;
  const [left, right] = sides.map((side) => graph.valueOf(step, side));
  if (left === undefined || right === undefined) return Number.POSITIVE_INFINITY;
  return Math.abs(Number(left) - Number(right));
}

function comparedSides({ operation }: Edge) {
  if (operation.kind !== "assume" || operation.condition.kind !== "comparison") return null;
  const { left, right } = operation.condition;
  return left.type.kind === "pointer" ? null : [left, right];
}
