import { addressOfVariable, type DraftEdge, emitTo, retype } from "../../../ir/builder.ts";
import { type FinishedGraph, finishGraph } from "../../../ir/finishGraph.ts";
import type { FunctionId } from "../../../ir/program.ts";
import { initializerName } from "../../../ir/reservedNames.ts";
import { copyStruct, writePlace } from "./accessPlace.ts";
import { addVariable, type Context, inputError, newContext, note, type UnitContext } from "./context.ts";
import { emitInitializer } from "./initialize.ts";
import { lowerExpr } from "./lowerExpression.ts";
import { inputPlace } from "./lowerUndefinedCall.ts";
import type { StaticObject } from "./scope.ts";
import { isErrno, placeOfStatic } from "./staticObjects.ts";

export const initializerId = 0 as FunctionId;

/** The operations that give one static object its first value; joined later, in the order of declaration. */
export type StaticInitializer = { readonly object: StaticObject; readonly graph: FinishedGraph };

export function lowerStatic(unit: UnitContext, object: StaticObject): StaticInitializer {
  const cx = newContext(unit, initializerId, initializerName, null, object.scope);
  const place = placeOfStatic(unit, object);
  const { initializer } = object;
  if (initializer !== null) {
    if (initializer.kind === "expression" && place.type.kind === "struct") {
      const value = lowerExpr(cx, initializer.value);
      if (value.kind !== "struct")
        inputError("TF171", `${object.name} must be initialised with a struct`, object.range);
      copyStruct(cx, place, value.place, object.range);
    } else emitInitializer(cx, place, initializer, false, object.range);
  } else if (!object.defined) initializeUndefined(cx, object);
  emitTo(cx, cx.exit, { kind: "return", value: null }, object.range);
  return { object, graph: finishGraph(cx.graph, 0, cx.exit) };
}

const streams = ["stdin", "stdout", "stderr"] as const;

/** The standard streams and `errno` are declared by the library's headers and defined by us. */
export function isOfLibrary(object: StaticObject): boolean {
  return isErrno(object) || streamOf(object) !== null;
}

function streamOf({ name, type }: StaticObject): (typeof streams)[number] | null {
  return type.kind === "pointer" ? (streams.find((stream) => stream === name) ?? null) : null;
}

/** Declared `extern` and defined nowhere. */
function initializeUndefined(cx: Context, object: StaticObject): void {
  const { unit } = cx;
  const { range, name } = object;
  if (isErrno(object)) return;
  const place = placeOfStatic(unit, object);
  const role = streamOf(object);
  if (role !== null && place.type.kind === "pointer") {
    const stream = addVariable(unit, {
      name: `$${name}`,
      madeUp: true,
      role,
      type: { kind: "array", element: unit.types.char, length: 1 },
      kind: "static",
      storage: "memory",
      function: null,
      range,
    });
    return writePlace(cx, place, retype(addressOfVariable(stream), place.type), range);
  }
  const isNumber = place.type.kind === "int" || place.type.kind === "bool" || place.type.kind === "float";
  if (!isNumber) return note(cx, `undefined variable ${name}: it starts as zero`, range);
  note(cx, `undefined variable ${name}: its first value is an input`, range);
  inputPlace(cx, place, name, range);
}

/** All initialisers one behind the other, as one function body. */
export function joinInitializers(initializers: readonly StaticInitializer[]): FinishedGraph {
  const edges: DraftEdge[] = [];
  const exit = 0;
  let locations = 1;
  const starts = initializers.map(({ graph }) => {
    const start = locations;
    locations += graph.locations;
    return start;
  });
  const last = locations++;
  initializers.forEach(({ graph }, i) => {
    const start = starts[i]!;
    const next = i + 1 < starts.length ? starts[i + 1]! + initializers[i + 1]!.graph.entry : last;
    for (const edge of graph.edges) {
      const from = start + edge.from;
      if (edge.operation.kind === "return") edges.push({ ...edge, from, to: next, operation: { kind: "skip" } });
      else edges.push({ ...edge, from, to: edge.to === graph.exit ? exit : start + edge.to });
    }
  });
  const range = initializers[0]?.object.range ?? { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  edges.push({ from: last, to: exit, operation: { kind: "return", value: null }, range });
  const first = initializers[0];
  return finishGraph({ locations, edges }, first === undefined ? last : starts[0]! + first.graph.entry, exit);
}
