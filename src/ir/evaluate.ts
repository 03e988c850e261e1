import { assertNever } from "../base/errors.ts";
import { type Binary, type Comparison, type Convert, type Expression, indexLimit, type Offset } from "./expression.ts";
import { applyExactly, binaryOperators, comparisonOperators, isEquality } from "./operators.ts";
import {
  fitsInteger,
  fromBigInt,
  integerShape,
  type ScalarValue,
  toBigInt,
  wideToDouble,
  wideToFloat,
  wrapInteger,
} from "./scalarValue.ts";
import type { BoolType, FloatType, IntType } from "./type.ts";

/** Evaluation of expressions with known leaf values. */
export type Evaluation = {
  /** True if signed overflow wraps; otherwise it has no value. */
  readonly wraps: boolean;
  /** A left shift may lose the sign, as gcc allows in constant expressions. */
  readonly shiftsFreely?: boolean;
  /** Set if pointers are plain integers of this many bytes, as in constant expressions. */
  readonly pointerBytes?: 4 | 8;
  /** The value of a leaf; null if the expression is no leaf; undefined if it has no value. */
  leaf(expression: Expression): ScalarValue | null | undefined;
  /** True if the two pointers may be ordered. */
  ordered?(left: number, right: number): boolean;
};

/** The value as in the interpreter; undefined for a trap or a leaf without a value. */
export function evaluate(evaluation: Evaluation, expression: Expression): ScalarValue | undefined {
  const known = evaluation.leaf(expression);
  if (known !== null) return known;
  const value = (operand: Expression) => evaluate(evaluation, operand);
  switch (expression.kind) {
    case "variable":
    case "load":
    case "addressOf":
      return undefined;
    case "constant":
      if (expression.type.kind === "float") return rounded(expression.type, expression.value as number);
      return fromBigInt(expression.value as bigint);
    case "offset":
      return moved(
        evaluation,
        value(expression.pointer),
        inBound(expression, value(expression.index)),
        expression.scale,
      );
    case "fieldAddress":
      return moved(evaluation, value(expression.pointer), expression.offset, 1);
    case "unary": {
      const operand = value(expression.operand);
      if (operand === undefined) return undefined;
      if (expression.type.kind === "float") return -(operand as number);
      if (expression.type.kind !== "int") return undefined;
      if (expression.operator === "negate") return inRange(evaluation.wraps, expression.type, -toBigInt(operand));
      return wrapInteger(~toBigInt(operand), expression.type.bits, expression.type.signed);
    }
    case "binary":
      return applyOperator(expression, evaluation, value(expression.left), value(expression.right));
    case "comparison":
      return applyComparison(expression, evaluation, value(expression.left), value(expression.right));
    case "pointerDifference": {
      const [left, right] = [value(expression.left), value(expression.right)];
      if (left === undefined || right === undefined) return undefined;
      return Math.trunc((Number(left) - Number(right)) / expression.scale) + 0;
    }
    case "convert":
      return convert(evaluation, expression, value(expression.operand));
    default:
      return assertNever(expression, "expression");
  }
}

function inBound({ bound }: Offset, index: ScalarValue | undefined): ScalarValue | undefined {
  if (bound === undefined || index === undefined) return index;
  return index >= 0 && index < indexLimit(bound) ? index : undefined;
}

function moved(
  { pointerBytes }: Evaluation,
  pointer: ScalarValue | undefined,
  index: ScalarValue | undefined,
  scale: number,
): ScalarValue | undefined {
  if (pointer === undefined || index === undefined) return undefined;
  if (pointerBytes !== undefined)
    return wrapInteger(toBigInt(pointer) + toBigInt(index) * BigInt(scale), pointerBytes * 8, false);
  const result = Number(pointer) + Number(index) * scale;
  return Number.isSafeInteger(result) ? result : undefined;
}

function rounded(type: FloatType, value: number): number {
  return type.bits === 32 ? Math.fround(value) : value;
}

function inRange(wraps: boolean, type: IntType, exact: bigint): ScalarValue | undefined {
  if (type.signed && !wraps && !fitsInteger(exact, type.bits, true)) return undefined;
  return wrapInteger(exact, type.bits, type.signed);
}

export function applyOperator(
  { operator, type }: Pick<Binary, "operator" | "type">,
  { wraps, shiftsFreely = false }: Pick<Evaluation, "wraps" | "shiftsFreely">,
  left: ScalarValue | undefined,
  right: ScalarValue | undefined,
): ScalarValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  const { float, rule } = binaryOperators[operator];
  if (type.kind === "float") return rounded(type, float?.(left as number, right as number) ?? Number.NaN);
  if (type.kind !== "int") return undefined;
  const exact = applyExactly(operator, toBigInt(left), toBigInt(right), type.bits);
  if (exact === null) return undefined;
  const isFree = wraps || shiftsFreely;
  if (operator === "<<" && type.signed && left < 0 && !isFree) return undefined;
  const mayOverflow = rule === "arithmetic" ? !wraps : operator === "<<" && !isFree;
  return inRange(!mayOverflow, type, exact);
}

export function applyComparison(
  { operator, left: { type } }: Pick<Comparison, "operator" | "left">,
  { ordered }: Pick<Evaluation, "ordered">,
  left: ScalarValue | undefined,
  right: ScalarValue | undefined,
): ScalarValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  const asksOrder = type.kind === "pointer" && !isEquality(operator);
  if (asksOrder && ordered !== undefined && !ordered(Number(left), Number(right))) return undefined;
  return Number(comparisonOperators[operator].holds(left, right));
}

function convert(
  { pointerBytes }: Evaluation,
  { type, operand }: Convert,
  value: ScalarValue | undefined,
): ScalarValue | undefined {
  if (value === undefined) return undefined;
  const from = operand.type;
  switch (type.kind) {
    case "bool":
      // NaN is true.
      return Number(value !== 0);
    case "pointer":
      if (pointerBytes !== undefined && from.kind !== "float")
        return wrapInteger(toBigInt(value), pointerBytes * 8, false);
      return typeof value === "number" ? value : undefined;
    case "float":
      return toFloat(type, from, value);
    case "int":
      return from.kind === "float"
        ? floatToInteger(type, value as number)
        : wrapInteger(toBigInt(value), type.bits, type.signed);
    default:
      return assertNever(type, "type");
  }
}

function toFloat(type: FloatType, from: Expression["type"], value: ScalarValue): ScalarValue | undefined {
  if (from.kind === "pointer") return undefined;
  if (from.kind === "float" || integerShape(from as IntType | BoolType).bits <= 32)
    return rounded(type, value as number);
  return type.bits === 32 ? wideToFloat(value) : wideToDouble(value);
}

function floatToInteger(type: IntType, value: number): ScalarValue | undefined {
  if (!Number.isFinite(value)) return undefined;
  const whole = BigInt(Math.trunc(value));
  return fitsInteger(whole, type.bits, type.signed) ? fromBigInt(whole) : undefined;
}
