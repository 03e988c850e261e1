import { fitsInteger, fromBigInt, type ScalarValue, toBigInt, wrapInteger } from "../../../ir/scalarValue.ts";
import type { Term } from "../../../logic/term.ts";
import { type Entry, type OperationEntry, operations, type Pointer, pointer } from "../entry.ts";
import { type Host, longBits } from "../host.ts";
import { pointee, reads, string, writes } from "../memoryUse.ts";
import { decompose } from "../stdio/formatNumber.ts";

/** `<stdlib.h>`: numbers from strings, and absolute values. */

const operation = operations("stdlib.h");
const ofWidest = operations("inttypes.h");

/** The bits of a type, which may depend on the data model. */
type Width = (host: Host) => number;
const fixed = (bits: number): Width => {
  return () => bits;
};

/** Clamps to the range of the type, as C specifies for `strtol`. */
function clamp(host: Host, value: bigint, bits: number, signed: boolean): ScalarValue {
  if (fitsInteger(value, bits, signed)) return fromBigInt(value);
  host.setErrno("ERANGE");
  const width = BigInt(bits);
  if (!signed) return fromBigInt((1n << width) - 1n);
  return fromBigInt(value < 0n ? -(1n << (width - 1n)) : (1n << (width - 1n)) - 1n);
}

function parseInteger(host: Host, at: Pointer, end: Pointer, base: number, bits: number, signed: boolean): ScalarValue {
  if (base < 0 || base === 1 || base > 36) host.undefined(`the base ${base} is not between 2 and 36`);
  const { value, negative, length } = scanInteger(host.readString(at), base);
  if (end !== 0) host.writeScalar(end, pointer, at + length);
  if (signed) return clamp(host, negative ? -value : value, bits, true);
  // The magnitude must fit; a minus sign then negates it modulo 2^bits.
  if (!fitsInteger(value, bits, false)) return clamp(host, value, bits, false);
  return wrapInteger(negative ? -value : value, bits, false);
}

function parseFloat(host: Host, at: Pointer, end: Pointer, width: FloatWidth = "double"): number {
  const { value, length, inRange } = scanFloat(host.readString(at), width);
  if (end !== 0) host.writeScalar(end, pointer, at + length);
  if (!inRange) host.setErrno("ERANGE");
  return value;
}

const outOfRange = { ERANGE: "the number is out of the type's range" } as const;

/** `strtol` and its relatives. */
function converter(
  type: string,
  name: string,
  bits: Width,
  signed: boolean,
  ofHeader: typeof operation = operation,
): OperationEntry {
  return ofHeader({
    prototype: `${type} ${name}(const char *string, char **end, int base)`,
    memory: [reads("string", string), writes("end", pointee)],
    errno: outOfRange,
    run: (host, at: Pointer, end: Pointer, base: number) => parseInteger(host, at, end, base, bits(host), signed),
  });
}

/** `atoi` and its relatives: in glibc a narrowed `strtol(…, 10)`, which also sets `errno`. */
function shortConverter(type: string, name: string, parsed: Width, bits: Width): OperationEntry {
  return operation({
    prototype: `${type} ${name}(const char *string)`,
    memory: [reads("string", string)],
    errno: outOfRange,
    run: (host, at: Pointer) =>
      wrapInteger(toBigInt(parseInteger(host, at, 0, 10, parsed(host), true)), bits(host), true),
  });
}

function floatConverter(type: string, name: string, width: FloatWidth): OperationEntry {
  return operation({
    prototype: `${type} ${name}(const char *string, char **end)`,
    memory: [reads("string", string), writes("end", pointee)],
    errno: outOfRange,
    run: (host, at: Pointer, end: Pointer) => parseFloat(host, at, end, width),
  });
}

function absolute(type: string, name: string, bits: Width, ofHeader: typeof operation = operation): OperationEntry {
  return ofHeader({
    prototype: `${type} ${name}(${type} number)`,
    run: (host, value: ScalarValue) => {
      if (value >= 0) return value;
      const result = -toBigInt(value);
      if (!fitsInteger(result, bits(host), true)) host.negationOverflow(value);
      return fromBigInt(result);
    },
    value: ({ terms, resultBits, require }, value: Term) => {
      if (resultBits === null) return null;
      require(terms.ne(value, terms.int(-(1n << BigInt(resultBits - 1)))), "signed-overflow");
      return terms.ite(terms.ge(value, terms.int(0n)), value, terms.neg(value));
    },
  });
}

export const numbers: readonly Entry[] = [
  shortConverter("int", "atoi", longBits, fixed(32)),
  shortConverter("long", "atol", longBits, longBits),
  shortConverter("long long", "atoll", fixed(64), fixed(64)),
  operation({
    prototype: "double atof(const char *string)",
    memory: [reads("string", string)],
    errno: outOfRange,
    run: (host, at: Pointer) => parseFloat(host, at, 0),
  }),
  converter("long", "strtol", longBits, true),
  converter("unsigned long", "strtoul", longBits, false),
  converter("long long", "strtoll", fixed(64), true),
  converter("unsigned long long", "strtoull", fixed(64), false),
  converter("intmax_t", "strtoimax", fixed(64), true, ofWidest),
  converter("uintmax_t", "strtoumax", fixed(64), false, ofWidest),
  floatConverter("double", "strtod", "double"),
  floatConverter("float", "strtof", "float"),
  floatConverter("long double", "strtold", "double"),
  absolute("int", "abs", fixed(32)),
  absolute("long", "labs", longBits),
  absolute("long long", "llabs", fixed(64)),
  absolute("intmax_t", "imaxabs", fixed(64), ofWidest),
];

/** Numbers at the start of a string, for `strtol`, `strtod` and `scanf`. */

const isSpace = (byte: number | undefined) => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

/** `length` is 0 if there is no number; otherwise it includes leading white space. */
export function scanInteger(
  bytes: Uint8Array,
  base: number,
): { readonly value: bigint; readonly negative: boolean; readonly length: number } {
  let at = 0;
  while (isSpace(bytes[at])) at++;
  const negative = bytes[at] === 45;
  if (bytes[at] === 43 || negative) at++;
  let radix = base;
  const hexadecimal = bytes[at] === 48 && (bytes[at + 1] === 120 || bytes[at + 1] === 88) && digit(bytes[at + 2]) < 16;
  if ((base === 0 || base === 16) && hexadecimal) {
    radix = 16;
    at += 2;
  } else if (base === 0) radix = bytes[at] === 48 ? 8 : 10;
  const start = at;
  // The first digits fit into a number, which is faster.
  let small = 0;
  let d = digit(bytes[at]);
  for (; d < radix && small < 2 ** 40; d = digit(bytes[++at])) small = small * radix + d;
  let value = BigInt(small);
  for (; d < radix; d = digit(bytes[++at])) value = value * BigInt(radix) + BigInt(d);
  return at === start ? { value: 0n, negative: false, length: 0 } : { value, negative, length: at };
}

/** 0 to 35, or 99 for any other byte. */
export function digit(byte: number | undefined): number {
  if (byte === undefined) return 99;
  if (byte >= 48 && byte <= 57) return byte - 48;
  if (byte >= 97 && byte <= 122) return byte - 87;
  return byte >= 65 && byte <= 90 ? byte - 55 : 99;
}

export type FloatWidth = "float" | "double";

/** Decimal and hexadecimal floats, infinity and NaN. `inRange`: no overflow, and no digits lost by underflow. */
export function scanFloat(
  bytes: Uint8Array,
  width: FloatWidth = "double",
): {
  readonly value: number;
  readonly length: number;
  readonly inRange: boolean;
} {
  const text = Buffer.from(bytes).toString("latin1");
  const match =
    /^[ \t-\r]*([+-]?)(?:(inf(?:inity)?)|(nan(?:\([0-9a-z_]*\))?)|0x((?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?)|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))/i.exec(
      text,
    );
  if (match === null) return { value: 0, length: 0, inRange: true };
  const [all, sign, infinity, nan, hexadecimal, decimal] = match;
  const nearest =
    infinity !== undefined
      ? Number.POSITIVE_INFINITY
      : nan !== undefined
        ? Number.NaN
        : hexadecimal !== undefined
          ? hexadecimalValue(hexadecimal.toLowerCase())
          : Number(decimal);
  const digits = decimal ?? hexadecimal?.toLowerCase();
  const radix = decimal === undefined ? 16 : 10;
  const magnitude = width === "double" || digits === undefined ? nearest : nearestFloat(nearest, digits, radix);
  const inRange = digits === undefined || isInRange(magnitude, digits, radix, width);
  return { value: sign === "-" ? -magnitude : magnitude, length: all.length, inRange };
}

/** The digits as an integer, and the power of 10 or 2 to multiply it with. */
function partsOf(text: string, radix: 10 | 16): { readonly mantissa: bigint; readonly power: number } {
  const [digits, exponent = "0"] = text.split(radix === 10 ? /e/i : "p") as [string, string?];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  const mantissa = BigInt(`${radix === 16 ? "0x0" : "0"}${whole}${fraction}`);
  return { mantissa, power: Number(exponent) - (radix === 16 ? 4 : 1) * fraction.length };
}

/** False on overflow, and if a subnormal number or zero only approximates the number. */
function isInRange(value: number, text: string, radix: 10 | 16, width: FloatWidth): boolean {
  if (value === Number.POSITIVE_INFINITY) return false;
  return value >= 2 ** (width === "float" ? -126 : -1022) || compare(text, radix, value) === 0;
}

/** Compares the exact decimal or hexadecimal number with a finite value. */
function compare(text: string, radix: 10 | 16, value: number): -1 | 0 | 1 {
  const { mantissa, power } = partsOf(text, radix);
  if (mantissa === 0n || value === 0) return mantissa === 0n ? (value === 0 ? 0 : -1) : 1;
  const nearest = decompose(value);
  // Multiplies both sides by the denominators.
  const base = radix === 16 ? 2n : 10n;
  const left = mantissa * base ** BigInt(Math.max(0, power)) * (1n << BigInt(Math.max(0, -nearest.exponent)));
  const right = nearest.mantissa * base ** BigInt(Math.max(0, -power)) * (1n << BigInt(Math.max(0, nearest.exponent)));
  return left === right ? 0 : left > right ? 1 : -1;
}

/** A double half-way between two floats may itself be rounded: the digits decide. */
function nearestFloat(value: number, text: string, radix: 10 | 16): number {
  const rounded = Math.fround(value);
  if (rounded === value || !Number.isFinite(value)) return rounded;
  // 2^128 stands for the float after the largest one.
  const near = Math.min(rounded, 2 ** 128);
  const far = nextFloat(near, value > near);
  if (Math.abs(value - near) !== Math.abs(far - value)) return rounded;
  const side = compare(text, radix, value);
  return Math.fround(side === 0 || side > 0 === near > value ? near : far);
}

const single = new DataView(new ArrayBuffer(4));

/** The neighbour of a non-negative float. */
function nextFloat(value: number, above: boolean): number {
  if (value === 2 ** 128) return largestFloat;
  if (value === largestFloat && above) return 2 ** 128;
  single.setFloat32(0, value);
  single.setUint32(0, single.getUint32(0) + (above ? 1 : -1));
  return single.getFloat32(0);
}

const largestFloat = 2 ** 128 - 2 ** 104;

/** Correctly rounded: the digits as an integer, cut to 64 bits with a sticky bit, times a power of two. */
function hexadecimalValue(text: string): number {
  let { mantissa, power } = partsOf(text, 16);
  const excess = mantissa.toString(2).length - 64;
  if (excess > 0) {
    const lost = mantissa & ((1n << BigInt(excess)) - 1n);
    mantissa = (mantissa >> BigInt(excess)) | (lost === 0n ? 0n : 1n);
    power += excess;
  }
  return scaleExactly(mantissa, power);
}

/** `mantissa * 2^power` rounded once, subnormal results included. */
export function scaleExactly(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0;
  const width = mantissa.toString(2).length;
  const top = width + power;
  if (top > 1024) return Number.POSITIVE_INFINITY;
  // The lowest bit of a double of this size.
  const low = Math.max(top - 53, -1074);
  const drop = low - power;
  if (drop <= 0) return multiplyByPower(Number(mantissa << BigInt(-drop)), low);
  if (drop > width + 1) return 0;
  const shift = BigInt(drop);
  let kept = mantissa >> shift;
  const rest = mantissa & ((1n << shift) - 1n);
  const half = 1n << (shift - 1n);
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  return multiplyByPower(Number(kept), low);
}

/** Exact if the result is a double. Two steps, because 2^-1074 times 2^-52 is not a double. */
function multiplyByPower(value: number, power: number): number {
  return power < -1000 ? value * 2 ** -1000 * 2 ** (power + 1000) : value * 2 ** power;
}
