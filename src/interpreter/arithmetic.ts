import * as scalarValue from "../ir/scalarValue.ts";
import { fitsInteger, fromBigInt, type ScalarValue, toBigInt, wrapInteger } from "../ir/scalarValue.ts";
import { undefinedRun } from "./problem.ts";

// V8 folds constants of a module into its code, but not imported ones.
const { maxSafe } = scalarValue;

/**
 * Integers of 64 and 128 bits. Each function has a fast path for two numbers with a safe-integer result, small enough
 * for V8 to inline; the rest is exact by BigInt. `site` < 0 means that overflow wraps (unsigned types, or `--ub wrap`)
 * instead of ending the run.
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
    // A product beyond the safe range stays beyond it after rounding; adding 0 turns -0 into 0.
    if (product <= maxSafe && product >= -maxSafe) return product + 0;
  }
  return settle(toBigInt(a) * toBigInt(b), "*", a, b, bits, signed, site);
}

/** `site` reports division by zero. `overflowSite` is for the most negative value by -1. */
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
  // C leaves a % b undefined if a / b overflows.
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

/** Bitwise operators and shifts on 64 and 128 bits. BigInt's infinite two's complement gives the right bits. */

const two32 = 4294967296;

export function andWide(a: ScalarValue, b: ScalarValue): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    // A small non-negative operand masks all bits above its 31.
    if ((b >= 0 && b <= 0x7fffffff) || (a >= 0 && a <= 0x7fffffff)) return a & b;
    if (a >= 0 && b >= 0) return high(a, b, "&") * two32 + ((a & b) >>> 0);
  }
  return fromBigInt(toBigInt(a) & toBigInt(b));
}

export function orWide(a: ScalarValue, b: ScalarValue): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    if ((a | 0) === a && (b | 0) === b) return a | b;
    if (a >= 0 && b >= 0) return high(a, b, "|") * two32 + ((a | b) >>> 0);
  }
  return fromBigInt(toBigInt(a) | toBigInt(b));
}

export function xorWide(a: ScalarValue, b: ScalarValue): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    if ((a | 0) === a && (b | 0) === b) return a ^ b;
    if (a >= 0 && b >= 0) return high(a, b, "^") * two32 + ((a ^ b) >>> 0);
  }
  return fromBigInt(toBigInt(a) ^ toBigInt(b));
}

export function complementWide(a: ScalarValue, bits: number, signed: boolean): ScalarValue {
  if (signed && typeof a === "number" && a > -maxSafe && a < maxSafe) return -1 - a;
  return wrapInteger(~toBigInt(a), bits, signed);
}

/** Combines the bits from 32 upwards of two non-negative safe integers. */
function high(a: number, b: number, operator: "&" | "|" | "^"): number {
  const x = Math.floor(a / two32);
  const y = Math.floor(b / two32);
  return operator === "&" ? x & y : operator === "|" ? x | y : x ^ y;
}

const powers = Float64Array.from({ length: 128 }, (_, i) => 2 ** i);

/**
 * C11 6.5.7: the count must be below the width, a left operand not negative, the result must fit. `wrapSite` < 0 shifts
 * bits.
 */
export function shiftLeftWide(
  a: ScalarValue,
  n: ScalarValue,
  bits: number,
  signed: boolean,
  site: number,
  wrapSite: number,
): ScalarValue {
  if (!(n >= 0 && n < bits)) undefinedRun({ kind: "bad-shift", operator: "<<", left: a, right: n }, site);
  if (typeof a === "number" && a >= 0) {
    const shifted = a * powers[Number(n)]!;
    if (shifted <= maxSafe) return shifted;
  }
  const exact = toBigInt(a) << toBigInt(n);
  if (signed && wrapSite >= 0 && (a < 0 || !fitsInteger(exact, bits, true))) {
    undefinedRun({ kind: "bad-shift", operator: "<<", left: a, right: n }, wrapSite);
  }
  return wrapInteger(exact, bits, signed);
}

export function shiftRightWide(a: ScalarValue, n: ScalarValue, bits: number, site: number): ScalarValue {
  if (!(n >= 0 && n < bits)) undefinedRun({ kind: "bad-shift", operator: ">>", left: a, right: n }, site);
  if (typeof a === "number") return Math.floor(a / powers[Number(n)]!);
  return fromBigInt(a >> toBigInt(n));
}

/** To an integer of at most 32 bits: modulo 2^32 here; the caller narrows further. */
export function lowWord(value: ScalarValue): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

export function toWide(value: ScalarValue, bits: number, signed: boolean): ScalarValue {
  if (typeof value === "number" && (signed || value >= 0)) return value;
  return wrapInteger(toBigInt(value), bits, signed);
}

/** C11 6.3.1.4: the fraction is discarded; a value that does not fit is undefined. */
export function floatToInt(value: number, bits: number, signed: boolean, site: number): ScalarValue {
  const whole = Math.trunc(value);
  const limit = 2 ** (signed ? bits - 1 : bits);
  if (!(whole < limit && whole >= (signed ? -limit : 0))) {
    undefinedRun({ kind: "float-conversion", value }, site);
  }
  return Number.isSafeInteger(whole) ? whole + 0 : fromBigInt(BigInt(whole));
}

/** Failure branches of generated code, under short names. */

export function signedOverflow(operator: string, left: ScalarValue, right: ScalarValue, site: number): never {
  return undefinedRun({ kind: "signed-overflow", operator, left, right }, site);
}

export function negationOverflow(operand: ScalarValue, site: number): never {
  return undefinedRun({ kind: "negation-overflow", operand }, site);
}

export function divisionByZero(operator: string, left: ScalarValue, site: number): never {
  return undefinedRun({ kind: "division-by-zero", operator, left }, site);
}

export function badShift(operator: string, left: ScalarValue, right: ScalarValue, site: number): never {
  return undefinedRun({ kind: "bad-shift", operator, left, right }, site);
}

export function returned(value: ScalarValue | undefined, variable: number, site: number): ScalarValue {
  return value ?? undefinedRun({ kind: "uninitialised-register", variable }, site);
}

export function indeterminate(variable: number, site: number): never {
  return undefinedRun({ kind: "uninitialised-register", variable }, site);
}
