import type { FloatType, IntType, PointerType } from "../ir/type.ts";

/** The types of what library functions read and write in the program's memory. */

function integer(bits: IntType["bits"], name: string): IntType {
  return { kind: "int", bits, signed: true, name };
}

const integers = {
  8: integer(8, "signed char"),
  16: integer(16, "short"),
  32: integer(32, "int"),
  64: integer(64, "long long"),
} as const;

export const signedInteger = (bits: keyof typeof integers): IntType => integers[bits];
export const int = integers[32];
export const unsignedInt: IntType = { kind: "int", bits: 32, signed: false, name: "unsigned int" };
export const float: FloatType = { kind: "float", bits: 32 };
export const double: FloatType = { kind: "float", bits: 64 };
export const pointer: PointerType = { kind: "pointer", to: { kind: "void" } };
