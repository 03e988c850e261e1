import { type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import { rangeOfExpression } from "../../ir/expression.ts";
import { type Edge, type Function, type Program, withEdges } from "../../ir/program.ts";
import { sameType } from "../../ir/type.ts";
import type { ExecutedPlace } from "./executedPlaces.ts";

/** Two neighbouring arguments of a call that may stand in each other's place. */
export type SwappedArguments = {
  readonly function: Function;
  readonly call: Edge;
  readonly first: SourceRange;
  readonly second: SourceRange;
  readonly range: SourceRange;
  rewritten(program: Program): Program;
};

export function swappedArguments(places: readonly ExecutedPlace[]): readonly SwappedArguments[] {
  const calls = new Map<Edge, Function>();
  for (const { place } of places) {
    if (place.kind === "value" && place.use === "argument") calls.set(place.edge, place.function);
  }
  return [...calls].flatMap(([call, fn]) => swapsOf(fn, call));
}

function swapsOf(fn: Function, call: Edge): readonly SwappedArguments[] {
  const { operation } = call;
  if (operation.kind !== "call" && operation.kind !== "callLibrary") return [];
  const { arguments: passed } = operation;
  return passed.slice(1).flatMap((right, i) => {
    const left = passed[i]!;
    const [first, second] = [rangeOfExpression(left), rangeOfExpression(right)];
    if (first === null || second === null || !sameType(left.type, right.type)) return [];
    const swapped = passed.map((argument, at) => (at === i ? right : at === i + 1 ? left : argument));
    const other: Edge = { ...call, operation: { ...operation, arguments: swapped } };
    return [
      {
        function: fn,
        call,
        first,
        second,
        range: spanRanges(first, second),
        rewritten: (program) => withEdges(program, fn, (edge) => (edge === call ? other : edge)),
      },
    ];
  });
}
