import type { SourceRange } from "../../../base/sourceRange.ts";
import { addressOfVariable, emit, retype } from "../../../ir/builder.ts";
import { type Expression, placedAt, rangeOfExpression } from "../../../ir/expression.ts";
import { type IntType, isScalar, type ScalarType, type StructType } from "../../../ir/type.ts";
import { promoteBitField } from "../types/arithmeticConversions.ts";
import { pointerTo } from "../types/cType.ts";
import { fieldAt, takenAddress } from "./address.ts";
import { type Context, inputError, newMemoryTemporary } from "./context.ts";
import { convert } from "./convert.ts";
import { type FlatPlace, type LoweredValue, type MemoryPlace, type Place, scalar, voidValue } from "./place.ts";
import { constantSize } from "./sizes.ts";

/** The value of a place. Arrays and functions turn into pointers, bit-fields are promoted. */
export function readPlace(cx: Context, place: Place): LoweredValue {
  switch (place.kind) {
    case "register":
      return scalar({ kind: "variable", type: place.type, variable: place.variable });
    case "flat":
      return { kind: "struct", type: place.type, place };
    case "memory": {
      const { type, address } = place;
      if (type.kind === "array") return scalar(retype(takenAddress(address), pointerTo(type.element)));
      if (type.kind === "function") return scalar(retype(address, pointerTo(type)));
      if (type.kind === "struct") return { kind: "struct", type, place };
      if (type.kind === "void") return voidValue;
      if (place.bitField === undefined) return scalar({ kind: "load", type, address });
      const { types } = cx.unit;
      const load: Expression = { kind: "load", type, address, bitField: place.bitField };
      const promoted = promoteBitField(type as IntType, place.bitField.width, types);
      return scalar(convert(load, promoted, types.pointerBytes));
    }
  }
}

/** The type that a value assigned to the place is converted to. */
export function assignedType(place: Place, range: SourceRange): ScalarType {
  if (!isScalar(place.type)) return inputError("TF158", "this cannot be assigned", range);
  return place.type;
}

/** Converts a scalar and writes it. */
export function writePlace(cx: Context, place: Place, value: Expression, range: SourceRange): void {
  const type = assignedType(place, range);
  const converted = convertTo(cx, fitBitField(cx, place, value), type, range);
  if (place.kind === "register") {
    if (converted.kind === "variable" && converted.variable === place.variable) return;
    emit(cx, { kind: "assign", target: place.variable, value: converted }, range);
  } else if (place.kind === "memory") {
    const { address, bitField } = place;
    emit(
      cx,
      { kind: "store", type, address, value: converted, ...(bitField === undefined ? {} : { bitField }) },
      range,
    );
  }
}

/** A bit-field's storage unit may be narrower than its declared type, which a floating value must fit first. */
function fitBitField(cx: Context, place: Place, value: Expression): Expression {
  if (place.kind !== "memory" || place.bitField === undefined || value.type.kind !== "float") return value;
  const { types } = cx.unit;
  return convert(value, promoteBitField(place.type as IntType, place.bitField.width, types), types.pointerBytes);
}

/** An implicit conversion, as lenient as gcc with integers and pointers. */
export function convertTo(cx: Context, value: Expression, type: ScalarType, range: SourceRange): Expression {
  const from = value.type;
  const { types } = cx.unit;
  if ((from.kind === "float" && type.kind === "pointer") || (from.kind === "pointer" && type.kind === "float")) {
    inputError("TF159", "a pointer and a floating value cannot be converted into each other", range);
  }
  return placedAt(convert(value, type, types.pointerBytes), rangeOfExpression(value) ?? range);
}

/** Assigns a struct: one copy between memory objects, else one step per scalar. */
export function copyStruct(cx: Context, to: Place, from: MemoryPlace | FlatPlace, range: SourceRange): void {
  if (to.type.kind !== "struct" || from.type.kind !== "struct") {
    inputError("TF158", "a struct cannot be assigned to this", range);
  }
  if (to.kind === "memory" && from.kind === "memory") {
    const size = constantSize(cx, to.type, range);
    if (size > 0) emit(cx, { kind: "copy", to: to.address, from: from.address, size }, range);
    return;
  }
  copyParts(cx, to as MemoryPlace | FlatPlace, from, range);
}

function copyParts(cx: Context, to: MemoryPlace | FlatPlace, from: MemoryPlace | FlatPlace, range: SourceRange): void {
  const fields = (from.type as StructType).layout?.fields ?? [];
  if (fields.length !== (to.type as StructType).layout?.fields.length) {
    inputError("TF158", "structs of different types cannot be assigned to each other", range);
  }
  fields.forEach((_, i) => {
    const source = fieldAt(from, i);
    const target = fieldAt(to, i);
    const value = readPlace(cx, source);
    if (value.kind === "struct") copyParts(cx, target as MemoryPlace | FlatPlace, value.place, range);
    else if (value.kind === "scalar") writePlace(cx, target, value.expression, range);
  });
}

/** The address of a struct value, which a flattened one has only after a copy to memory. */
export function addressOfStruct(cx: Context, value: LoweredValue & { kind: "struct" }, range: SourceRange): Expression {
  if (value.place.kind === "memory") return value.place.address;
  const place = temporaryStruct(cx, value.type, range);
  copyStruct(cx, place, value.place, range);
  return place.address;
}

export function temporaryStruct(cx: Context, type: StructType, range: SourceRange): MemoryPlace {
  if (type.layout === null) inputError("TF153", `${type.name} is incomplete`, range);
  const variable = newMemoryTemporary(cx, type, range);
  return { kind: "memory", type, address: addressOfVariable(variable) };
}
