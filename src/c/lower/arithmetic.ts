import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, floatConstant, negate, retype, zero } from "../../ir/builder.ts";
import { evaluate } from "../../ir/evaluate.ts";
import type { BinaryOperator, ComparisonOperator, Constant, Expression } from "../../ir/expression.ts";
import { expressionsWithin } from "../../ir/operation.ts";
import { isEquality } from "../../ir/operators.ts";
import type { Function, Note } from "../../ir/program.ts";
import { toBigInt } from "../../ir/scalarValue.ts";
import { type IntType, type PointerType, type ScalarType, sameRepresentation, wrapToInt } from "../../ir/type.ts";
import type { BinaryOperatorText } from "../ast.ts";
import { productOf, sizeOfType } from "../declare/sizes.ts";
import { commonType, promote } from "../types/arithmeticConversions.ts";
import { isArithmetic, isInteger, precisionOf } from "../types/cType.ts";
import { offsetPointer } from "./address.ts";
import { type Context, inputError } from "./context.ts";

export type ValueOperator = Exclude<BinaryOperatorText, "&&" | "||">;

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** Applies a binary operator to evaluated operands, with C's conversions. */
export function applyBinary(
  cx: Context,
  operator: ValueOperator,
  left: Expression,
  right: Expression,
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  if (comparisons.has(operator)) return compare(cx, operator as ComparisonOperator, left, right, range);
  const a = left.type;
  const b = right.type;
  if (operator === "+" || operator === "-") {
    if (a.kind === "pointer" && b.kind === "pointer" && operator === "-") return difference(cx, left, right, range);
    if (a.kind === "pointer" && isInteger(b)) return movePointer(cx, left, right, operator, range);
    if (b.kind === "pointer" && isInteger(a) && operator === "+") return movePointer(cx, right, left, "+", range);
  }
  if (!isArithmetic(a) || !isArithmetic(b)) return wrongOperands(operator, range);
  if (operator === "<<" || operator === ">>") {
    if (!isInteger(a) || !isInteger(b)) return wrongOperands(operator, range);
    const type = promote(a, types);
    const shifted = convert(left, type, types.pointerBytes);
    const by = convert(right, promote(b, types), types.pointerBytes);
    return fitPrecision({ kind: "binary", operator, type, left: shifted, right: by });
  }
  const type = commonType(a, b, types);
  if (type.kind === "float" && !["+", "-", "*", "/"].includes(operator)) return wrongOperands(operator, range);
  return fitPrecision({
    kind: "binary",
    operator: operator as BinaryOperator,
    type,
    left: convert(left, type, types.pointerBytes),
    right: convert(right, type, types.pointerBytes),
  });
}

function wrongOperands(operator: string, range: SourceRange): never {
  return inputError("TF160", `operator ${operator} cannot be applied to operands of these types`, range);
}

function compare(
  cx: Context,
  operator: ComparisonOperator,
  left: Expression,
  right: Expression,
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  let type: Expression["type"];
  if (left.type.kind === "pointer" || right.type.kind === "pointer") {
    if (left.type.kind === "float" || right.type.kind === "float") return wrongOperands(operator, range);
    type = left.type.kind === "pointer" ? left.type : right.type;
  } else type = commonType(left.type, right.type, types);
  return {
    kind: "comparison",
    operator,
    type: types.int,
    left: convert(left, type, types.pointerBytes),
    right: convert(right, type, types.pointerBytes),
  };
}

/** `pointer ± index`. A subtracted index is negated in a type that holds its negation. */
function movePointer(
  cx: Context,
  pointer: Expression,
  index: Expression,
  operator: "+" | "-",
  range: SourceRange,
): Expression {
  const { types } = cx.unit;
  if (operator === "+") return offsetPointer(cx, pointer, index, false, range);
  return offsetPointer(cx, pointer, negate(convert(index, types.longLong, types.pointerBytes)), false, range);
}

function difference(cx: Context, left: Expression, right: Expression, range: SourceRange): Expression {
  const type: IntType = cx.unit.types.difference;
  const size = sizeOfType(cx, (left.type as PointerType).to, range);
  const parts = productOf(cx, size.factors, type);
  const distance: Expression = {
    kind: "pointerDifference",
    type,
    left,
    right,
    scale: Math.max(1, size.bytes),
  };
  return parts === null ? distance : { kind: "binary", operator: "/", type, left: distance, right: parts };
}

/** `!x`: 1 if x equals zero. */
export function isZero(cx: Context, operand: Expression): Expression {
  const { types } = cx.unit;
  const left = isInteger(operand.type) ? convert(operand, promote(operand.type, types), types.pointerBytes) : operand;
  return { kind: "comparison", operator: "==", type: types.int, left, right: zero(left.type) };
}

/** The value of `++` or `--` before the conversion to the place's type. */
export function step(cx: Context, operator: "++" | "--", value: Expression, range: SourceRange): Expression {
  return applyBinary(cx, operator === "++" ? "+" : "-", value, constant(cx.unit.types.int, 1n), range);
}

/** A conversion as in C. Constants are converted at once if their value stays; other conversions stay visible. */
export function convert(expression: Expression, to: ScalarType, pointerBytes: 4 | 8, explicit = false): Expression {
  const from = expression.type;
  if (from === to) return expression;
  if (to.kind === "int" && precisionOf(to) !== to.bits) {
    const { bits, signed, name } = to;
    const plain = convert(expression, { kind: "int", bits, signed, name }, pointerBytes, explicit);
    const fits = from.kind === "int" && !from.signed && precisionOf(from) <= precisionOf(to);
    return fits ? retype(plain, to) : fitPrecision(retype(plain, to));
  }
  if (expression.kind === "constant") {
    const folded = convertConstant(expression, to, pointerBytes);
    if (folded !== null) return folded;
  }
  if (sameRepresentation(from, to)) {
    // A written cast keeps its type; anything else may change it.
    const written = expression.kind === "convert" && expression.explicit;
    if (!written && (!explicit || from.kind !== "pointer")) return retype(expression, to);
  }
  return { kind: "convert", type: to, operand: expression, explicit };
}

/** Arithmetic on an unsigned bit-field wider than `int` wraps at the field's width; signed overflow is undefined. */
export function fitPrecision(expression: Expression): Expression {
  const { type } = expression;
  if (type.kind !== "int" || type.signed || precisionOf(type) === type.bits) return expression;
  const mask = constant(type, (1n << BigInt(precisionOf(type))) - 1n);
  return { kind: "binary", operator: "&", type, left: expression, right: mask };
}

function convertConstant(from: Constant, to: ScalarType, pointerBytes: 4 | 8): Constant | null {
  if (from.type.kind === "float") {
    const value = from.value as number;
    if (to.kind !== "float") return null;
    return to.bits === 64 || Object.is(Math.fround(value), value) ? floatConstant(to, value) : null;
  }
  const value = from.value as bigint;
  switch (to.kind) {
    case "int":
      return wrapToInt(value, to) === value ? constant(to, value) : null;
    case "bool":
      return constant(to, value === 0n ? 0n : 1n);
    case "pointer":
      return constant(to, BigInt.asUintN(pointerBytes * 8, value));
    case "float": {
      const number = to.bits === 32 ? Math.fround(Number(value)) : Number(value);
      return BigInt(number) === value ? floatConstant(to, number) : null;
    }
  }
}

/** For constants that must have exactly this type, such as case labels. */
export function wrapConstant(value: bigint, type: IntType): Constant {
  return constant(type, wrapToInt(value, type));
}

/** Notes the first address cut to fewer bits: addresses differ from those of a compiled program. */
export function noteNarrowedAddresses(functions: readonly Function[], pointerBytes: 4 | 8): readonly Note[] {
  for (const fn of functions) {
    for (const { operation, range } of fn.edges) {
      if (!expressionsWithin(operation).some((expression) => narrowsAddress(expression, pointerBytes))) continue;
      return [
        {
          message: "an address is converted to a shorter integer: its bits differ from those of a compiled program",
          range,
        },
      ];
    }
  }
  return [];
}

function narrowsAddress(expression: Expression, pointerBytes: 4 | 8): boolean {
  if (expression.kind !== "convert" || expression.operand.type.kind !== "pointer") return false;
  const { type } = expression;
  return type.kind === "int" && type.bits < pointerBytes * 8;
}

/** The value of an expression that reads nothing; null if it reads something or is undefined. */
export function foldConstant(expression: Expression, pointerBytes: 4 | 8): bigint | number | null {
  const value = evaluate({ wraps: false, shiftsFreely: true, pointerBytes, leaf: () => null }, expression);
  if (value === undefined) return null;
  return expression.type.kind === "float" ? Number(value) : toBigInt(value);
}

/** The truth value of a constant condition, else null. The address of an object is never null. */
export function foldTruth(condition: Expression, pointerBytes: 4 | 8): boolean | null {
  if (isAddress(condition)) return true;
  if (condition.kind === "comparison" && isEquality(condition.operator)) {
    const { left, right, operator } = condition;
    const comparesNull =
      (isAddress(left) && foldConstant(right, pointerBytes) === 0n) ||
      (isAddress(right) && foldConstant(left, pointerBytes) === 0n);
    if (comparesNull) return operator === "!=";
  }
  const value = foldConstant(condition, pointerBytes);
  if (value === null) return null;
  return typeof value === "bigint" ? value !== 0n : value !== 0;
}

function isAddress(expression: Expression): boolean {
  if (expression.kind === "convert" && expression.type.kind === "pointer") return isAddress(expression.operand);
  return expression.kind === "addressOf" || (expression.kind === "fieldAddress" && isAddress(expression.pointer));
}
