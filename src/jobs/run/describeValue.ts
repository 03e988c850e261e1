import { nth, present } from "../../base/checked.ts";
import { describeObject } from "../../interpreter/describeObject.ts";
import type { Machine } from "../../interpreter/machine.ts";
import { offsetOf } from "../../interpreter/memory/pointer.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Type } from "../../ir/type.ts";

/** A value of a run for people: numbers as they are, pointers as `&a[2]`, `malloc#12+4`, `null`. */
export function describeValue(program: Program, machine: Machine, type: Type, value: ScalarValue | undefined): string {
  if (value === undefined) return "indeterminate";
  if (type.kind !== "pointer") return `${value}`;
  return describePointer(program, machine, value);
}

function describePointer(program: Program, machine: Machine, value: ScalarValue): string {
  if (typeof value === "bigint" || value === 0) return value === 0 ? "null" : `${value}`;
  const object = describeObject(program, machine.sites, machine.memory, value);
  if (object === null) return `${value}`;
  const offset = offsetOf(value);
  const beyond = offset === 0 ? "" : offset > 0 ? `+${offset}` : `${offset}`;
  switch (object.kind) {
    case "function":
      return nth(program.functions, present(object.function)).name;
    case "literal":
      return `${literalText(nth(program.variables, present(object.variable)).literal)}${beyond}`;
    case "heap":
      return `${object.allocator ?? "heap"}#${object.id}${beyond}`;
    default:
      return addressOf(object.name, object.array, offset, beyond);
  }
}

function addressOf(name: string, array: { elementSize: number } | null, offset: number, beyond: string): string {
  if (array !== null && offset % array.elementSize === 0) return `&${name}[${offset / array.elementSize}]`;
  return `&${name}${beyond}`;
}

function literalText(bytes: Uint8Array | undefined): string {
  const text = Buffer.from(bytes ?? [])
    .toString("latin1")
    .replace(/\0$/, "");
  return JSON.stringify(text.length > 20 ? `${text.slice(0, 19)}…` : text);
}
