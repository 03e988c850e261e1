import { assertNever } from "../base/errors.ts";
import type { Value } from "./evaluate.ts";

/**
 * Operations on IEEE 754 binary64, rounded to nearest. A number is represented by the integer of its bits (one pattern
 * for NaN), so that it is copied, stored and compared like any other value. A C `float` is the equal double; `single`
 * rounds to one. One operation on two floats, computed as doubles and rounded again, equals the binary32 result
 * (Figueroa, "When is double rounding innocuous?", 1995).
 */
export type FloatOperator = (typeof floatOperators)[number];

const floatOperators = [
  ...(["add", "sub", "mul", "div", "neg", "abs", "sqrt", "floor", "ceil", "trunc", "single"] as const),
  ...(["lt", "le", "eq"] as const),
  /** The double nearest to an integer. */
  "ofInt",
  /** The integer towards zero; unknown if there is none. */
  "toInt",
] as const;

const prefix = "float!";

export function floatSymbolName(operator: FloatOperator): string {
  return `${prefix}${operator}`;
}

export function floatOperatorOf(symbolName: string): FloatOperator | null {
  if (!symbolName.startsWith(prefix)) return null;
  return floatOperators.find((operator) => floatSymbolName(operator) === symbolName) ?? null;
}

export function arityOf(operator: FloatOperator): 1 | 2 {
  switch (operator) {
    case "add":
    case "sub":
    case "mul":
    case "div":
    case "lt":
    case "le":
    case "eq":
      return 2;
    default:
      return 1;
  }
}

export function isComparison(operator: FloatOperator): boolean {
  return operator === "lt" || operator === "le" || operator === "eq";
}

const view = new DataView(new ArrayBuffer(8));
const nan = 0x7ff8000000000000n;

export function bitsOfFloat(value: number): bigint {
  if (Number.isNaN(value)) return nan;
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** null for an integer that is no double. */
export function floatOfBits(bits: bigint): number | null {
  if (bits < 0n || bits >= 1n << 64n) return null;
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** null if an operand is no double, or the result no integer. */
export function evaluateFloat(operator: FloatOperator, args: readonly Value[]): Value | null {
  const [first, second] = args as readonly [bigint, bigint | undefined];
  if (operator === "ofInt") return bitsOfFloat(Number(first));
  const a = floatOfBits(first);
  const b = second === undefined ? 0 : floatOfBits(second);
  if (a === null || b === null) return null;
  switch (operator) {
    case "lt":
      return a < b;
    case "le":
      return a <= b;
    case "eq":
      return a === b;
    case "toInt":
      return Number.isFinite(a) ? BigInt(Math.trunc(a)) : null;
    default:
      return bitsOfFloat(calculate(operator, a, b));
  }
}

function calculate(
  operator: Exclude<FloatOperator, "lt" | "le" | "eq" | "ofInt" | "toInt">,
  a: number,
  b: number,
): number {
  switch (operator) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return a / b;
    case "neg":
      return -a;
    case "abs":
      return Math.abs(a);
    case "sqrt":
      return Math.sqrt(a);
    case "floor":
      return Math.floor(a);
    case "ceil":
      return Math.ceil(a);
    case "trunc":
      return Math.trunc(a);
    case "single":
      return Math.fround(a);
    default:
      return assertNever(operator);
  }
}
