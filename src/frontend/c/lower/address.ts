import type { SourceRange } from "../../../base/sourceRange.ts";
import { constant } from "../../../ir/builder.ts";
import { type Expression, type IndexBound, indexLimit, placedLike } from "../../../ir/expression.ts";
import { type PointerType, printType, type Type } from "../../../ir/type.ts";
import { pointerTo } from "../types/cType.ts";
import { findField } from "../types/layout.ts";
import { type Context, inputError, unsupported } from "./context.ts";
import { convert } from "./convert.ts";
import type { FlatPlace, MemoryPlace, Place } from "./place.ts";
import { productOf, sizeOfType } from "./sizes.ts";

/** `pointer + index` elements; with run-time sized elements the index is counted in their constant-sized parts. */
export function offsetPointer(
  cx: Context,
  pointer: Expression,
  index: Expression,
  subscript: boolean,
  range: SourceRange,
  bound: IndexBound | null = null,
): Expression {
  const type = pointer.type as PointerType;
  const size = sizeOfType(cx, type.to, range);
  const { difference } = cx.unit.types;
  const parts = productOf(cx, size.factors, difference);
  const integer = index.type.kind === "bool" ? convert(index, cx.unit.types.int, cx.unit.types.pointerBytes) : index;
  const scaled: Expression =
    parts === null
      ? integer
      : {
          kind: "binary",
          operator: "*",
          type: difference,
          left: convert(integer, difference, cx.unit.types.pointerBytes),
          right: parts,
        };
  const isBounded = bound !== null && parts === null && !isSurelyInside(integer, bound);
  return {
    kind: "offset",
    type,
    pointer,
    index: scaled,
    scale: size.bytes,
    subscript,
    ...(isBounded ? { bound } : {}),
  };
}

function isSurelyInside(index: Expression, bound: IndexBound): boolean {
  return index.kind === "constant" && index.value >= 0 && index.value < indexLimit(bound);
}

/** An address that is only taken may be the one behind an array's last element. */
export function takenAddress(address: Expression): Expression {
  if (address.kind !== "offset" || address.bound === undefined) return address;
  return placedLike({ ...address, bound: { ...address.bound, past: true } }, address);
}

/** The member of a struct, found through anonymous members. */
export function memberOf(place: Place, name: string, range: SourceRange): Place {
  if (place.type.kind !== "struct") {
    return inputError("TF157", `${printType(place.type)} has no member ${name}: it is not a struct or union`, range);
  }
  if (place.type.layout === null) return inputError("TF153", `${place.type.name} is incomplete`, range);
  const path = findField(place.type, name);
  if (path === null) return inputError("TF157", `${place.type.name} has no member ${name}`, range);
  let at: Place = place;
  let offset = 0;
  for (const field of path) {
    if (at.kind === "flat") at = at.parts[at.type.layout!.fields.indexOf(field)]!;
    offset += field.offset;
  }
  if (place.kind !== "memory") return at;
  const field = path[path.length - 1]!;
  if (field.bitField !== undefined && field.type.kind === "int") {
    if (field.bitField.shift + field.bitField.width > field.type.bits) {
      unsupported("TF252", `the packed bit-field ${name} is not supported`, range);
    }
  }
  return fieldPlace(place, field.name, field.type, offset, field.bitField);
}

function fieldPlace(
  place: MemoryPlace,
  name: string,
  type: Type,
  offset: number,
  bitField: MemoryPlace["bitField"],
): MemoryPlace {
  const address: Expression = {
    kind: "fieldAddress",
    type: pointerTo(type),
    pointer: place.address,
    field: name,
    offset,
  };
  return bitField === undefined ? { kind: "memory", type, address } : { kind: "memory", type, address, bitField };
}

/** The field at a position of the struct's layout, as initialisers count them. */
export function fieldAt(place: MemoryPlace | FlatPlace, position: number): Place {
  if (place.kind === "flat") return place.parts[position]!;
  const field = (place.type as FlatPlace["type"]).layout!.fields[position]!;
  return fieldPlace(place, field.name, field.type, field.offset, field.bitField);
}

/** An element of an array in memory. */
export function elementAt(cx: Context, place: MemoryPlace, index: number, range: SourceRange): MemoryPlace {
  const element = (place.type as Type & { kind: "array" }).element;
  const pointer = { ...place.address, type: pointerTo(element) } as Expression;
  const address = offsetPointer(cx, pointer, constant(cx.unit.types.int, BigInt(index)), true, range);
  return { kind: "memory", type: element, address };
}
