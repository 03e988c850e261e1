import type { BoolType, FloatType, IntType } from "../../ir/type.ts";
import { type ArithmeticType, type BasicTypes, precisionOf, withPrecision } from "./cType.ts";

/** C11 6.3.1.1: the conversion rank. Types of equal width may differ in rank; only their names tell. */
const ranks: Readonly<Record<string, number>> = {
  char: 1,
  "signed char": 1,
  "unsigned char": 1,
  short: 2,
  "unsigned short": 2,
  int: 3,
  "unsigned int": 3,
  long: 4,
  "unsigned long": 4,
  "long long": 5,
  "unsigned long long": 5,
  __int128: 6,
  "unsigned __int128": 6,
};

function rankOf(type: IntType): number {
  return ranks[type.name]!;
}

/** Integer promotion: a type narrower than `int` becomes `int`. */
export function promote(type: IntType | BoolType, types: BasicTypes): IntType {
  return type.kind === "bool" || type.bits < types.int.bits ? types.int : type;
}

/**
 * The promoted type of a bit-field of `width` bits: `int` if it holds all values, else `unsigned int`, else gcc's own.
 */
export function promoteBitField(type: IntType | BoolType, width: number, types: BasicTypes): IntType {
  if (type.kind === "bool" || width < types.int.bits) return types.int;
  if (width === types.int.bits) return type.signed ? types.int : types.unsignedInt;
  return withPrecision(type.signed ? types.longLong : types.unsignedLongLong, width);
}

/** C11 6.3.1.8, the usual arithmetic conversions. */
export function commonType(a: ArithmeticType, b: ArithmeticType, types: BasicTypes): IntType | FloatType {
  if (a.kind === "float" || b.kind === "float") {
    return floatRank(a) >= floatRank(b) ? (a as FloatType) : (b as FloatType);
  }
  const left = promote(a, types);
  const right = promote(b, types);
  if (precisionOf(left) !== left.bits || precisionOf(right) !== right.bits) return morePrecise(left, right);
  if (left.signed === right.signed) return rankOf(left) >= rankOf(right) ? left : right;
  const [signed, unsigned] = left.signed ? [left, right] : [right, left];
  if (rankOf(unsigned) >= rankOf(signed)) return unsigned;
  return signed.bits > unsigned.bits ? signed : unsignedOf(signed, types);
}

/** For a wide bit-field gcc takes the type of greater precision, whatever its sign. */
function morePrecise(a: IntType, b: IntType): IntType {
  const [left, right] = [precisionOf(a), precisionOf(b)];
  if (left === right) return a.signed ? b : a;
  return left > right ? a : b;
}

function floatRank(type: ArithmeticType): number {
  if (type.kind !== "float") return 0;
  return type.approximated ? 3 : type.bits === 64 ? 2 : 1;
}

function unsignedOf(type: IntType, types: BasicTypes): IntType {
  switch (type.name) {
    case "char":
    case "signed char":
      return types.unsignedChar;
    case "short":
      return types.unsignedShort;
    case "int":
      return types.unsignedInt;
    case "long":
      return types.unsignedLong;
    case "long long":
      return types.unsignedLongLong;
    case "__int128":
      return types.unsignedInt128;
    default:
      return type;
  }
}
