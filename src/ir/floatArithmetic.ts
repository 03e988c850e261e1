import type { Binary } from "./expression.ts";

/** An operator on floating-point values, before it is rounded to their type; null where there is none such. */
export function floatArithmetic(operator: Binary["operator"], left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    default:
      return null;
  }
}
