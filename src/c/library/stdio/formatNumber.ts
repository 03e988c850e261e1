/** The flags of a conversion; see C11 7.21.6.1. */
export type NumberStyle = {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternative: boolean;
  readonly zero: boolean;
  readonly width: number;
  /** Negative if none was given. */
  readonly precision: number;
};

/** Sign or prefix, then digits, padded to the width. */
function fill(style: NumberStyle, prefix: string, digits: string, zeroFill: boolean): string {
  const missing = style.width - prefix.length - digits.length;
  if (missing <= 0) return prefix + digits;
  if (style.left) return prefix + digits + " ".repeat(missing);
  return zeroFill ? prefix + "0".repeat(missing) + digits : " ".repeat(missing) + prefix + digits;
}

function signText(style: NumberStyle, negative: boolean): string {
  return negative ? "-" : style.plus ? "+" : style.space ? " " : "";
}

/** `value` is signed for `d` and `i`, non-negative for the others. */
export function formatInteger(value: bigint, conversion: string, style: NumberStyle): string {
  const magnitude = value < 0n ? -value : value;
  const radix = conversion === "o" ? 8 : conversion === "x" || conversion === "X" ? 16 : 10;
  let digits = magnitude.toString(radix);
  if (conversion === "X") digits = digits.toUpperCase();
  if (style.precision === 0 && magnitude === 0n) digits = "";
  digits = digits.padStart(style.precision, "0");
  if (conversion === "o" && style.alternative && !digits.startsWith("0")) digits = `0${digits}`;
  const signed = conversion === "d" || conversion === "i";
  const base = radix === 16 && style.alternative && magnitude !== 0n ? `0${conversion}` : "";
  const prefix = signed ? signText(style, value < 0n) : base;
  // A precision disables the zero flag.
  return fill(style, prefix, digits, style.zero && style.precision < 0);
}

export function formatFloat(value: number, conversion: string, style: NumberStyle): string {
  const lower = conversion.toLowerCase();
  const upper = lower !== conversion;
  const finish = (text: string) => (upper ? text.toUpperCase() : text);
  // Arithmetic NaNs on x86 have their sign bit set, and glibc prints it.
  const negative = value < 0 || Object.is(value, -0) || Number.isNaN(value);
  const sign = signText(style, negative);
  if (!Number.isFinite(value)) return finish(fill(style, sign, Number.isNaN(value) ? "nan" : "inf", false));
  const magnitude = Math.abs(value);
  switch (lower) {
    case "f":
      return finish(fill(style, sign, fixedText(magnitude, defaulted(style.precision), style.alternative), style.zero));
    case "e":
      return finish(
        fill(style, sign, scientificText(magnitude, defaulted(style.precision), style.alternative), style.zero),
      );
    case "g":
      return finish(fill(style, sign, generalText(magnitude, style), style.zero));
    default:
      return finish(fill(style, `${sign}0x`, hexadecimalText(magnitude, style), style.zero));
  }
}

function defaulted(precision: number): number {
  return precision < 0 ? 6 : precision;
}

function withPoint(whole: string, fraction: string, always: boolean): string {
  return fraction === "" && !always ? whole : `${whole}.${fraction}`;
}

function fixedText(value: number, precision: number, point: boolean): string {
  const { whole, fraction } = fixedDigits(value, precision);
  return withPoint(whole, fraction, point);
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${Math.abs(exponent).toString().padStart(2, "0")}`;
}

function scientificText(value: number, precision: number, point: boolean): string {
  const { digits, exponent } = scientificDigits(value, precision);
  return withPoint(digits[0]!, digits.slice(1), point) + exponentText(exponent);
}

function generalText(value: number, style: NumberStyle): string {
  const precision = style.precision === 0 ? 1 : defaulted(style.precision);
  const { digits, exponent } = scientificDigits(value, precision - 1);
  const strip = (fraction: string) => (style.alternative ? fraction : fraction.replace(/0+$/, ""));
  if (exponent < -4 || exponent >= precision) {
    // glibc chooses fixed notation before it rounds; if rounding then leaves it, no fraction is left.
    const carried = exponent === precision && !isAtLeastPower(value, precision);
    if (style.alternative && carried) return `${digits[0]}.${exponentText(exponent)}`;
    return withPoint(digits[0]!, strip(digits.slice(1)), style.alternative) + exponentText(exponent);
  }
  const { whole, fraction } = fixedDigits(value, precision - 1 - exponent);
  return withPoint(whole, strip(fraction), style.alternative);
}

/** One hexadecimal digit, the fraction, a binary exponent: `1.8p+3`, without `0x`. */
function hexadecimalText(value: number, style: NumberStyle): string {
  let { mantissa, exponent } = decompose(value);
  // A normal number has 1 before the point, a subnormal one 0.
  exponent = mantissa === 0n ? 0 : exponent + 52;
  let digits = 13;
  if (style.precision >= 0 && style.precision < 13) {
    const shift = BigInt(4 * (13 - style.precision));
    const rest = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    mantissa >>= shift;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa++;
    digits = style.precision;
  }
  const text = mantissa.toString(16).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  let fraction = text.slice(text.length - digits);
  fraction = style.precision < 0 ? fraction.replace(/0+$/, "") : fraction.padEnd(style.precision, "0");
  return `${withPoint(whole, fraction, style.alternative)}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

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

/** `toFixed` writes larger numbers with an exponent. */
const mostFixed = 1e21;
const mostFixedPrecision = 50;

/** `toFixed` is exact too, but rounds half up: a half has at most `precision + 1` binary digits after the point. */
function mayBeHalf(value: number, precision: number): boolean {
  return Number.isInteger(value * 2 ** (precision + 1));
}

/** Digits before and after the point, as `%.*f` prints them. */
export function fixedDigits(value: number, precision: number): { readonly whole: string; readonly fraction: string } {
  if (value < mostFixed && precision <= mostFixedPrecision && !mayBeHalf(value, precision)) {
    const [whole = "", fraction = ""] = value.toFixed(precision).split(".");
    return { whole, fraction };
  }
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

export function isAtLeastPower(value: number, power: number): boolean {
  const { mantissa, exponent } = decompose(value);
  const left = mantissa * (exponent > 0 ? 1n << BigInt(exponent) : 1n) * (power < 0 ? 10n ** BigInt(-power) : 1n);
  const right = (power > 0 ? 10n ** BigInt(power) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  return left >= right;
}
