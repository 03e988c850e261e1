import { assertNever } from "../../base/errors.ts";
import type { BinaryOperator, ComparisonOperator, Expression } from "../../ir/expression.ts";
import { floatArithmetic } from "../../ir/scalarValue.ts";
import { type ScalarType, wrapToInt } from "../../ir/type.ts";

type ConstantValue = bigint | number;

/** The value of an expression that reads nothing, or null: it reads something, or it is undefined. */
export function foldConstant(expression: Expression, pointerBytes: 4 | 8): ConstantValue | null {
  const fold = (part: Expression) => foldConstant(part, pointerBytes);
  switch (expression.kind) {
    case "constant":
      return expression.value;
    case "variable":
    case "load":
    case "addressOf":
      return null;
    case "offset": {
      const pointer = fold(expression.pointer);
      const index = pointer === null ? null : fold(expression.index);
      if (typeof pointer !== "bigint" || typeof index !== "bigint") return null;
      return BigInt.asUintN(pointerBytes * 8, pointer + index * BigInt(expression.scale));
    }
    case "fieldAddress": {
      const pointer = fold(expression.pointer);
      return typeof pointer === "bigint" ? pointer + BigInt(expression.offset) : null;
    }
    case "unary": {
      const operand = fold(expression.operand);
      if (operand === null) return null;
      if (expression.operator === "complement") {
        return typeof operand === "bigint" ? toType(~operand, expression.type, false) : null;
      }
      return toType(-operand, expression.type, true);
    }
    case "binary": {
      const left = fold(expression.left);
      const right = left === null ? null : fold(expression.right);
      if (left === null || right === null) return null;
      return binary(expression.operator, left, right, expression.type);
    }
    case "comparison": {
      const left = fold(expression.left);
      const right = left === null ? null : fold(expression.right);
      if (left === null || right === null) return null;
      return compare(expression.operator, left, right) ? 1n : 0n;
    }
    case "pointerDifference": {
      const left = fold(expression.left);
      const right = left === null ? null : fold(expression.right);
      if (typeof left !== "bigint" || typeof right !== "bigint") return null;
      return (left - right) / BigInt(expression.scale);
    }
    case "convert": {
      const operand = fold(expression.operand);
      return operand === null ? null : convertValue(operand, expression.type, pointerBytes);
    }
    default:
      return assertNever(expression, "expression");
  }
}

/** The truth of a condition that is the same in every run, else null. The address of an object is never null. */
export function foldTruth(condition: Expression, pointerBytes: 4 | 8): boolean | null {
  if (isAddress(condition)) return true;
  if (condition.kind === "comparison" && (condition.operator === "==" || condition.operator === "!=")) {
    const left = condition.left;
    const right = condition.right;
    const comparesNull =
      (isAddress(left) && foldConstant(right, pointerBytes) === 0n) ||
      (isAddress(right) && foldConstant(left, pointerBytes) === 0n);
    if (comparesNull) return condition.operator === "!=";
  }
  const value = foldConstant(condition, pointerBytes);
  if (value === null) return null;
  return typeof value === "bigint" ? value !== 0n : value !== 0;
}

function isAddress(expression: Expression): boolean {
  if (expression.kind === "convert" && expression.type.kind === "pointer") return isAddress(expression.operand);
  return expression.kind === "addressOf" || (expression.kind === "fieldAddress" && isAddress(expression.pointer));
}

function toType(value: ConstantValue, type: ScalarType, checked: boolean): ConstantValue | null {
  if (type.kind === "float") return type.bits === 32 ? Math.fround(Number(value)) : Number(value);
  if (type.kind !== "int" || typeof value !== "bigint") return null;
  const wrapped = wrapToInt(value, type);
  return checked && type.signed && wrapped !== value ? null : wrapped;
}

function binary(
  operator: BinaryOperator,
  left: ConstantValue,
  right: ConstantValue,
  type: ScalarType,
): ConstantValue | null {
  if (typeof left === "number" && typeof right === "number") {
    const result = floatArithmetic(operator, left, right);
    return result === null ? null : toType(result, type, false);
  }
  if (typeof left !== "bigint" || typeof right !== "bigint" || type.kind !== "int") return null;
  switch (operator) {
    case "+":
      return toType(left + right, type, true);
    case "-":
      return toType(left - right, type, true);
    case "*":
      return toType(left * right, type, true);
    case "/":
      return right === 0n ? null : toType(left / right, type, true);
    case "%":
      return right === 0n ? null : toType(left % right, type, true);
    case "&":
      return toType(left & right, type, false);
    case "|":
      return toType(left | right, type, false);
    case "^":
      return toType(left ^ right, type, false);
    case "<<":
      // gcc folds shifts of negative values and into the sign bit in constant expressions.
      return right < 0n || right >= BigInt(type.bits) ? null : toType(left << right, type, false);
    case ">>":
      return right < 0n || right >= BigInt(type.bits) ? null : left >> right;
    default:
      return assertNever(operator, "operator");
  }
}

function compare(operator: ComparisonOperator, left: ConstantValue, right: ConstantValue): boolean {
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      return assertNever(operator, "operator");
  }
}

function convertValue(value: ConstantValue, type: ScalarType, pointerBytes: 4 | 8): ConstantValue | null {
  switch (type.kind) {
    case "float":
      return toType(value, type, false);
    case "bool":
      return Number(value) !== 0 ? 1n : 0n;
    case "pointer":
      return typeof value === "bigint" ? BigInt.asUintN(pointerBytes * 8, value) : null;
    case "int": {
      if (typeof value === "bigint") return wrapToInt(value, type);
      if (!Number.isFinite(value)) return null;
      const truncated = BigInt(Math.trunc(value));
      return wrapToInt(truncated, type) === truncated ? truncated : null;
    }
    default:
      return assertNever(type, "type");
  }
}
