import type { Formula } from "./formula.ts";

export type FormulaValue = bigint | boolean;

/**
 * The value of a printed formula as a reader understands it: mathematical integers, C's division, two's complement of
 * any width for bitwise operations. Null where it is not determined: a name or call that has no value, division by zero.
 */
export function evaluateFormula(
  formula: Formula,
  valueOf: (place: Formula & { readonly kind: "name" | "member" | "cell" | "call" | "unary" }) => FormulaValue | null,
): FormulaValue | null {
  return evaluate(formula);

  function evaluate(f: Formula): FormulaValue | null {
    switch (f.kind) {
      case "number":
      case "truth":
        return f.value;
      case "name":
      case "member":
      case "cell":
        return valueOf(f);
      case "cast": {
        const operand = integer(f.operand);
        if (operand === null) return null;
        return f.signed ? BigInt.asIntN(f.bits, operand) : BigInt.asUintN(f.bits, operand);
      }
      case "unary":
        return unary(f);
      case "binary":
        return binary(f.operator, f.left, f.right);
      case "conditional": {
        const test = truth(f.condition);
        return test === null ? null : evaluate(test ? f.whenTrue : f.whenFalse);
      }
      case "call":
        return euclidean(f) ?? valueOf(f);
    }
  }

  function integer(f: Formula): bigint | null {
    const value = evaluate(f);
    return typeof value === "boolean" ? BigInt(value) : value;
  }

  function truth(f: Formula): boolean | null {
    const value = evaluate(f);
    return typeof value === "bigint" ? value !== 0n : value;
  }

  function unary(f: Formula & { readonly kind: "unary" }): FormulaValue | null {
    if (f.operator === "!") {
      const operand = truth(f.operand);
      return operand === null ? null : !operand;
    }
    if (f.operator !== "-" && f.operator !== "~") return valueOf(f);
    const operand = integer(f.operand);
    return operand === null ? null : f.operator === "-" ? -operand : ~operand;
  }

  function binary(operator: string, left: Formula, right: Formula): FormulaValue | null {
    if (operator === "&&" || operator === "||") {
      const [a, b] = [truth(left), truth(right)];
      const decisive = operator === "||";
      if (a === decisive || b === decisive) return decisive;
      return a === null || b === null ? null : !decisive;
    }
    const [a, b] = [integer(left), integer(right)];
    return a === null || b === null ? null : calculate(operator, a, b);
  }

  function euclidean(f: Formula & { readonly kind: "call" }): bigint | null {
    if (f.arguments.length !== 2 || (f.name !== "mod" && f.name !== "div")) return null;
    const [a, b] = f.arguments.map(integer) as [bigint | null, bigint | null];
    if (a === null || b === null || b === 0n) return null;
    const size = b < 0n ? -b : b;
    const rest = ((a % size) + size) % size;
    return f.name === "mod" ? rest : (a - rest) / b;
  }
}

function calculate(operator: string, a: bigint, b: bigint): FormulaValue | null {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case ">":
      return a > b;
    case "<=":
      return a <= b;
    case ">=":
      return a >= b;
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0n ? null : a / b;
    case "%":
      return b === 0n ? null : a % b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return b < 0n || b > 1000n ? null : a << b;
    case ">>":
      return b < 0n ? null : a >> b;
    default:
      return null;
  }
}
