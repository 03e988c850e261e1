import { fitsInteger, fromBigInt, maxSafe, type ScalarValue, toBigInt, wrapInteger } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/**
 * Bitwise operators and shifts on integers of 64 and 128 bits; see `wide.ts` for the conventions. Operands are within
 * their type, so BigInt's infinite two's complement gives the right bits.
 */

const two32 = 4294967296;

export function andWide(a: ScalarValue, b: ScalarValue): ScalarValue {
  if (typeof a === "number" && typeof b === "number") {
    // A small non-negative operand masks everything above its 31 bits away.
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

/** The bits from 32 upwards of two non-negative safe integers, combined. */
function high(a: number, b: number, operator: "&" | "|" | "^"): number {
  const x = Math.floor(a / two32);
  const y = Math.floor(b / two32);
  return operator === "&" ? x & y : operator === "|" ? x | y : x ^ y;
}

const powers = Float64Array.from({ length: 128 }, (_, i) => 2 ** i);

/**
 * C11 6.5.7: the count must be below the width; a negative value, or one whose shifted value does not fit the signed
 * type, must not be shifted left. `wrapSite` < 0 shifts the bits instead.
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
