import { assertNever } from "../base/errors.ts";
import {
  type Binary,
  type Comparison,
  type Convert,
  type Expression,
  indexLimit,
  type Offset,
} from "../ir/expression.ts";
import type { Program } from "../ir/program.ts";
import {
  fitsInteger,
  floatArithmetic,
  fromBigInt,
  integerShape,
  type ScalarValue,
  toBigInt,
  wrapInteger,
} from "../ir/scalarValue.ts";
import type { BoolType, FloatType, IntType } from "../ir/type.ts";
import { wideToDouble, wideToFloat } from "./arithmetic.ts";
import { objectIdOf } from "./memory/pointer.ts";
import { staticLayoutOf } from "./memory/staticLayout.ts";

/** What an expression is worth where the values of its leaves are known. */
export type Evaluation = {
  readonly program: Program;
  /** Does signed overflow wrap? If not, it has no value. */
  readonly wraps: boolean;
  /** The recorded value of a leaf; null for an expression that is none; undefined where it was not read. */
  leaf(expression: Expression): ScalarValue | null | undefined;
};

/** The value, as the interpreter has it; undefined where the run has none (a trap, or a leaf that was not reached). */
export function evaluate(evaluation: Evaluation, expression: Expression): ScalarValue | undefined {
  const known = evaluation.leaf(expression);
  if (known !== null) return known;
  const value = (operand: Expression) => evaluate(evaluation, operand);
  switch (expression.kind) {
    case "variable":
    case "load":
      return undefined;
    case "constant":
      if (expression.type.kind === "float") return rounded(expression.type, expression.value as number);
      return fromBigInt(expression.value as bigint);
    case "addressOf": {
      const layout = staticLayoutOf(evaluation.program);
      const { object } = expression;
      if (object.kind === "function") return layout.functions[object.function]!.pointer;
      return layout.variables.get(object.variable)?.pointer;
    }
    case "offset":
      return moved(value(expression.pointer), inBound(expression, value(expression.index)), expression.scale);
    case "fieldAddress":
      return moved(value(expression.pointer), expression.offset, 1);
    case "unary": {
      const operand = value(expression.operand);
      if (operand === undefined) return undefined;
      if (expression.type.kind === "float") return -(operand as number);
      const exact = expression.operator === "negate" ? -toBigInt(operand) : ~toBigInt(operand);
      return inRange(evaluation.wraps, expression.type as IntType, exact);
    }
    case "binary":
      return applyOperator(expression, evaluation.wraps, value(expression.left), value(expression.right));
    case "comparison":
      return applyComparison(expression, value(expression.left), value(expression.right));
    case "pointerDifference": {
      const [left, right] = [value(expression.left), value(expression.right)];
      if (left === undefined || right === undefined) return undefined;
      return (Number(left) - Number(right)) / expression.scale + 0;
    }
    case "convert":
      return convert(expression, value(expression.operand));
    default:
      return assertNever(expression, "expression");
  }
}

function inBound({ bound }: Offset, index: ScalarValue | undefined): ScalarValue | undefined {
  if (bound === undefined || index === undefined) return index;
  return index >= 0 && index < indexLimit(bound) ? index : undefined;
}

function moved(
  pointer: ScalarValue | undefined,
  index: ScalarValue | undefined,
  scale: number,
): ScalarValue | undefined {
  if (pointer === undefined || index === undefined) return undefined;
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

/** `wraps`: does signed overflow wrap? If not, it has no value. */
export function applyOperator(
  { operator, type }: Pick<Binary, "operator" | "type">,
  wraps: boolean,
  left: ScalarValue | undefined,
  right: ScalarValue | undefined,
): ScalarValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (type.kind === "float")
    return rounded(type, floatArithmetic(operator, left as number, right as number) ?? Number.NaN);
  if (type.kind !== "int") return undefined;
  const [a, b] = [toBigInt(left), toBigInt(right)];
  switch (operator) {
    case "+":
      return inRange(wraps, type, a + b);
    case "-":
      return inRange(wraps, type, a - b);
    case "*":
      return inRange(wraps, type, a * b);
    case "/":
      return b === 0n ? undefined : inRange(wraps, type, a / b);
    case "%":
      return b === 0n ? undefined : inRange(wraps, type, a % b);
    case "&":
      return wrapInteger(a & b, type.bits, type.signed);
    case "|":
      return wrapInteger(a | b, type.bits, type.signed);
    case "^":
      return wrapInteger(a ^ b, type.bits, type.signed);
    case "<<":
      if (b < 0n || b >= BigInt(type.bits) || (type.signed && a < 0n && !wraps)) return undefined;
      return inRange(wraps, type, a << b);
    case ">>":
      return b < 0n || b >= BigInt(type.bits) ? undefined : wrapInteger(a >> b, type.bits, type.signed);
    default:
      return assertNever(operator, "operator");
  }
}

export function applyComparison(
  { operator, left: { type } }: Pick<Comparison, "operator" | "left">,
  left: ScalarValue | undefined,
  right: ScalarValue | undefined,
): ScalarValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  const ordered = operator !== "==" && operator !== "!=";
  if (type.kind === "pointer" && ordered && objectIdOf(Number(left)) !== objectIdOf(Number(right))) return undefined;
  switch (operator) {
    case "==":
      return Number(left === right);
    case "!=":
      return Number(left !== right);
    case "<":
      return Number(left < right);
    case "<=":
      return Number(left <= right);
    case ">":
      return Number(left > right);
    case ">=":
      return Number(left >= right);
    default:
      return assertNever(operator, "operator");
  }
}

function convert({ type, operand }: Convert, value: ScalarValue | undefined): ScalarValue | undefined {
  if (value === undefined) return undefined;
  const from = operand.type;
  switch (type.kind) {
    case "bool":
      return Number(value !== 0);
    case "pointer":
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
