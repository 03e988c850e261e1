import type { Binary } from "./expression.ts";
import type { BoolType, IntType } from "./type.ts";

/**
 * A scalar value while a program runs.
 *
 * - Integers: a `number` when its magnitude is at most 2^53 - 1, else a `bigint`; never a `bigint` in the safe range and
 *   never -0. So equal integers are `===`, and types of at most 32 bits never meet a `bigint`.
 * - Floats: a `number` (a 32-bit float is rounded by `Math.fround` after every operation).
 * - Pointers: a `number`, see `memory/pointer.ts`.
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

/** Conversion of any integer to an integer type, modulo 2^bits. */
export function wrapInteger(value: bigint, bits: number, signed: boolean): ScalarValue {
  return fromBigInt(signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
}

export function fitsInteger(value: bigint, bits: number, signed: boolean): boolean {
  return (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
}

/** Bits and signedness; `_Bool` behaves as an unsigned type of 8 bits where its representation matters. */
export function integerShape(type: IntType | BoolType): { readonly bits: number; readonly signed: boolean } {
  return type.kind === "bool" ? { bits: 8, signed: false } : type;
}

/** An operator on floating-point values, before it is rounded to their type; null where there is none such. */
export function floatArithmetic(operator: Binary["operator"], left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    default:
      return null;
  }
}
