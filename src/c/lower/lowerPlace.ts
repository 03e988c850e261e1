import type { SourceRange } from "../../base/sourceRange.ts";
import { addressOfFunction, addressOfVariable, emit, mark, retype } from "../../ir/builder.ts";
import { type Expression, type IndexBound, placedAt, rangeOfExpression } from "../../ir/expression.ts";
import { initializerName } from "../../ir/reservedNames.ts";
import { type IntType, isScalar, type ScalarType, type StructType } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { functionName, isFunctionNameIdentifier, stringPlace } from "../declare/initialize.ts";
import { lowerCompoundLiteral } from "../declare/lowerDeclaration.ts";
import { lookup } from "../declare/scope.ts";
import { constantSize } from "../declare/sizes.ts";
import { placeOfStatic } from "../declare/statics.ts";
import { promoteBitField } from "../types/arithmeticConversions.ts";
import { isInteger, pointerTo } from "../types/cType.ts";
import { fieldAt, memberOf, offsetPointer, subobjectBound, takenAddress } from "./address.ts";
import { convert } from "./arithmetic.ts";
import {
  type Context,
  type FlatPlace,
  inputError,
  type LoweredValue,
  type MemoryPlace,
  newMemoryTemporary,
  type Place,
  scalar,
  voidValue,
} from "./context.ts";
import { keepValue } from "./lowerAssignment.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar, selectGeneric } from "./lowerExpression.ts";

/** True if the expression designates an object or function, so that `sizeof` and `&` see it undecayed. */
export function isPlaceExpr(cx: Context, e: Expr): boolean {
  switch (e.kind) {
    case "identifier":
      return lookup(cx.scope, e.name)?.kind !== "enumerator";
    case "string":
    case "subscript":
    case "member":
    case "compoundLiteral":
      return true;
    case "unary":
      return e.operator === "*";
    case "generic":
      return isPlaceExpr(cx, selectGeneric(cx, e));
    default:
      return false;
  }
}

/** The place that an expression designates. A struct result counts as one, for `.member`. */
export function lowerPlace(cx: Context, e: Expr): Place {
  const place = findPlace(cx, e);
  // All uses of a variable share its address expression.
  if (place.kind === "memory" && place.address.kind !== "addressOf") placedAt(place.address, e.range);
  return place;
}

function findPlace(cx: Context, e: Expr): Place {
  switch (e.kind) {
    case "identifier":
      return namedPlace(cx, e.name, e.range);
    case "string":
      return stringPlace(cx.unit, e);
    case "compoundLiteral":
      return lowerCompoundLiteral(cx, e);
    case "subscript":
      return subscriptPlace(cx, e);
    case "member": {
      if (!e.arrow) return memberOf(lowerPlace(cx, e.object), e.field, e.range);
      if (e.object.kind === "unary" && e.object.operator === "&") {
        return memberOf(lowerPlace(cx, e.object.operand), e.field, e.range);
      }
      return memberOf(pointee(lowerScalar(cx, e.object), e.object.range), e.field, e.range);
    }
    case "unary":
      if (e.operator === "*") {
        if (e.operand.kind === "unary" && e.operand.operator === "&") return lowerPlace(cx, e.operand.operand);
        return pointee(lowerScalar(cx, e.operand), e.operand.range);
      }
      break;
    case "comma":
      lowerEffect(cx, e.left);
      return lowerPlace(cx, e.right);
    case "generic":
      return lowerPlace(cx, selectGeneric(cx, e));
    default:
      break;
  }
  const value = lowerExpr(cx, e);
  if (value.kind === "struct") return value.place;
  return inputError("TF158", "this is a value, not an object that can be assigned or has an address", e.range);
}

function namedPlace(cx: Context, name: string, range: SourceRange): Place {
  const entity = lookup(cx.scope, name);
  switch (entity?.kind) {
    case "local":
      if (cx.name === initializerName && !cx.scratch)
        return inputError("TF171", `a static variable cannot start with the value of ${name}`, range);
      return entity.place;
    case "static":
      return placeOfStatic(cx.unit, entity);
    case "function":
      return { kind: "memory", type: entity.type, address: addressOfFunction(entity.linked.id, entity.type) };
    case "enumerator":
    case "typedef":
      return inputError("TF158", `${name} is not an object`, range);
    default:
      if (isFunctionNameIdentifier(name)) return functionName(cx, range);
      return inputError("TF166", `${name} is not declared`, range);
  }
}

export function pointee(pointer: Expression, range: SourceRange): Place {
  if (pointer.type.kind !== "pointer") return inputError("TF167", "this is not a pointer", range);
  return { kind: "memory", type: pointer.type.to, address: pointer };
}

function subscriptPlace(cx: Context, e: Expr & { kind: "subscript" }): Place {
  const first = subscriptOperand(cx, e.array);
  const at = mark(cx);
  const second = subscriptOperand(cx, e.index);
  const kept = keepValue(cx, at, first.value, e.array.range);
  const [pointer, index] = kept.type.kind === "pointer" ? [kept, second.value] : [second.value, kept];
  if (pointer.type.kind !== "pointer" || !isInteger(index.type)) {
    return inputError("TF167", "a subscript needs an array or pointer and an integer", e.range);
  }
  const address = offsetPointer(cx, pointer, index, true, e.range, first.bound ?? second.bound);
  return { kind: "memory", type: pointer.type.to, address };
}

/** The array or the index. The array is accessed at once; its address is not taken. */
function subscriptOperand(cx: Context, e: Expr): { readonly value: Expression; readonly bound: IndexBound | null } {
  if (!isPlaceExpr(cx, e)) return { value: lowerScalar(cx, e), bound: null };
  const place = lowerPlace(cx, e);
  const bound = subobjectBound(cx, e, place);
  if (place.kind === "memory" && place.type.kind === "array") {
    return { value: retype(place.address, pointerTo(place.type.element)), bound };
  }
  return { value: asScalar(readPlace(cx, place), e.range), bound };
}

/** The value of a place. Arrays and functions decay to pointers; bit-fields are promoted. */
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
  // Compilers warn about this; a change that needs it is not proposed.
  const isMixed = (from.kind === "pointer") !== (type.kind === "pointer");
  const isNull = type.kind === "pointer" && value.kind === "constant";
  if (cx.unit.made.isAlternative && isMixed && !isNull) {
    inputError("TF159", "a pointer and a number are converted into each other without a cast", range);
  }
  return placedAt(convert(value, type, types.pointerBytes), rangeOfExpression(value) ?? range);
}

/** Assigns a struct: one copy between memory objects, else one assignment per scalar. */
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

/** The address of a struct value; a flat struct is copied to memory first. */
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
