import { longestString } from "./logFormat.ts";
import type { Recorded, RecordedObject } from "./readLog.ts";

/**
 * The rules of the language on recorded values: whoever follows a log computes with these what the log leaves out. A value that neither the log
 * nor a rule gives is unknown.
 */
export const unknownValue: unique symbol = Symbol("unknown");
export type Concrete = Recorded | typeof unknownValue;

/** A value without an identity. */
export function isPrimitive(value: Concrete): value is undefined | null | boolean | number | string | bigint {
  return typeof value !== "symbol" && (typeof value !== "object" || value === null);
}

export function objectOf(value: Concrete): RecordedObject | null {
  if (typeof value !== "object" || value === null) return null;
  return value.kind === "object" || value.kind === "function" ? value : null;
}

export function isNullish(value: Concrete): value is null | undefined {
  return value === null || value === undefined;
}

/** Null: nobody knows. */
export function truth(value: Concrete): boolean | null {
  if (value === unknownValue) return null;
  return isPrimitive(value) ? Boolean(value) : true;
}

/** The same value, as far as anyone reading can tell: NaN is NaN, and -0 is 0. */
export function sameValue(left: Concrete, right: Concrete): boolean {
  return left === right || (Number.isNaN(left) && Number.isNaN(right));
}

function typeName(value: Recorded): string {
  if (isPrimitive(value)) return typeof value;
  return value.kind === "text" ? "string" : value.kind;
}

export function applyUnary(operator: string, value: Concrete): Concrete {
  if (operator === "void") return undefined;
  if (value === unknownValue) return unknownValue;
  if (operator === "typeof") return typeName(value);
  if (operator === "!") return !truth(value);
  if (!isPrimitive(value)) return unknownValue;
  switch (operator) {
    case "-":
      return typeof value === "bigint" ? -value : -Number(value);
    case "+":
      return typeof value === "bigint" ? unknownValue : Number(value);
    case "~":
      return typeof value === "bigint" ? ~value : ~Number(value);
    default:
      return unknownValue;
  }
}

/** `++` and `--`: a bigint stays one, everything else becomes a number. */
export function applyStep(step: 1 | -1, before: Concrete): Concrete {
  if (typeof before === "bigint") return before + BigInt(step);
  return applyBinary("+", applyUnary("+", before), step);
}

/** As the language has it, for operands without an identity; of the others only whether they are the same. */
export function applyBinary(operator: string, left: Concrete, right: Concrete): Concrete {
  if (left === unknownValue || right === unknownValue) return unknownValue;
  switch (operator) {
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "==":
    case "!=": {
      const same = looselyEqual(left, right);
      return same === null ? unknownValue : same === (operator === "==");
    }
    default: {
      if (!isPrimitive(left) || !isPrimitive(right)) return unknownValue;
      const result = applyToPrimitives(operator, left as number, right as number);
      // The log keeps no longer ones either.
      return typeof result === "string" && result.length > longestString ? unknownValue : result;
    }
  }
}

/** Null where an object would be converted: its own code says to what. */
function looselyEqual(left: Recorded, right: Recorded): boolean | null {
  if (isNullish(left) || isNullish(right)) return isNullish(left) && isNullish(right);
  // biome-ignore lint/suspicious/noDoubleEquals: the operator of the program
  if (isPrimitive(left) && isPrimitive(right)) return left == right;
  return isPrimitive(left) === isPrimitive(right) ? left === right : null;
}

/** The types are what the language's own operators see: they convert as the program did. */
function applyToPrimitives(operator: string, left: number, right: number): Concrete {
  try {
    switch (operator) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
        return left / right;
      case "%":
        return left % right;
      case "**":
        return left ** right;
      case "<":
        return left < right;
      case "<=":
        return left <= right;
      case ">":
        return left > right;
      case ">=":
        return left >= right;
      case "&":
        return left & right;
      case "|":
        return left | right;
      case "^":
        return left ^ right;
      case "<<":
        return left << right;
      case ">>":
        return left >> right;
      case ">>>":
        return left >>> right;
      default:
        return unknownValue;
    }
  } catch (error) {
    // A bigint and a number do not mix: the program threw here, and the log says so.
    if (error instanceof TypeError || error instanceof RangeError) return unknownValue;
    throw error;
  }
}
