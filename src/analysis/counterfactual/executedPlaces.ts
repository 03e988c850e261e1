import type { SourceRange } from "../../base/sourceRange.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import { type VariedPlace, variedPlacesOf } from "../../interpreter/rerun/places.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { rangeOfExpression } from "../../ir/expression.ts";
import type { Edge, Function, Program } from "../../ir/program.ts";
import { isOfLibrary } from "../../ir/reservedNames.ts";
import { containsRange } from "../../ir/statementAt.ts";

/** A place that the run came to and that experiments may change: no part of an assertion, and more than output. */
export type ExecutedPlace = { readonly number: number; readonly place: VariedPlace };

/** Of what statics begin with only the constants in the slice are places: tables may be long. */
export function executedPlaces({ trace }: DependenceGraph, slice: Slice): readonly ExecutedPlace[] {
  const { program } = trace;
  const sliced = slice.distances();
  const executed = executedLocations(trace);
  const asserted = assertionRanges(program);
  return variedPlacesOf(program)
    .list.map((place, number) => ({ number, place }))
    .filter(
      ({ place: { function: fn, edge, kind } }) =>
        executed[fn.id]![edge.from] === 1 &&
        !isOfLibrary(fn) &&
        !onlyPrints(edge) &&
        (fn.id !== program.initializer || (kind === "constant" && sliced.has(edge))) &&
        !asserted.get(fn)!.some((range) => containsRange(range, edge.range)),
    );
}

/** Where in the source a place is. */
export function rangeOfPlace(place: VariedPlace): SourceRange {
  switch (place.kind) {
    case "condition":
      return place.edge.range;
    case "value":
      if (place.use === "selector") return selectorRange(place) ?? place.edge.range;
      return place.use === "argument" || place.use === "index"
        ? ((place.expression === null ? null : rangeOfExpression(place.expression)) ?? place.edge.range)
        : place.edge.range;
    case "constant":
    case "comparison":
    case "operator":
    case "variable":
      return rangeOfExpression(place.expression) ?? place.edge.range;
    case "statement":
      return place.range;
  }
}

/** The edge of a `switch` is at one of its labels; what it selects by, without the conversion that nobody wrote, at its head. */
function selectorRange({ expression }: Extract<VariedPlace, { readonly kind: "value" }>): SourceRange | null {
  let inner = expression;
  while (inner !== null && inner.kind === "convert" && rangeOfExpression(inner) === null) inner = inner.operand;
  return inner === null ? null : rangeOfExpression(inner);
}

/** By function and location: 1 where the run came by. */
export function executedLocations({ program, blocks, log }: Trace): readonly Uint8Array[] {
  const executed = program.functions.map(({ locations }) => new Uint8Array(locations));
  const seen = new Uint8Array(blocks.count);
  for (const chunk of log) for (const block of chunk) seen[block] = 1;
  for (let block = 0; block < blocks.count; block++) {
    if (seen[block] === 0) continue;
    const fn = program.functions[blocks.functionOf[block]!]!;
    for (let i = blocks.first[block]!; i < blocks.first[block + 1]!; i++) {
      executed[fn.id]![fn.edges[blocks.edges[i]!]!.from] = 1;
    }
  }
  return executed;
}

function assertionRanges(program: Program): ReadonlyMap<Function, readonly SourceRange[]> {
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
