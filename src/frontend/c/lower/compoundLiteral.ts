import { addressOfVariable, emit } from "../../../ir/builder.ts";
import type { Expr } from "../ast.ts";
import { addVariable, type Context } from "./context.ts";
import { completeArray, emitInitializer } from "./initialize.ts";
import type { MemoryPlace } from "./place.ts";
import { typeOfTypeName } from "./resolveType.ts";

/** An object without a name: of the enclosing block in a function, static in the initialiser of a static. */
export function lowerCompoundLiteral(cx: Context, e: Expr & { kind: "compoundLiteral" }): MemoryPlace {
  const type = completeArray(cx, typeOfTypeName(cx, e.type), e.initializer);
  const inFunction = cx.type !== null;
  const variable = addVariable(cx.unit, {
    name: `$${++cx.temporaries}`,
    madeUp: true,
    type,
    kind: inFunction ? "temporary" : "static",
    storage: "memory",
    function: inFunction ? cx.owner : null,
    range: e.range,
  });
  const place: MemoryPlace = { kind: "memory", type, address: addressOfVariable(variable) };
  if (inFunction) emit(cx, { kind: "declare", variable: variable.id }, e.range);
  emitInitializer(cx, place, e.initializer, inFunction);
  return place;
}
