import { evaluate } from "../../ir/evaluate.ts";
import type { Expression } from "../../ir/expression.ts";
import { isEquality } from "../../ir/operators.ts";
import { toBigInt } from "../../ir/scalarValue.ts";

/** The value of an expression that reads nothing, or null: it reads something, or it is undefined. */
export function foldConstant(expression: Expression, pointerBytes: 4 | 8): bigint | number | null {
  const value = evaluate({ wraps: false, shiftsFreely: true, pointerBytes, leaf: () => null }, expression);
  if (value === undefined) return null;
  return expression.type.kind === "float" ? Number(value) : toBigInt(value);
}

/** The truth of a condition that is the same in every run, else null. The address of an object is never null. */
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
