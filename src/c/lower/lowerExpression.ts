import { nth } from "../../base/checked.ts";
import { assertNever, Defect } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import {
  addressOfFunction,
  constant,
  emit,
  floatConstant,
  mark,
  negate,
  newLocation,
  read,
  retype,
} from "../../ir/builder.ts";
import { type Expression, placedAt } from "../../ir/expression.ts";
import { isScalar, printType, type StructType, type Type } from "../../ir/type.ts";
import { type Expr, hasQualifier, type TypeName } from "../ast.ts";
import { typeOfOperand, typeOfTypeName } from "../declare/resolveType.ts";
import { type FunctionEntity, lookup } from "../declare/scope.ts";
import { lowerAlignof, lowerOffsetof, lowerSizeof } from "../declare/sizes.ts";
import { promote } from "../types/arithmeticConversions.ts";
import { decay, isArithmetic, isInteger, isQualified, voidType } from "../types/cType.ts";
import { compatible } from "../types/layout.ts";
import { parseNumberLiteral } from "../types/numberLiteral.ts";
import { fieldAt, takenAddress } from "./address.ts";
import { applyBinary, convert, fitPrecision, foldConstant, isZero, type ValueOperator } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  newTemporary,
  scalar,
  unsupported,
  voidValue,
} from "./context.ts";
import { keepValue, lowerAssignment, lowerIncrement } from "./lowerAssignment.ts";
import { lowerCall } from "./lowerCall.ts";
import { lowerCondition, lowerConditional, lowerTruthValue } from "./lowerCondition.ts";
import { lowerStatementChoice } from "./lowerInserted.ts";
import { copyStruct, isPlaceExpr, lowerPlace, readPlace, temporaryStruct, writePlace } from "./lowerPlace.ts";
import { lowerBlock } from "./lowerStatement.ts";
import { lowerVaArg } from "./variadic.ts";

export { isPlaceExpr, lowerPlace };

/** The value of an expression; emits its side effects, from left to right. */
export function lowerExpr(cx: Context, e: Expr): LoweredValue {
  const value = lowerValue(cx, e);
  if (value.kind === "scalar") placedAt(value.expression, e.range);
  return value;
}

function lowerValue(cx: Context, e: Expr): LoweredValue {
  const { types } = cx.unit;
  switch (e.kind) {
    case "identifier":
      return lowerIdentifier(cx, e.name, e.range);
    case "number": {
      const literal = parseNumberLiteral(e.text, types);
      if (literal === null) return inputError("TF161", `${e.text} is not a number`, e.range);
      return scalar(
        literal.kind === "int" ? constant(literal.type, literal.value) : floatConstant(literal.type, literal.value),
      );
    }
    case "character":
      return scalar(characterConstant(cx, e));
    case "string":
    case "subscript":
    case "compoundLiteral":
      return readPlace(cx, lowerPlace(cx, e));
    case "member":
      return readPlace(cx, lowerPlace(cx, e));
    case "unary":
      return lowerUnary(cx, e);
    case "increment":
      return lowerIncrement(cx, e, true);
    case "binary": {
      const { operator } = e;
      if (operator === "&&" || operator === "||") return scalar(lowerTruthValue(cx, e));
      return scalar(lowerBinary(cx, e));
    }
    case "assignment":
      return lowerAssignment(cx, e, true);
    case "conditional":
      return lowerConditional(cx, e);
    case "comma":
      lowerEffect(cx, e.left);
      return lowerExpr(cx, e.right);
    case "cast":
      return lowerCast(cx, e);
    case "call":
      return lowerCall(cx, e, null);
    case "sizeofExpr":
    case "sizeofType":
      return scalar(lowerSizeof(cx, e));
    case "alignof":
      return scalar(lowerAlignof(cx, e));
    case "offsetof":
      return scalar(lowerOffsetof(cx, e));
    case "vaArg":
      return lowerVaArg(cx, e);
    case "generic":
      return lowerExpr(cx, selectGeneric(cx, e));
    case "statementExpression":
      return lowerBlock(cx, e.body, true);
    case "labelAddress":
      return unsupported("TF253", "the address of a label is not supported", e.range);
    case "choice":
      throw new Defect("a choice of versions is not a value");
    default:
      return assertNever(e, "expression");
  }
}

/** Longer chains of operators are split, so that expressions stay shallow enough for later stages. */
const longestChain = 200;

/** `a + b - c …` nests to the left: handles its operators iteratively. */
function lowerBinary(cx: Context, e: BinaryExpr): Expression {
  const chain: BinaryExpr[] = [];
  let first: Expr = e;
  while (first.kind === "binary" && first.operator !== "&&" && first.operator !== "||") {
    chain.push(first);
    first = first.left;
  }
  let left = lowerScalar(cx, first);
  for (let i = chain.length - 1; i >= 0; i--) {
    const { operator, left: leftExpr, right: rightExpr, range } = nth(chain, i);
    if (i % longestChain === 0 && i > 0) left = cutChain(cx, left, leftExpr.range);
    const at = mark(cx);
    const right = lowerScalar(cx, rightExpr);
    const kept = keepValue(cx, at, left, leftExpr.range);
    left = placedAt(applyBinary(cx, operator as ValueOperator, kept, right, range), range);
    placeOperands(left, leftExpr.range, rightExpr.range);
  }
  return left;
}

type BinaryExpr = Expr & { kind: "binary" };

/** Conversions of operands get the operands' ranges. */
function placeOperands(expression: Expression, left: SourceRange, right: SourceRange): void {
  if (expression.kind !== "binary" && expression.kind !== "comparison") return;
  placedAt(expression.left, left);
  placedAt(expression.right, right);
}

function cutChain(cx: Context, value: Expression, range: SourceRange): Expression {
  const known = foldConstant(value, cx.unit.types.pointerBytes);
  if (known !== null) {
    return typeof known === "bigint" && value.type.kind === "int" ? constant(value.type, known) : value;
  }
  const temporary = newTemporary(cx, value.type, range);
  emit(cx, { kind: "assign", target: temporary.id, value }, range);
  return read(temporary);
}

export function lowerScalar(cx: Context, e: Expr): Expression {
  return asScalar(lowerExpr(cx, e), e.range);
}

export function asScalar(value: LoweredValue, range: SourceRange): Expression {
  if (value.kind === "scalar") return placedAt(value.expression, range);
  return inputError("TF162", value.kind === "void" ? "a void value is used" : "a struct is used as a number", range);
}

export function lowerEffect(cx: Context, e: Expr): void {
  switch (e.kind) {
    case "choice":
      return lowerStatementChoice(cx, e, lowerEffect);
    case "increment":
      lowerIncrement(cx, e, false);
      return;
    case "assignment":
      lowerAssignment(cx, e, false);
      return;
    case "comma":
      return lowerSequence(cx, e);
    case "cast":
      return lowerEffect(cx, e.operand);
    case "call":
      lowerCall(cx, e, "discard");
      return;
    case "conditional": {
      if (e.then === null) break;
      return lowerBranchEffects(cx, e.condition, e.then, e.else, e.range);
    }
    case "binary": {
      if (e.operator === "&&") return lowerBranchEffects(cx, e.left, e.right, null, e.range);
      if (e.operator === "||") return lowerBranchEffects(cx, e.left, null, e.right, e.range);
      lowerEffect(cx, e.left);
      return lowerEffect(cx, e.right);
    }
    case "unary":
      return lowerEffect(cx, e.operand);
    case "generic":
      return lowerEffect(cx, selectGeneric(cx, e));
    default:
      break;
  }
  lowerExpr(cx, e);
}

function lowerSequence(cx: Context, e: Expr): void {
  const parts: Expr[] = [];
  let at = e;
  for (; at.kind === "comma"; at = at.left) parts.push(at.right);
  lowerEffect(cx, at);
  for (const part of parts.reverse()) lowerEffect(cx, part);
}

function lowerBranchEffects(cx: Context, condition: Expr, then: Expr | null, other: Expr | null, range: SourceRange) {
  const [ifTrue, ifFalse, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  const origin =
    then !== null && other !== null
      ? isAssertFail(then) || isAssertFail(other)
        ? "assert"
        : "conditional"
      : "shortCircuit";
  lowerCondition(cx, condition, ifTrue, ifFalse, origin);
  for (const [location, branch] of [
    [ifTrue, then],
    [ifFalse, other],
  ] as const) {
    cx.here = location;
    if (branch !== null) lowerEffect(cx, branch);
    jumpTo(cx, end, range);
  }
  cx.here = end;
}

function jumpTo(cx: Context, to: number, range: SourceRange): void {
  cx.graph.edges.push({ from: cx.here, to, operation: { kind: "skip" }, range });
}

/** `assert` as the C library's header expands it: `cond ? (void)0 : __assert_fail(…)`. */
export function isAssertFail(e: Expr): boolean {
  return e.kind === "call" && e.callee.kind === "identifier" && /^__assert_|^__tf_check_/.test(e.callee.name);
}

function lowerIdentifier(cx: Context, name: string, range: SourceRange): LoweredValue {
  const entity = lookup(cx.scope, name);
  switch (entity?.kind) {
    case "enumerator":
      return scalar(constant(entity.type, entity.value));
    case "function":
      return scalar(functionAddress(entity));
    case "typedef":
      return inputError("TF163", `${name} is a type, not a value`, range);
    default:
      return readPlace(cx, lowerPlace(cx, { kind: "identifier", name, range }));
  }
}

function functionAddress(entity: FunctionEntity): Expression {
  return addressOfFunction(entity.linked.id, entity.type);
}

function characterConstant(cx: Context, e: Expr & { kind: "character" }): Expression {
  const { types } = cx.unit;
  const type = e.prefix === "u" ? types.unsignedShort : e.prefix === "U" ? types.unsignedInt : types.int;
  return constant(type, BigInt(type.signed ? e.value | 0 : e.value >>> 0));
}

function lowerUnary(cx: Context, e: Expr & { kind: "unary" }): LoweredValue {
  const { types } = cx.unit;
  switch (e.operator) {
    case "*":
      if (e.operand.kind === "identifier" && lookup(cx.scope, e.operand.name)?.kind === "function") {
        return lowerExpr(cx, e.operand);
      }
      return readPlace(cx, lowerPlace(cx, e));
    case "&":
      return scalar(lowerAddressOf(cx, e.operand, e.range));
    case "!": {
      if (isLogical(e.operand)) return scalar(lowerTruthValue(cx, e));
      return scalar(isZero(cx, lowerScalar(cx, e.operand)));
    }
    case "+":
    case "-":
    case "~": {
      const operand = lowerScalar(cx, e.operand);
      const { type } = operand;
      if (!isArithmetic(type) || (e.operator === "~" && !isInteger(type))) {
        return inputError("TF160", `operator ${e.operator} cannot be applied to ${printType(type)}`, e.range);
      }
      const promoted = type.kind === "float" ? operand : convert(operand, promote(type, types), types.pointerBytes);
      if (e.operator === "+") return scalar(promoted);
      if (e.operator === "-") return scalar(fitPrecision(negate(promoted)));
      return scalar(fitPrecision({ kind: "unary", operator: "complement", type: promoted.type, operand: promoted }));
    }
    default:
      return assertNever(e.operator, "operator");
  }
}

/** True if the operand of `!` has control flow of its own. */
function isLogical(e: Expr): boolean {
  if (e.kind === "unary" && e.operator === "!") return isLogical(e.operand);
  return e.kind === "binary" && (e.operator === "&&" || e.operator === "||");
}

function lowerAddressOf(cx: Context, operand: Expr, range: SourceRange): Expression {
  if (operand.kind === "identifier") {
    const entity = lookup(cx.scope, operand.name);
    if (entity?.kind === "function") return functionAddress(entity);
  }
  const place = lowerPlace(cx, operand);
  if (place.kind !== "memory") {
    // Only unevaluated operands get here: everything else counts as an address being taken.
    if (cx.scratch) return read(newTemporary(cx, { kind: "pointer", to: place.type }, range));
    return inputError("TF164", "this has no address", range);
  }
  if (place.bitField !== undefined) return inputError("TF164", "a bit-field has no address", range);
  const address = takenAddress(place.address);
  const atStart = address.kind === "offset" && address.subscript && address.index.kind === "constant";
  const base = atStart && address.index.kind === "constant" && address.index.value === 0n ? address.pointer : address;
  return retype(base, { kind: "pointer", to: place.type });
}

function lowerCast(cx: Context, e: Expr & { kind: "cast" }): LoweredValue {
  const type = typeOfTypeName(cx, e.type);
  if (type.kind === "void") {
    lowerEffect(cx, e.operand);
    return voidValue;
  }
  const value = lowerExpr(cx, e.operand);
  if (type.kind === "struct") {
    // A cast of a struct to its own type, or GNU: of a value to a union with such a member.
    if (value.kind === "struct" && value.type === type) return value;
    return castToUnion(cx, value, type, e.range);
  }
  if (!isScalar(type)) return inputError("TF165", "a cast to an array or function type", e.range);
  const operand = asScalar(value, e.operand.range);
  if (
    (operand.type.kind === "float" && type.kind === "pointer") ||
    (operand.type.kind === "pointer" && type.kind === "float")
  ) {
    return inputError("TF159", "a pointer and a floating value cannot be converted into each other", e.range);
  }
  return scalar(convert(operand, type, cx.unit.types.pointerBytes, true));
}

function castToUnion(cx: Context, value: LoweredValue, type: StructType, range: SourceRange): LoweredValue {
  const from = value.kind === "struct" ? value.type : value.kind === "scalar" ? value.expression.type : voidType;
  const position = (type.layout?.fields ?? []).findIndex((field) => compatible(decay(field.type), from));
  if (!type.union || position === -1) return inputError("TF165", "a cast to a struct type", range);
  const place = temporaryStruct(cx, type, range);
  const member = fieldAt(place, position);
  if (value.kind === "struct") copyStruct(cx, member, value.place, range);
  else writePlace(cx, member, asScalar(value, range), range);
  return { kind: "struct", type, place };
}

export function selectGeneric(cx: Context, e: Expr & { kind: "generic" }): Expr {
  const control = decay(typeOfOperand(cx, e.control));
  let fallback: Expr | null = null;
  for (const { type, value } of e.associations) {
    if (type === null) fallback = value;
    else if (matchesGeneric(cx, type, control)) return value;
  }
  return fallback ?? inputError("TF170", "no association of _Generic matches the type of its operand", e.range);
}

/** The operand is a value, so it has no qualifier of its own; what it points to may have one. */
function matchesGeneric(cx: Context, name: TypeName, control: Type): boolean {
  const type = typeOfTypeName(cx, name);
  if (isQualified(type) || !compatible(type, control)) return false;
  let [left, right] = [type, control];
  while (left.kind === "pointer" && right.kind === "pointer") {
    [left, right] = [left.to, right.to];
    if (isQualified(left) !== isQualified(right)) return false;
  }
  if (left.kind === "struct" && hasQualifier(name.specifiers)) {
    unsupported("TF201", "a qualified struct in _Generic is not supported", name.range);
  }
  return true;
}
