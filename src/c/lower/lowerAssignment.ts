import { emit, mark, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import { isScalar } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { applyBinary, step } from "./arithmetic.ts";
import { type Context, inputError, type LoweredValue, newTemporary, type Place, scalar, voidValue } from "./context.ts";
import { lowerCall } from "./lowerCall.ts";
import { asScalar, lowerExpr, lowerPlace, lowerScalar } from "./lowerExpression.ts";
import { assignedType, convertTo, copyStruct, readPlace, writePlace } from "./lowerPlace.ts";
import { keepValue } from "./spill.ts";

type AssignmentExpr = Expr & { kind: "assignment" };
type IncrementExpr = Expr & { kind: "increment" };

/** `wanted`: is the value of the assignment used? */
export function lowerAssignment(cx: Context, e: AssignmentExpr, wanted: boolean): LoweredValue {
  return e.operator === null ? lowerPlain(cx, e, wanted) : lowerCompound(cx, e, e.operator, wanted);
}

function lowerPlain(cx: Context, e: AssignmentExpr, wanted: boolean): LoweredValue {
  const target = lowerPlace(cx, e.left);
  const at = mark(cx);
  const value = lowerInto(cx, e.right, target);
  const place = keepPlace(cx, at, target, e.left);
  if (value.kind === "struct") {
    copyStruct(cx, place, value.place, e.range);
    return place.kind === "register" ? voidValue : { kind: "struct", type: value.type, place };
  }
  return assign(cx, place, asScalar(value, e.right.range), e, wanted);
}

/** A value that is about to be written to `target`: a call may deliver its result there directly. */
export function lowerInto(cx: Context, e: Expr, target: Place): LoweredValue {
  return e.kind === "call" && target.kind === "register" ? lowerCall(cx, e, target) : lowerExpr(cx, e);
}

/** The right side comes first: that is the order that gcc and clang keep when it has side effects. */
function lowerCompound(
  cx: Context,
  e: AssignmentExpr,
  operator: NonNullable<AssignmentExpr["operator"]>,
  wanted: boolean,
): LoweredValue {
  const right = lowerScalar(cx, e.right);
  const at = mark(cx);
  const place = lowerPlace(cx, e.left);
  const operand = keepValue(cx, at, right, e.right.range);
  const current = asScalar(readPlace(cx, place), e.left.range);
  return assign(cx, place, applyBinary(cx, operator, current, operand, e.range), e, wanted);
}

export function lowerIncrement(cx: Context, e: IncrementExpr, wanted: boolean): LoweredValue {
  const place = lowerPlace(cx, e.operand);
  if (!isScalar(place.type)) return inputError("TF160", `operator ${e.operator} needs a number or a pointer`, e.range);
  const current = asScalar(readPlace(cx, place), e.operand.range);
  if (e.prefix || !wanted) return assign(cx, place, step(cx, e.operator, current, e.range), e, wanted);
  const before = newTemporary(cx, current.type, e.range);
  emit(cx, { kind: "assign", target: before.id, value: current }, e.range);
  const again = place.kind === "register" ? current : read(before);
  writePlace(cx, place, step(cx, e.operator, again, e.range), e.range);
  return scalar(read(before));
}

function assign(cx: Context, place: Place, value: Expression, e: Expr, wanted: boolean): LoweredValue {
  if (place.kind !== "memory" || !wanted || place.bitField !== undefined) {
    writePlace(cx, place, value, e.range);
    return wanted ? readPlace(cx, place) : voidValue;
  }
  const converted = convertTo(cx, value, assignedType(place, e.range), e.range);
  if (converted.kind === "constant" || converted.kind === "variable") {
    writePlace(cx, place, converted, e.range);
    return scalar(converted);
  }
  const result = newTemporary(cx, converted.type, e.range);
  emit(cx, { kind: "assign", target: result.id, value: converted }, e.range);
  writePlace(cx, place, read(result), e.range);
  return scalar(read(result));
}

function keepPlace(cx: Context, at: ReturnType<typeof mark>, place: Place, e: Expr): Place {
  if (place.kind !== "memory") return place;
  return { ...place, address: keepValue(cx, at, place.address, e.range) };
}
