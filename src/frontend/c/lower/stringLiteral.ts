import type { SourceRange } from "../../../base/sourceRange.ts";
import { addressOfVariable } from "../../../ir/builder.ts";
import type { IntType } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { addVariable, type Context, type UnitContext } from "./context.ts";
import type { MemoryPlace } from "./place.ts";

export function elementTypeOfString(unit: UnitContext, prefix: string): IntType {
  switch (prefix) {
    case "L":
      return unit.types.int;
    case "u":
      return unit.types.unsignedShort;
    case "U":
      return unit.types.unsignedInt;
    default:
      return unit.types.char;
  }
}

/** A string literal is a static array; equal ones are one object. */
export function stringPlace(unit: UnitContext, e: Expr & { kind: "string" }): MemoryPlace {
  return literalPlace(unit, e.units, elementTypeOfString(unit, e.prefix), e.range);
}

function literalPlace(unit: UnitContext, units: readonly number[], element: IntType, range: SourceRange): MemoryPlace {
  const key = `${element.name}:${units.join(",")}`;
  let id = unit.literals.get(key);
  if (id === undefined) {
    id = addVariable(unit, {
      name: `$string${unit.literals.size + 1}`,
      madeUp: true,
      type: { kind: "array", element, length: units.length + 1 },
      kind: "static",
      storage: "memory",
      function: null,
      literal: bytesOf(units, element.bits / 8),
      range,
    }).id;
    unit.literals.set(key, id);
  }
  const variable = unit.variables[id]!;
  return { kind: "memory", type: variable.type, address: addressOfVariable(variable) };
}

/** With the terminating zero. */
function bytesOf(units: readonly number[], size: number): Uint8Array {
  const bytes = new Uint8Array((units.length + 1) * size);
  units.forEach((value, i) => {
    for (let byte = 0; byte < size; byte++) bytes[i * size + byte] = (value >>> (8 * byte)) & 255;
  });
  return bytes;
}

const functionNameIdentifiers = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

export function isFunctionNameIdentifier(name: string): boolean {
  return functionNameIdentifiers.has(name);
}

/** `__func__`. */
export function functionName(cx: Context, range: SourceRange): MemoryPlace {
  return literalPlace(cx.unit, [...Buffer.from(cx.name, "utf8")], cx.unit.types.char, range);
}
