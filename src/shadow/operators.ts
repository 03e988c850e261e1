import { applyToPrimitives } from "../frontend/js/concrete.ts";
import type { Recorded } from "../recorder/recorded.ts";

/** A value that neither the log nor arithmetic on logged values gives. */
export const unknownValue: unique symbol = Symbol("unknown");
export type Concrete = Recorded | typeof unknownValue;

export function isPrimitive(value: Concrete): value is undefined | null | boolean | number | string | bigint {
  return typeof value !== "symbol" && (typeof value !== "object" || value === null);
}

/** The operator on recorded values, as the language defines it; unknown where objects would be converted. */
export function applyBinary(operator: string, left: Concrete, right: Concrete): Concrete {
  if (left === unknownValue || right === unknownValue) return unknownValue;
  switch (operator) {
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "==":
    case "!=": {
      const equal = looselyEqual(left, right);
      return equal === unknownValue ? unknownValue : equal === (operator === "==");
    }
  }
  if (!isPrimitive(left) || !isPrimitive(right)) return unknownValue;
  if (typeof left === "bigint" || typeof right === "bigint") return bigintOperation(operator, left, right);
  if (operator === "+" && (typeof left === "string" || typeof right === "string")) {
    const text = `${left}${right}`;
    return text.length > 1000 ? unknownValue : text;
  }
  if (typeof left === "string" && typeof right === "string" && /^[<>]=?$/.test(operator))
    return compare(operator, left, right);
  return numberOperation(operator, Number(left), Number(right));
}

function looselyEqual(left: Recorded, right: Recorded): boolean | typeof unknownValue {
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === (right ?? null);
  if (!isPrimitive(left) && !isPrimitive(right)) return left === right;
  if (!isPrimitive(left) || !isPrimitive(right)) return unknownValue;
  // biome-ignore lint/suspicious/noDoubleEquals: it is what the program asked
  return left == right;
}

function compare<T extends number | string | bigint>(operator: string, left: T, right: T): boolean {
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

function numberOperation(operator: string, left: number, right: number): Concrete {
  const result = applyToPrimitives(operator, left, right);
  return typeof result === "number" || typeof result === "boolean" ? result : unknownValue;
}

function bigintOperation(operator: string, left: Recorded, right: Recorded): Concrete {
  if (typeof left !== "bigint" || typeof right !== "bigint") return unknownValue;
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(operator, left, right);
    default:
      return unknownValue;
  }
}

export function applyUnary(operator: string, operand: Concrete): Concrete {
  if (operand === unknownValue) return unknownValue;
  switch (operator) {
    case "!":
      return !truth(operand);
    case "typeof":
      return typeName(operand);
    case "void":
      return undefined;
    case "-":
      if (typeof operand === "bigint") return -operand;
      return isPrimitive(operand) ? -Number(operand) : unknownValue;
    case "+":
      return isPrimitive(operand) && typeof operand !== "bigint" ? Number(operand) : unknownValue;
    case "~":
      return isPrimitive(operand) && typeof operand !== "bigint" ? ~Number(operand) : unknownValue;
    default:
      return unknownValue;
  }
}

export function truth(value: Recorded): boolean {
  return isPrimitive(value) ? Boolean(value) : true;
}

function typeName(value: Recorded): string {
  if (value === null) return "object";
  if (typeof value !== "object") return typeof value;
  return value.kind === "text" ? "string" : value.kind;
}

/** The same value, as far as a contract can tell: NaN is NaN, and -0 is 0. */
export function sameValue(left: Concrete, right: Concrete): boolean {
  return left === right || (Number.isNaN(left) && Number.isNaN(right));
}
