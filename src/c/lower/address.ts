import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { constant } from "../../ir/builder.ts";
import { rootOfAddress } from "../../ir/dataFlow.ts";
import { type Expression, type IndexBound, indexLimit, placedLike } from "../../ir/expression.ts";
import { type PointerType, printType, type StructType, type Type } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { typeOfOperand } from "../declare/resolveType.ts";
import { productOf, sizeOfType } from "../declare/sizes.ts";
import { pointerTo } from "../types/cType.ts";
import { findField } from "../types/layout.ts";
import { convert } from "./arithmetic.ts";
import { type Context, type FlatPlace, inputError, type MemoryPlace, type Place, unsupported } from "./context.ts";

/** `pointer + index` elements; for run-time sized elements the index counts their constant-sized parts. */
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

/** An address that is only taken may point one past an array's last element. */
export function takenAddress(address: Expression): Expression {
  if (address.kind !== "offset" || address.bound === undefined) return address;
  return placedLike({ ...address, bound: { ...address.bound, past: true } }, address);
}

/** Finds the member of a struct, also inside anonymous members. */
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
    if (at.kind === "flat") at = nth(at.parts, present(at.type.layout).fields.indexOf(field));
    offset += field.offset;
  }
  if (place.kind !== "memory") return at;
  const field = nth(path, path.length - 1);
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
  if (place.kind === "flat") return nth(place.parts, position);
  const field = nth(present((place.type as FlatPlace["type"]).layout).fields, position);
  return fieldPlace(place, field.name, field.type, field.offset, field.bitField);
}

export function elementAt(cx: Context, place: MemoryPlace, index: number, range: SourceRange): MemoryPlace {
  const element = (place.type as Type & { kind: "array" }).element;
  const pointer = { ...place.address, type: pointerTo(element) } as Expression;
  const address = offsetPointer(cx, pointer, constant(cx.unit.types.int, BigInt(index)), true, range);
  return { kind: "memory", type: element, address };
}

/** The bound of `array[…]` inside a larger object, as in gcc's `-fsanitize=bounds`; null for a whole object. */
export function subobjectBound(cx: Context, array: Expr, place: Place): IndexBound | null {
  if (cx.unit.options.subobjectBounds === false) return null;
  if (place.kind !== "memory" || place.type.kind !== "array" || place.type.length === null) return null;
  if (place.address.kind === "addressOf") return null;
  if (isBehindPointer(place.address) && isLastMember(cx, array)) return null;
  return { length: place.type.length, past: false };
}

function isBehindPointer(address: Expression): boolean {
  return rootOfAddress(address).kind !== "addressOf";
}

/** True for the last member of all enclosing structs: through a pointer it may have as many elements as allocated. */
function isLastMember(cx: Context, array: Expr): boolean {
  if (array.kind !== "member") return false;
  for (let at: Expr = array; at.kind === "member"; at = at.object) {
    const type = typeOfOperand(cx, at.object);
    if (!isLastField(at.arrow && type.kind === "pointer" ? type.to : type, at.field)) return false;
    if (at.arrow) return true;
  }
  return true;
}

function isLastField(type: Type, name: string): boolean {
  if (type.kind !== "struct") return false;
  let container: StructType = type;
  for (const field of findField(type, name) ?? []) {
    const fields = container.layout?.fields ?? [];
    if (!container.union && fields[fields.length - 1] !== field) return false;
    if (field.type.kind === "struct") container = field.type;
  }
  return true;
}
