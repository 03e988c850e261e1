import { fitsInteger, fromBigInt, maxSafe, type ScalarValue, toBigInt, wrapInteger } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/**
 * Integers of 64 and 128 bits. Each function has a fast path for two numbers whose result is a safe integer and is small
 * enough for V8 to inline; the rest is exact by BigInt. `site` < 0 means that overflow wraps (unsigned types, or
 * `--ub wrap`) instead of ending the run.
 */

export function addWide(a: ScalarValue, b: ScalarValue, bits: number, signed: boolean, site: number): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= maxSafe && sum >= -maxSafe) return sum;
  }
  return settle(toBigInt(a) + toBigInt(b), "+", a, b, bits, signed, site);
}

export function subtractWide(a: ScalarValue, b: ScalarValue, bits: number, signed: boolean, site: number): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (difference <= maxSafe && difference >= -maxSafe && (signed || difference >= 0)) return difference;
  }
  return settle(toBigInt(a) - toBigInt(b), "-", a, b, bits, signed, site);
}

export function multiplyWide(a: ScalarValue, b: ScalarValue, bits: number, signed: boolean, site: number): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // A product beyond the safe range is also beyond it after rounding; adding 0 turns -0 into 0.
    if (product <= maxSafe && product >= -maxSafe) return product + 0;
  }
  return settle(toBigInt(a) * toBigInt(b), "*", a, b, bits, signed, site);
}

/** `site` is always one: division by zero has no other meaning. `overflowSite` is for the most negative value by -1. */
export function divideWide(
  a: ScalarValue,
  b: ScalarValue,
  bits: number,
  signed: boolean,
  site: number,
  overflow: number,
): ScalarValue {
  if (b === 0) undefinedRun({ kind: "division-by-zero", operator: "/", left: a }, site);
  // The rounded quotient of two safe integers never reaches the next integer, so truncation is exact.
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  return settle(toBigInt(a) / toBigInt(b), "/", a, b, bits, signed, overflow);
}

export function remainderWide(
  a: ScalarValue,
  b: ScalarValue,
  bits: number,
  signed: boolean,
  site: number,
  overflow: number,
): ScalarValue {
  if (b === 0) undefinedRun({ kind: "division-by-zero", operator: "%", left: a }, site);
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  const left = toBigInt(a);
  const right = toBigInt(b);
  // C leaves a % b undefined where a / b overflows.
  if (signed && overflow >= 0 && !fitsInteger(left / right, bits, true)) {
    undefinedRun({ kind: "signed-overflow", operator: "%", left: a, right: b }, overflow);
  }
  return fromBigInt(left % right);
}

export function negateWide(a: ScalarValue, bits: number, signed: boolean, site: number): ScalarValue {
  if (typeof a === "number" && (signed || a === 0)) return 0 - a;
  const result = -toBigInt(a);
  if (signed && site >= 0 && !fitsInteger(result, bits, true)) {
    undefinedRun({ kind: "negation-overflow", operand: a }, site);
  }
  return wrapInteger(result, bits, signed);
}

function settle(
  exact: bigint,
  operator: string,
  left: ScalarValue,
  right: ScalarValue,
  bits: number,
  signed: boolean,
  site: number,
): ScalarValue {
  if (signed && site >= 0 && !fitsInteger(exact, bits, true)) {
    undefinedRun({ kind: "signed-overflow", operator, left, right }, site);
  }
  return wrapInteger(exact, bits, signed);
}
