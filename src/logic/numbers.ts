/** Integer functions on `bigint` that the language does not have; `div` and `mod` are those of SMT-LIB. */

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = absolute(a);
  let y = absolute(b);
  if (x === 1n || y === 1n) return 1n;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function lcm(a: bigint, b: bigint): bigint {
  return a === 0n || b === 0n ? 0n : absolute((a / gcd(a, b)) * b);
}

/** The remainder is in `0 .. |divisor| - 1`; the divisor is not 0. */
export function euclideanMod(dividend: bigint, divisor: bigint): bigint {
  const r = dividend % divisor;
  return r < 0n ? r + absolute(divisor) : r;
}

export function euclideanDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend - euclideanMod(dividend, divisor)) / divisor;
}

export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const q = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? q - 1n : q;
}

export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** An exact rational number in lowest terms with a positive denominator, so equal numbers have equal fields. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError("denominator 0");
  const sign = denominator < 0n ? -1n : 1n;
  if (denominator * sign === 1n) return { numerator: numerator * sign, denominator: 1n };
  const divisor = gcd(numerator, denominator) * sign;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export const zero: Rational = { numerator: 0n, denominator: 1n };
export const one: Rational = { numerator: 1n, denominator: 1n };

export function addRational(a: Rational, b: Rational): Rational {
  if (a.denominator === 1n && b.denominator === 1n) return { numerator: a.numerator + b.numerator, denominator: 1n };
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function mulRational(a: Rational, b: Rational): Rational {
  if (a.denominator === 1n && b.denominator === 1n) return { numerator: a.numerator * b.numerator, denominator: 1n };
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function negRational(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function divRational(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function compareRational(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isZero(a: Rational): boolean {
  return a.numerator === 0n;
}
