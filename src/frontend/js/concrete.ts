import type { Recorded, RecordedObject } from "../../recorder/recorded.ts";

/** A value during a replay: as the log has it, a function that was just made, or nothing that anyone knows. */
export type Concrete = Recorded | typeof unknown;

/** What the log does not tell: the value of code that it does not follow. */
export const unknown = { kind: "unknown" } as const;

/** What a value is, as far as the program model tells values apart. */
export type Tag = "int" | "double" | "bool" | "string" | "object" | "function" | "undefined" | "null" | "other";

/** Integers of the program model; what is larger is kept as a double. */
export const largestInt = 2 ** 50;

export function tagOf(value: Concrete): Tag {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "bigint":
      return "other";
    case "number":
      return Number.isInteger(value) && Math.abs(value) < largestInt ? "int" : "double";
    default:
      if (value === null) return "null";
      if (value.kind === "text") return "string";
      return value.kind === "object" || value.kind === "function" ? value.kind : "other";
  }
}

/** A value without an identity. Whoever has a symbol for what is unknown may ask too: it is none. */
export function isPrimitive(value: Concrete | symbol): value is undefined | null | boolean | number | string | bigint {
  return typeof value !== "symbol" && (typeof value !== "object" || value === null);
}

export function truth(value: Concrete): boolean | null {
  if (isPrimitive(value)) return Boolean(value);
  return value.kind === "unknown" ? null : true;
}

export function typeName(value: Concrete): Concrete {
  if (isPrimitive(value)) return typeof value;
  if (value.kind === "unknown") return unknown;
  return value.kind === "text" ? "string" : value.kind;
}

export function applyUnary(operator: string, value: Concrete): Concrete {
  if (operator === "typeof") return typeName(value);
  if (operator === "void") return undefined;
  if (operator === "!") {
    const known = truth(value);
    return known === null ? unknown : !known;
  }
  if (!isPrimitive(value)) return unknown;
  switch (operator) {
    case "-":
      return typeof value === "bigint" ? -value : -Number(value);
    case "+":
      return typeof value === "bigint" ? unknown : Number(value);
    case "~":
      return typeof value === "bigint" ? ~value : ~Number(value);
    default:
      return unknown;
  }
}

/** As the language has it, for operands without an identity; of the others only whether they are the same. */
export function applyBinary(operator: string, left: Concrete, right: Concrete): Concrete {
  if (left === unknown || right === unknown) return unknown;
  if (operator === "===") return left === right;
  if (operator === "!==") return left !== right;
  const nullish = (value: Concrete) => value === null || value === undefined;
  if (operator === "==" || operator === "!=") {
    const same =
      nullish(left) || nullish(right)
        ? nullish(left) && nullish(right)
        : isPrimitive(left) && isPrimitive(right)
          ? // biome-ignore lint/suspicious/noDoubleEquals: the operator of the program
            left == right
          : isPrimitive(left) === isPrimitive(right)
            ? left === right
            : null;
    return same === null ? unknown : same === (operator === "==");
  }
  if (!isPrimitive(left) || !isPrimitive(right)) return unknown;
  return applyToPrimitives(operator, left as number, right as number);
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
        return unknown;
    }
  } catch (error) {
    // A bigint and a number do not mix: the program threw here, and the log says so.
    if (error instanceof TypeError || error instanceof RangeError) return unknown;
    throw error;
  }
}

export function objectOf(value: Concrete): RecordedObject | null {
  if (typeof value !== "object" || value === null) return null;
  return value.kind === "object" || value.kind === "function" ? value : null;
}
