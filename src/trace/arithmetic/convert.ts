import { fromBigInt, type ScalarValue, toBigInt, wrapInteger } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/** Conversions that are more than an operator of JavaScript. */

/** To an integer of at most 32 bits: modulo 2^32 here; the caller narrows further. */
export function lowWord(value: ScalarValue): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** Any integer to an integer of 64 or 128 bits. */
export function toWide(value: ScalarValue, bits: number, signed: boolean): ScalarValue {
  if (typeof value === "number" && (signed || value >= 0)) return value;
  return wrapInteger(toBigInt(value), bits, signed);
}

export function wideToDouble(value: ScalarValue): number {
  return typeof value === "number" ? value : Number(value);
}

/** Rounded once: going through a double would round twice. */
export function wideToFloat(value: ScalarValue): number {
  if (typeof value === "number") return Math.fround(value);
  const magnitude = value < 0n ? -value : value;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 50));
  // 50 bits and a sticky bit round to 24 bits as the exact value does.
  const lost = magnitude & ((1n << excess) - 1n);
  const kept = ((magnitude >> excess) << 1n) | (lost === 0n ? 0n : 1n);
  const result = Math.fround(Number(kept)) * 2 ** (Number(excess) - 1);
  return Math.fround(value < 0n ? -result : result);
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
