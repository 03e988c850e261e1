import { applyBinary, objectOf } from "../recorder/language.ts";
import { binary, constant, type Expr, isBoolean, plusInteger, unary } from "./expr.ts";
import type { ShadowValue } from "./value.ts";

/** An operation on values; constants are gathered where all that was seen are integers. */
export function foldBinary(operator: string, left: ShadowValue, right: ShadowValue): ShadowValue {
  const concrete = applyBinary(operator, left.concrete, right.concrete);
  const both = left.term.kind === "const" && right.term.kind === "const";
  if (both && (concrete === null || typeof concrete !== "object") && typeof concrete !== "symbol")
    return { concrete, term: { kind: "const", key: String(concrete), value: concrete } };
  // An object is itself; a number need not be.
  if (left.term.key === right.term.key && objectOf(left.concrete) !== null && typeof concrete === "boolean")
    return { concrete, term: constant(concrete) };
  const integers = Number.isSafeInteger(left.concrete) && Number.isSafeInteger(right.concrete);
  if (integers && right.term.kind === "const" && (operator === "+" || operator === "-")) {
    const offset = right.concrete as number;
    return { concrete, term: plusInteger(left.term, operator === "+" ? offset : -offset) };
  }
  if (integers && right.term.kind === "const" && /^([<>]=?|[!=]==?)$/.test(operator))
    return { concrete, term: comparedWith(operator, left.term, right.concrete as number) };
  return { concrete, term: binary(operator, left.term, right.term) };
}

/** `x - 1 > 0` is `x > 1`, for integers. */
function comparedWith(operator: string, left: Expr, bound: number): Expr {
  if (left.kind === "binary" && left.right.kind === "const" && Number.isSafeInteger(left.right.value)) {
    const offset = left.right.value as number;
    if (left.operator === "+") return comparedWith(operator, left.left, bound - offset);
    if (left.operator === "-") return comparedWith(operator, left.left, bound + offset);
  }
  return binary(operator, left, constant(bound));
}

/** The negation of a condition. `!(a < b)` stays: with NaN it is not `a >= b`. */
export function negated(expr: Expr): Expr {
  if (expr.kind === "unary" && expr.operator === "!" && isBoolean(expr.operand)) return expr.operand;
  return unary("!", expr);
}
