import type { BinaryOperator, ComparisonOperator } from "../ir/expression.ts";
import type { FloatType } from "../ir/type.ts";
import type { FloatOperator } from "../logic/floatOperator.ts";
import type { Term } from "../logic/term.ts";
import type { TranslationScope } from "./scope.ts";

/** Floating point is computed where the operands are known numbers, as the interpreter does; else where that is asked for. */
export function computeFloat(
  scope: TranslationScope,
  operator: BinaryOperator,
  left: Term,
  right: Term,
  type: FloatType,
): Term {
  const known = operators.get(operator);
  if (known === undefined) return scope.approximate("floating-point arithmetic", type);
  return rounded(scope, floatOperation(scope, known, left, right), type);
}

const operators: ReadonlyMap<BinaryOperator, FloatOperator> = new Map([
  ["+", "add"],
  ["-", "sub"],
  ["*", "mul"],
  ["/", "div"],
]);

export function negateFloat(scope: TranslationScope, operand: Term, type: FloatType): Term {
  return floatOperation(scope, "neg", operand) ?? scope.approximate("floating-point arithmetic", type);
}

/** null where an operand is not known, and what is not known is not computed with. */
export function floatOperation(
  { symbols: { terms, computesFloats } }: TranslationScope,
  operator: FloatOperator,
  ...operands: readonly Term[]
): Term | null {
  if (!computesFloats && operands.some(({ kind }) => kind !== "int")) return null;
  return terms.float(operator, ...operands);
}

/** A result as one of the type. */
export function rounded(scope: TranslationScope, result: Term | null, type: FloatType): Term {
  if (result === null) return scope.approximate("floating-point arithmetic", type);
  return type.bits === 32 ? scope.symbols.terms.float("single", result) : result;
}

export function compareFloats(scope: TranslationScope, operator: ComparisonOperator, left: Term, right: Term): Term {
  const { terms } = scope.symbols;
  return (
    comparison(scope, operator, left, right) ??
    terms.ne(scope.approximate("a floating-point comparison", { kind: "bool" }), terms.int(0n))
  );
}

function comparison(scope: TranslationScope, operator: ComparisonOperator, left: Term, right: Term): Term | null {
  if (operator === "!=") {
    const equal = floatOperation(scope, "eq", left, right);
    return equal === null ? null : scope.symbols.terms.not(equal);
  }
  if (operator === "==") return floatOperation(scope, "eq", left, right);
  const name = operator === "<" || operator === ">" ? "lt" : "le";
  return operator === "<" || operator === "<="
    ? floatOperation(scope, name, left, right)
    : floatOperation(scope, name, right, left);
}
