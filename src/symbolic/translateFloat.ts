import { assertNever } from "../base/assertNever.ts";
import type { BinaryOperator, ComparisonOperator } from "../ir/expression.ts";
import type { FloatType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import type { TranslationScope } from "./scope.ts";

/** Floating point is computed where the operands are known numbers, as the interpreter does, and unknown otherwise. */
export function computeFloat(
  scope: TranslationScope,
  operator: BinaryOperator,
  left: Term,
  right: Term,
  type: FloatType,
): Term {
  const { symbols } = scope;
  const [a, b] = [symbols.floatValue(left), symbols.floatValue(right)];
  const result = a === null || b === null ? null : calculate(operator, a, b);
  if (result === null) return scope.approximate("floating-point arithmetic", type);
  return symbols.floatConstant(type.bits === 32 ? Math.fround(result) : result);
}

export function negateFloat(scope: TranslationScope, operand: Term, type: FloatType): Term {
  const known = scope.symbols.floatValue(operand);
  return known === null ? scope.approximate("floating-point arithmetic", type) : scope.symbols.floatConstant(-known);
}

function calculate(operator: BinaryOperator, a: number, b: number): number | null {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    default:
      return null;
  }
}

export function compareFloats(scope: TranslationScope, operator: ComparisonOperator, left: Term, right: Term): Term {
  const { terms, floatValue } = scope.symbols;
  const [a, b] = [floatValue(left), floatValue(right)];
  if (a !== null && b !== null) return terms.bool(compare(operator, a, b));
  return terms.ne(scope.approximate("a floating-point comparison", { kind: "bool" }), terms.int(0n));
}

function compare(operator: ComparisonOperator, a: number, b: number): boolean {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return assertNever(operator, "operator");
  }
}
