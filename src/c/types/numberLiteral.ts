import { nth } from "../../base/checked.ts";
import { type FloatType, type IntType, rangeOfInt } from "../../ir/type.ts";
import type { BasicTypes } from "./cType.ts";

export type NumberLiteral =
  | { readonly kind: "int"; readonly type: IntType; readonly value: bigint }
  | { readonly kind: "float"; readonly type: FloatType; readonly value: number };

/** The value and type of a numeric constant; null if invalid (`08`, `1x`, an imaginary constant). */
export function parseNumberLiteral(text: string, types: BasicTypes): NumberLiteral | null {
  const clean = text.replaceAll("'", "").toLowerCase();
  const isHex = clean.startsWith("0x");
  const isFloat = isHex ? clean.includes("p") : /^[0-9.]*[.e]/.test(clean) || /^\d+(f|df|dd|dl)$/.test(clean);
  return isFloat ? parseFloating(clean, types) : parseInteger(clean, types);
}

function parseInteger(text: string, types: BasicTypes): NumberLiteral | null {
  const match = /^(0x[0-9a-f]+|0b[01]+|[0-9]+)([ul]*)$/.exec(text);
  if (match === null) return null;
  const digits = nth(match, 1);
  const suffix = nth(match, 2);
  if (!["", "u", "l", "ul", "lu", "ll", "ull", "llu"].includes(suffix)) return null;
  const octal = /^0[0-9]+$/.test(digits);
  if (octal && /[89]/.test(digits)) return null;
  const value = octal ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  const decimal = !octal && /^[0-9]+$/.test(digits);
  const type = integerLiteralType(value, decimal, suffix, types);
  const [, high] = rangeOfInt(type);
  return { kind: "int", type, value: value > high ? BigInt.asUintN(type.bits, value) : value };
}

/** C11 6.4.4.1p5: the first type of the list that holds the value; decimal constants never become unsigned by size. */
function integerLiteralType(value: bigint, decimal: boolean, suffix: string, types: BasicTypes): IntType {
  const unsigned = suffix.includes("u");
  const longs = suffix.replaceAll("u", "").length;
  const pairs: readonly (readonly [IntType, IntType])[] = [
    [types.int, types.unsignedInt],
    [types.long, types.unsignedLong],
    [types.longLong, types.unsignedLongLong],
  ];
  for (const [signedType, unsignedType] of pairs.slice(longs)) {
    if (!unsigned && value <= rangeOfInt(signedType)[1]) return signedType;
    if ((unsigned || !decimal) && value <= rangeOfInt(unsignedType)[1]) return unsignedType;
  }
  // Beyond every standard type gcc takes its widest one.
  if (types.pointerBytes === 4) return types.unsignedLongLong;
  return unsigned ? types.unsignedInt128 : types.int128;
}

function parseFloating(text: string, types: BasicTypes): NumberLiteral | null {
  const match = /^(0x[0-9a-f.]+p[+-]?\d+|[0-9.]+(?:e[+-]?\d+)?)(f|l|f32|f64|f32x|f64x)?$/.exec(text);
  if (match === null) return null;
  const suffix = match[2] ?? "";
  const type =
    suffix === "f" || suffix === "f32"
      ? types.float
      : suffix === "l" || suffix === "f64x"
        ? types.longDouble
        : types.double;
  const value = nth(match, 1).startsWith("0x") ? parseHexFloating(nth(match, 1)) : Number(match[1]);
  if (Number.isNaN(value)) return null;
  return { kind: "float", type, value: type.bits === 32 ? Math.fround(value) : value };
}

function parseHexFloating(text: string): number {
  const [mantissa = "", exponent = "0"] = text.slice(2).split("p");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(`0x0${whole}${fraction}`);
  return Number(digits) * 2 ** (Number(exponent) - 4 * fraction.length);
}
