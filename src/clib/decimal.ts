/** Exact decimal expansions of doubles, rounded half to even as glibc does in the default rounding mode. */

export type Exact = { readonly mantissa: bigint; readonly exponent: number };

const buffer = new DataView(new ArrayBuffer(8));

/** A finite, non-negative double as `mantissa * 2^exponent`. */
export function decompose(value: number): Exact {
  buffer.setFloat64(0, value);
  const bits = buffer.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  return twice > denominator || (twice === denominator && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** `value * 10^power`, rounded to an integer. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = decompose(value);
  const numerator = mantissa * (power > 0 ? 10n ** BigInt(power) : 1n) * (exponent > 0 ? 1n << BigInt(exponent) : 1n);
  const denominator = (power < 0 ? 10n ** BigInt(-power) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  return roundedQuotient(numerator, denominator);
}

/** Digits before and after the point, as `%.*f` prints them. */
export function fixedDigits(value: number, precision: number): { readonly whole: string; readonly fraction: string } {
  const text = scaled(value, precision)
    .toString()
    .padStart(precision + 1, "0");
  const split = text.length - precision;
  return { whole: text.slice(0, split), fraction: text.slice(split) };
}

/** `precision + 1` significant digits and the decimal exponent of the first, as `%.*e` prints them. */
export function scientificDigits(
  value: number,
  precision: number,
): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: "0".repeat(precision + 1), exponent: 0 };
  let exponent = Math.floor(Math.log10(value));
  // The logarithm of a double may be off by one.
  while (!isAtLeastPower(value, exponent)) exponent--;
  while (isAtLeastPower(value, exponent + 1)) exponent++;
  const digits = scaled(value, precision - exponent).toString();
  // Rounding up 9.99… gives one digit more.
  return digits.length === precision + 1
    ? { digits, exponent }
    : { digits: digits.slice(0, -1), exponent: exponent + 1 };
}

/** `value >= 10^power`, exactly. */
export function isAtLeastPower(value: number, power: number): boolean {
  const { mantissa, exponent } = decompose(value);
  const left = mantissa * (exponent > 0 ? 1n << BigInt(exponent) : 1n) * (power < 0 ? 10n ** BigInt(-power) : 1n);
  const right = (power > 0 ? 10n ** BigInt(power) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  return left >= right;
}
