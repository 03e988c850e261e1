import { decompose } from "../decimal.ts";
import { scaleExactly } from "../stdlib/scanNumber.ts";

/** The functions of `<math.h>` whose results are exact, or correctly rounded, where JavaScript has none of the kind. */

/** Halves away from zero; exact for every double. */
export function round(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole === 0 ? x * 0 : whole;
}

/** Halves to even. */
export function rint(x: number): number {
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) return whole + Math.sign(x);
  return whole === 0 ? x * 0 : whole;
}

/** Of zeros that differ in their sign it is the second one, as on x86. */
export function fmin(x: number, y: number): number {
  return Number.isNaN(y) || x < y ? x : y;
}

export function fmax(x: number, y: number): number {
  return Number.isNaN(y) || x > y ? x : y;
}

export function fdim(x: number, y: number): number {
  return Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x > y ? x - y : 0;
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}

export function copysign(x: number, y: number): number {
  return isNegative(x) === isNegative(y) ? x : -x;
}

/** IEEE remainder: `x - n * y` with n nearest to x / y, even on a tie; computed exactly. */
export function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || y === 0 || !Number.isFinite(x)) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  // The remainder by twice the divisor tells whether the quotient is even.
  let rest = size <= Number.MAX_VALUE / 2 ? Math.abs(x) % (2 * size) : Math.abs(x);
  if (size < 4.5e-308) {
    if (2 * rest > size) {
      rest -= size;
      if (2 * rest >= size) rest -= size;
    }
  } else {
    const half = size / 2;
    if (rest > half) {
      rest -= size;
      if (rest >= half) rest -= size;
    }
  }
  return isNegative(x) ? -rest : rest;
}

export function ldexp(x: number, power: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const { mantissa, exponent } = decompose(Math.abs(x));
  const result = scaleExactly(mantissa, exponent + Math.max(-5000, Math.min(5000, power)));
  return x < 0 ? -result : result;
}

export function frexp(x: number): { readonly fraction: number; readonly exponent: number } {
  if (x === 0 || !Number.isFinite(x)) return { fraction: x, exponent: 0 };
  const { mantissa, exponent } = decompose(Math.abs(x));
  const width = mantissa.toString(2).length;
  const fraction = Number(mantissa) / 2 ** width;
  return { fraction: x < 0 ? -fraction : fraction, exponent: exponent + width };
}
