import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, emit, isNullPointerConstant, jump, newLocation, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import type { Assume } from "../../ir/operation.ts";
import { isScalar, type ScalarType, sameType } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { lookup } from "../declare/scope.ts";
import { commonType } from "../types/arithmeticConversions.ts";
import { isArithmetic } from "../types/cType.ts";
import { convert, foldTruth } from "./arithmetic.ts";
import { type Context, inputError, type LoweredValue, newTemporary, scalar, scratchOf, voidValue } from "./context.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { lowerChoice } from "./lowerInserted.ts";
import { copyStruct, temporaryStruct } from "./lowerPlace.ts";

export type ConditionOrigin = Assume["origin"];

/** Jumps to `ifTrue` or `ifFalse`; a constant condition leaves no branch. The location afterwards is unreachable. */
export function lowerCondition(cx: Context, e: Expr, ifTrue: number, ifFalse: number, origin: ConditionOrigin): void {
  switch (e.kind) {
    case "unary":
      if (e.operator !== "!") break;
      return lowerCondition(cx, e.operand, ifFalse, ifTrue, origin);
    case "binary": {
      const { operator } = e;
      if (operator !== "&&" && operator !== "||") break;
      for (const operand of operandsBefore(e, operator)) {
        const next = newLocation(cx);
        if (operator === "&&") lowerCondition(cx, operand, next, ifFalse, "shortCircuit");
        else lowerCondition(cx, operand, ifTrue, next, "shortCircuit");
        cx.here = next;
      }
      return lowerCondition(cx, e.right, ifTrue, ifFalse, origin);
    }
    case "conditional": {
      if (e.then === null) break;
      const then = newLocation(cx);
      const other = newLocation(cx);
      lowerCondition(cx, e.condition, then, other, "conditional");
      cx.here = then;
      lowerCondition(cx, e.then, ifTrue, ifFalse, origin);
      cx.here = other;
      return lowerCondition(cx, e.else, ifTrue, ifFalse, origin);
    }
    case "comma":
      lowerEffect(cx, e.left);
      return lowerCondition(cx, e.right, ifTrue, ifFalse, origin);
    case "call": {
      const likely = expectedArgument(cx, e);
      if (likely === null) break;
      return lowerCondition(cx, likely, ifTrue, ifFalse, origin);
    }
    case "choice":
      return lowerChoice(cx, e, (part) => lowerCondition(cx, part, ifTrue, ifFalse, origin));
    default:
      break;
  }
  branch(cx, lowerScalar(cx, e), ifTrue, ifFalse, origin, e.range);
}

/** All operands of `a && b && c` but the last. Such chains nest to the left and can be long. */
function operandsBefore(e: Expr & { kind: "binary" }, operator: "&&" | "||"): Expr[] {
  const operands: Expr[] = [];
  let at = e.left;
  for (; at.kind === "binary" && at.operator === operator; at = at.left) operands.push(at.right);
  operands.push(at);
  return operands.reverse();
}

/** `__builtin_expect(c, v)` has the value of `c`. */
function expectedArgument(cx: Context, e: Expr & { kind: "call" }): Expr | null {
  if (e.callee.kind !== "identifier" || e.callee.name !== "__builtin_expect") return null;
  const entity = lookup(cx.scope, e.callee.name);
  return entity === null || entity.kind === "function" ? (e.arguments[0] ?? null) : null;
}

/** Two complementary edges, or a jump if the condition is constant. */
export function branch(
  cx: Context,
  condition: Expression,
  ifTrue: number,
  ifFalse: number,
  origin: ConditionOrigin,
  range: SourceRange,
): void {
  const known = foldTruth(condition, cx.unit.types.pointerBytes);
  if (known !== null) return jump(cx, known ? ifTrue : ifFalse, range);
  const from = cx.here;
  cx.graph.edges.push({ from, to: ifTrue, operation: { kind: "assume", condition, negated: false, origin }, range });
  cx.graph.edges.push({ from, to: ifFalse, operation: { kind: "assume", condition, negated: true, origin }, range });
  cx.here = newLocation(cx);
}

export function lowerTruthValue(cx: Context, e: Expr): Expression {
  const { int } = cx.unit.types;
  const known = knownTruth(cx, e);
  if (known !== null) return constant(int, known ? 1n : 0n);
  const result = newTemporary(cx, int, e.range);
  const [ifTrue, ifFalse, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  lowerCondition(cx, e, ifTrue, ifFalse, "shortCircuit");
  for (const [location, value] of [
    [ifTrue, 1n],
    [ifFalse, 0n],
  ] as const) {
    cx.here = location;
    emit(cx, { kind: "assign", target: result.id, value: constant(int, value) }, e.range);
    jump(cx, end, e.range);
  }
  cx.here = end;
  return read(result);
}

/** The truth value of a constant logical expression; only operands up to the deciding one need be constant. */
function knownTruth(cx: Context, e: Expr): boolean | null {
  if (e.kind === "unary" && e.operator === "!") {
    const operand = knownTruth(cx, e.operand);
    return operand === null ? null : !operand;
  }
  if (e.kind === "binary" && (e.operator === "&&" || e.operator === "||")) {
    for (const operand of operandsBefore(e, e.operator)) {
      const truth = knownTruth(cx, operand);
      if (truth === null || truth === (e.operator === "||")) return truth;
    }
    return knownTruth(cx, e.right);
  }
  if (!mayBeConstant(e)) return null;
  const scratch = scratchOf(cx);
  const value = lowerExpr(scratch, e);
  if (value.kind !== "scalar" || scratch.graph.edges.length > 0) return null;
  return foldTruth(value.expression, cx.unit.types.pointerBytes);
}

/** A quick filter: expressions that call or assign are never constant. */
function mayBeConstant(e: Expr): boolean {
  switch (e.kind) {
    case "number":
    case "character":
    case "sizeofExpr":
    case "sizeofType":
    case "alignof":
    case "offsetof":
    case "identifier":
    case "generic":
      return true;
    case "cast":
      return mayBeConstant(e.operand);
    case "member":
      return mayBeConstant(e.object);
    case "subscript":
      return mayBeConstant(e.array) && mayBeConstant(e.index);
    case "unary":
      return e.operator !== "*" && mayBeConstant(e.operand);
    case "binary": {
      let at: Expr = e;
      for (; at.kind === "binary"; at = at.left) if (!mayBeConstant(at.right)) return false;
      return mayBeConstant(at);
    }
    case "conditional":
      return mayBeConstant(e.condition) && mayBeConstant(e.else) && (e.then === null || mayBeConstant(e.then));
    case "call":
      return e.callee.kind === "identifier" && e.callee.name.startsWith("__builtin_");
    default:
      return false;
  }
}

/** `c ? a : b` and GNU `a ?: b` as a value. */
export function lowerConditional(cx: Context, e: Expr & { kind: "conditional" }): LoweredValue {
  const known = e.then === null ? null : knownTruth(cx, e.condition);
  if (e.then !== null && known !== null) return constantConditional(cx, e, e.then, known);
  const ifTrue = newLocation(cx);
  const ifFalse = newLocation(cx);
  let first: LoweredValue;
  if (e.then === null) {
    first = lowerExpr(cx, e.condition);
    branch(cx, asScalar(first, e.condition.range), ifTrue, ifFalse, "conditional", e.condition.range);
    cx.here = ifTrue;
  } else {
    lowerCondition(cx, e.condition, ifTrue, ifFalse, "conditional");
    cx.here = ifTrue;
    first = lowerExpr(cx, e.then);
  }
  const firstEnd = cx.here;
  cx.here = ifFalse;
  const second = lowerExpr(cx, e.else);
  const secondEnd = cx.here;
  return joinValues(cx, first, firstEnd, second, secondEnd, e);
}

function constantConditional(
  cx: Context,
  e: Expr & { kind: "conditional" },
  then: Expr,
  condition: boolean,
): LoweredValue {
  const chosen = lowerExpr(cx, condition ? then : e.else);
  const other = lowerExpr(scratchOf(cx), condition ? e.else : then);
  if (chosen.kind !== "scalar" || other.kind !== "scalar") return other.kind === "void" ? voidValue : chosen;
  const type = joinedType(cx, chosen.expression, other.expression, e.range);
  return scalar(convert(chosen.expression, type, cx.unit.types.pointerBytes));
}

/** Both branches assign one temporary of the common type and join. */
function joinValues(
  cx: Context,
  first: LoweredValue,
  firstEnd: number,
  second: LoweredValue,
  secondEnd: number,
  e: Expr & { kind: "conditional" },
): LoweredValue {
  const end = newLocation(cx);
  const firstRange = (e.then ?? e.condition).range;
  const ways = [
    [first, firstEnd, firstRange],
    [second, secondEnd, e.else.range],
  ] as const;
  let result: LoweredValue = voidValue;
  if (first.kind === "scalar" && second.kind === "scalar") {
    const type = joinedType(cx, first.expression, second.expression, e.range);
    const temporary = newTemporary(cx, type, e.range);
    for (const [value, location, range] of ways) {
      cx.here = location;
      const converted = convert((value as typeof first).expression, type, cx.unit.types.pointerBytes);
      emit(cx, { kind: "assign", target: temporary.id, value: converted }, range);
      jump(cx, end, range);
    }
    result = scalar(read(temporary));
  } else if (first.kind === "struct" && second.kind === "struct") {
    const place = temporaryStruct(cx, first.type, e.range);
    for (const [value, location, range] of ways) {
      cx.here = location;
      copyStruct(cx, place, (value as typeof first).place, range);
      jump(cx, end, range);
    }
    result = { kind: "struct", type: first.type, place };
  } else if (first.kind === "void" || second.kind === "void") {
    for (const [, location, range] of ways) {
      cx.here = location;
      jump(cx, end, range);
    }
  } else inputError("TF168", "the two values of ?: have different types", e.range);
  cx.here = end;
  return result;
}

/** C11 6.5.15, as lenient as gcc for a pointer and an integer or another pointer. */
function joinedType(cx: Context, a: Expression, b: Expression, range: SourceRange): ScalarType {
  if (isArithmetic(a.type) && isArithmetic(b.type)) {
    return sameType(a.type, b.type) && a.type.kind === "float" ? a.type : commonType(a.type, b.type, cx.unit.types);
  }
  if (a.type.kind === "pointer" && b.type.kind === "pointer") {
    if (isNullPointerConstant(a)) return b.type;
    if (isNullPointerConstant(b)) return a.type;
    if (a.type.to.kind === "void") return a.type;
    return b.type.to.kind === "void" ? b.type : a.type;
  }
  const pointer = a.type.kind === "pointer" ? a.type : b.type;
  const other = a.type.kind === "pointer" ? b.type : a.type;
  if (other.kind === "float" || !isScalar(pointer)) {
    return inputError("TF168", "the two values of ?: have different types", range);
  }
  return pointer;
}
