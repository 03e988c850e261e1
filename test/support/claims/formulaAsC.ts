import type { Formula } from "./formula.ts";

/**
 * A printed formula as an expression of C, in numbers wide enough for it; null where it has none: calls, cells whose index
 * may be anything, variables that are not in scope.
 */
export function formulaAsC(formula: Formula, inScope: (name: string) => boolean): string | null {
  switch (formula.kind) {
    case "number":
      return numberAsC(formula.value);
    case "truth":
      return formula.value ? "1" : "0";
    case "name":
    case "member":
    case "cell": {
      const place = placeAsC(formula, inScope);
      return place && `(__int128)${place}`;
    }
    case "cast": {
      const operand = formulaAsC(formula.operand, inScope);
      return operand && `(__int128)(${formula.signed ? "" : "u"}int${formula.bits}_t)(${operand})`;
    }
    case "unary": {
      if (!/^[-!~]$/.test(formula.operator)) return null;
      const operand = formulaAsC(formula.operand, inScope);
      return operand && `${formula.operator}(${operand})`;
    }
    case "binary": {
      const [left, right] = [formulaAsC(formula.left, inScope), formulaAsC(formula.right, inScope)];
      return left && right && isSafe(formula) ? `((${left}) ${formula.operator} (${right}))` : null;
    }
    case "conditional": {
      const parts = [formula.condition, formula.whenTrue, formula.whenFalse].map((part) => formulaAsC(part, inScope));
      return parts.includes(null) ? null : `((${parts[0]}) ? (${parts[1]}) : (${parts[2]}))`;
    }
    case "call":
      return euclideanAsC(formula, inScope);
  }
}

/** What the operation itself may do wrong is not the program's fault. */
function isSafe({ operator, right }: Formula & { readonly kind: "binary" }): boolean {
  if (operator === "<<") return false;
  if (operator === "/" || operator === "%") return right.kind === "number" && right.value !== 0n;
  return operator !== ">>" || right.kind === "number";
}

function numberAsC(value: bigint): string | null {
  return value < 1n << 63n ? `(__int128)${value}ll` : value < 1n << 64n ? `(__int128)${value}ull` : null;
}

function placeAsC(formula: Formula, inScope: (name: string) => boolean): string | null {
  if (formula.kind === "name") return inScope(formula.name) ? formula.name : null;
  if (formula.kind === "member") {
    const object = formula.arrow ? null : placeAsC(formula.object, inScope);
    return object && `${object}.${formula.field}`;
  }
  if (formula.kind !== "cell" || formula.index.kind !== "number") return null;
  const array = placeAsC(formula.array, inScope);
  return array && `${array}[${formula.index.value}]`;
}

function euclideanAsC(formula: Formula & { readonly kind: "call" }, inScope: (name: string) => boolean): string | null {
  const [dividend, divisor] = formula.arguments;
  if (formula.name !== "mod" || divisor?.kind !== "number" || divisor.value === 0n) return null;
  const operand = formulaAsC(dividend!, inScope);
  const size = `(__int128)${divisor.value}`;
  return operand && `((((${operand}) % ${size}) + ${size}) % ${size})`;
}
