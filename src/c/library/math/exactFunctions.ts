import { decompose } from "../stdio/formatNumber.ts";
import { scaleExactly } from "../stdlib/numbers.ts";

/** Functions of `<math.h>` with exact or correctly rounded results that JavaScript lacks. */

/** Rounds halves away from zero; exact for every double. */
export function round(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole === 0 ? x * 0 : whole;
}

/** Rounds halves to even. */
export function rint(x: number): number {
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) return whole + Math.sign(x);
  return whole === 0 ? x * 0 : whole;
}

/** For zeros of different sign it returns the second, as on x86. */
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
  // The remainder modulo twice the divisor tells whether the quotient is even.
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

/** The exponent of the leading bit, as a number. */
export function logb(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(x)) return Math.abs(x);
  return frexp(x).exponent - 1;
}

/** `x * y + z` rounded once. */
export function fma(x: number, y: number, z: number): number {
  // If a part is zero or not finite, or the product is zero, plain arithmetic is exact and has the right signs.
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z) || x === 0 || y === 0) return x * y + z;
  const [a, b, c] = [decompose(Math.abs(x)), decompose(Math.abs(y)), decompose(Math.abs(z))];
  const power = Math.min(a.exponent + b.exponent, c.exponent);
  const product = (a.mantissa * b.mantissa) << BigInt(a.exponent + b.exponent - power);
  const added = c.mantissa << BigInt(c.exponent - power);
  const sum = (isNegative(x) === isNegative(y) ? product : -product) + (isNegative(z) ? -added : added);
  if (sum === 0n) return 0;
  const size = scaleExactly(sum < 0n ? -sum : sum, power);
  return sum < 0n ? -size : size;
}

/** `fma` for floats: their product is a double; the sum is rounded to odd before it is rounded to a float. */
export function fmaOfFloats(x: number, y: number, z: number): number {
  const product = x * y;
  const sum = product + z;
  const part = sum - product;
  const lost = product - (sum - part) + (z - part);
  if (lost === 0 || !Number.isFinite(sum)) return Math.fround(sum);
  view.setFloat64(0, sum);
  const isOdd = (view.getUint32(4) & 1) === 1;
  return Math.fround(
    isOdd ? sum : nextafter(sum, lost > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, "double"),
  );
}

const view = new DataView(new ArrayBuffer(8));

export function nextafter(x: number, y: number, width: "float" | "double"): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  const isFloat = width === "float";
  const smallest = isFloat ? 2 ** -149 : 2 ** -1074;
  if (x === 0) return y > 0 ? smallest : -smallest;
  const step = y > x === x > 0 ? 1 : -1;
  if (isFloat) {
    view.setFloat32(0, x);
    view.setInt32(0, view.getInt32(0) + step);
    return view.getFloat32(0);
  }
  view.setFloat64(0, x);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(step));
  return view.getFloat64(0);
}
