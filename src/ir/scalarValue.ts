import type { BoolType, IntType } from "./type.ts";

/**
 * A scalar value while a program runs. - Integers: a `number` when its magnitude is at most 2^53 - 1, else a `bigint`;
 * never a `bigint` in the safe range and never -0. So equal integers are `===`, and types of at most 32 bits never meet
 * a `bigint`. - Floats: a `number` (a 32-bit float is rounded by `Math.fround` after every operation). - Pointers: a
 * `number`, see `memory/pointer.ts`.
 */
export type ScalarValue = number | bigint;

export const maxSafe = Number.MAX_SAFE_INTEGER;
const bigMaxSafe = BigInt(maxSafe);

/** The canonical representation of a mathematical integer. */
export function fromBigInt(value: bigint): ScalarValue {
  return value <= bigMaxSafe && value >= -bigMaxSafe ? Number(value) : value;
}

export function toBigInt(value: ScalarValue): bigint {
  return typeof value === "bigint" ? value : BigInt(value);
}

export function wrapInteger(value: bigint, bits: number, signed: boolean): ScalarValue {
  return fromBigInt(signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
}

export function fitsInteger(value: bigint, bits: number, signed: boolean): boolean {
  return (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
}

/** Bits and signedness; `_Bool` is represented as an unsigned 8-bit type. */
export function integerShape(type: IntType | BoolType): { readonly bits: number; readonly signed: boolean } {
  return type.kind === "bool" ? { bits: 8, signed: false } : type;
}

export function wideToDouble(value: ScalarValue): number {
  return typeof value === "number" ? value : Number(value);
}

/** Rounded once: a detour through double would round twice. */
export function wideToFloat(value: ScalarValue): number {
  if (typeof value === "number") return Math.fround(value);
  const magnitude = value < 0n ? -value : value;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 50));
  // 50 bits and a sticky bit round to 24 bits like the exact value.
  const lost = magnitude & ((1n << excess) - 1n);
  const kept = ((magnitude >> excess) << 1n) | (lost === 0n ? 0n : 1n);
  const result = Math.fround(Number(kept)) * 2 ** (Number(excess) - 1);
  return Math.fround(value < 0n ? -result : result);
}
