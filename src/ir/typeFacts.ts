import { assertNever } from "../base/assertNever.ts";
import { Defect } from "../base/errors.ts";
import type { BoolType, DataModelName, FloatType, IntType, ScalarType, Type } from "./type.ts";

export function isScalar(type: Type): type is ScalarType {
  return type.kind === "int" || type.kind === "bool" || type.kind === "float" || type.kind === "pointer";
}

/** The closed interval of values. `_Bool` holds 0 and 1. */
export function rangeOfInt(type: IntType | BoolType): readonly [bigint, bigint] {
  if (type.kind === "bool") return [0n, 1n];
  const bits = BigInt(type.bits);
  return type.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

/** Conversion to an integer type: modulo 2^bits into its range. */
export function wrapToInt(value: bigint, type: IntType): bigint {
  return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
}

export function pointerBytesOf(model: DataModelName): 4 | 8 {
  return model === "LP64" ? 8 : 4;
}

/** Size in bytes; null for incomplete and variable-length types. */
export function sizeOf(type: Type, pointerBytes: 4 | 8): number | null {
  switch (type.kind) {
    case "int":
      return type.bits / 8;
    case "bool":
      return 1;
    case "float":
      return floatSize(type, pointerBytes);
    case "pointer":
      return pointerBytes;
    case "array": {
      const element = sizeOf(type.element, pointerBytes);
      return element === null || type.length === null ? null : element * type.length;
    }
    case "struct":
      return type.layout === null ? null : type.layout.size;
    case "void":
    case "function":
      return 1; // GNU C: arithmetic on void and function pointers counts bytes.
    default:
      return assertNever(type, "type");
  }
}

/** `long double` takes the room it has in the platform's ABI although it is computed as `double`. */
function floatSize(type: FloatType, pointerBytes: 4 | 8): number {
  if (type.approximated) return pointerBytes === 8 ? 16 : 12;
  return type.bits / 8;
}

/** Names and qualifiers aside, do the two types mean the same? Structs are compared by identity. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "int":
      return b.kind === "int" && a.bits === b.bits && a.signed === b.signed;
    case "float":
      return b.kind === "float" && a.bits === b.bits;
    case "bool":
    case "void":
      return b.kind === a.kind;
    case "pointer":
      return b.kind === "pointer" && sameType(a.to, b.to);
    case "array":
      return b.kind === "array" && a.length === b.length && sameType(a.element, b.element);
    case "struct":
      return false;
    case "function":
      return (
        b.kind === "function" &&
        a.variadic === b.variadic &&
        a.parameters.length === b.parameters.length &&
        sameType(a.result, b.result) &&
        a.parameters.every((parameter, i) => sameType(parameter, b.parameters[i]!))
      );
    default:
      return assertNever(a, "type");
  }
}

/** Do two scalar types have the same values and representation? All pointers do. */
export function sameRepresentation(a: ScalarType, b: ScalarType): boolean {
  return (a.kind === "pointer" && b.kind === "pointer") || sameType(a, b);
}

export function completeSize(type: Type, pointerBytes: 4 | 8): number {
  const size = sizeOf(type, pointerBytes);
  if (size === null) throw new Defect(`the size of an incomplete type was needed: ${type.kind}`);
  return size;
}
