import { nth } from "../base/checked.ts";
import { assertNever, Defect } from "../base/errors.ts";

/** Types of the program model, with typedefs and layouts resolved. All sizes and offsets are bytes. */
export type Type = ScalarType | AggregateType | VoidType | FunctionType;

export type ScalarType = IntType | BoolType | FloatType | PointerType;

/** Types that only memory can hold. */
export type AggregateType = ArrayType | StructType;

export type IntType = {
  readonly kind: "int";
  readonly bits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
  /** As a programmer writes it: `unsigned long`. Only for printing; type equality ignores it. */
  readonly name: string;
  readonly enumerators?: readonly { readonly name: string; readonly value: bigint }[];
  /** Values from here on are not numbers: one that is no enumerator has no text. */
  readonly numbersFrom?: bigint;
};

/** C's `_Bool`: one byte, values 0 and 1; converting to it compares with zero. */
export type BoolType = { readonly kind: "bool" };

/** `approximated` marks `long double`, which is computed as `double` with a note. */
export type FloatType = {
  readonly kind: "float";
  readonly bits: 32 | 64;
  readonly approximated?: true;
  /** A number of a language without integers: 2 is written without a fraction. */
  readonly plain?: true;
};

export type PointerType = { readonly kind: "pointer"; readonly to: Type };

export type ArrayType = {
  readonly kind: "array";
  readonly element: Type;
  /** `null` for a variable-length or incomplete array, whose size the `declare` operation gives. */
  readonly length: number | null;
};

export type StructType = {
  readonly kind: "struct";
  /** `struct point`, `union u`, or `struct <anonymous at file.c:3>`. One object per tag and scope. */
  readonly name: string;
  readonly union: boolean;
  /** Filled in at the definition: a struct may contain pointers to itself. */
  layout: StructLayout | null;
};

export type StructLayout = {
  readonly size: number;
  readonly align: number;
  readonly fields: readonly Field[];
};

export type Field = {
  readonly name: string;
  readonly type: Type;
  /** For a bit-field: the offset of its storage unit. */
  readonly offset: number;
  readonly bitField?: BitField;
};

/** Bits `shift .. shift + width - 1` (little endian) of the storage unit with the field's type. */
export type BitField = { readonly shift: number; readonly width: number };

export type VoidType = { readonly kind: "void" };

export type FunctionType = {
  readonly kind: "function";
  readonly result: Type;
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
  /** Declared with empty parentheses: accepts any arguments after default promotion. */
  readonly unprototyped: boolean;
};

export type DataModelName = "ILP32" | "LP64";

export function isScalar(type: Type): type is ScalarType {
  return type.kind === "int" || type.kind === "bool" || type.kind === "float" || type.kind === "pointer";
}

/** The closed interval of values. `_Bool` holds 0 and 1. */
export function rangeOfInt(type: IntType | BoolType): readonly [bigint, bigint] {
  if (type.kind === "bool") return [0n, 1n];
  const bits = BigInt(type.bits);
  return type.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
}

/** Converts to an integer type, modulo 2^bits. */
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

/** `long double` has its ABI size although it is computed as `double`. */
function floatSize(type: FloatType, pointerBytes: 4 | 8): number {
  if (type.approximated) return pointerBytes === 8 ? 16 : 12;
  return type.bits / 8;
}

/** True if the types agree up to names and qualifiers. Structs are compared by identity. */
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
        a.parameters.every((parameter, i) => sameType(parameter, nth(b.parameters, i)))
      );
    default:
      return assertNever(a, "type");
  }
}

/** True if the scalar types have the same values and representation. All pointers do. */
export function sameRepresentation(a: ScalarType, b: ScalarType): boolean {
  return (a.kind === "pointer" && b.kind === "pointer") || sameType(a, b);
}

export function completeSize(type: Type, pointerBytes: 4 | 8): number {
  const size = sizeOf(type, pointerBytes);
  if (size === null) throw new Defect(`the size of an incomplete type was needed: ${type.kind}`);
  return size;
}

/** In C syntax around the declared name: `int *a[3]`, `void (*f)(int)`. */
export function printType(type: Type, name = ""): string {
  switch (type.kind) {
    case "void":
      return join("void", name);
    case "bool":
      return join("_Bool", name);
    case "int":
      return join(type.name, name);
    case "float":
      return join(type.approximated ? "long double" : type.bits === 32 ? "float" : "double", name);
    case "struct":
      return join(type.name, name);
    case "pointer": {
      const inner = type.to.kind === "array" || type.to.kind === "function" ? `(*${name})` : `*${name}`;
      return printType(type.to, inner);
    }
    case "array":
      return printType(type.element, `${name}[${type.length ?? ""}]`);
    case "function": {
      const parameters = type.parameters.map((parameter) => printType(parameter));
      if (type.variadic) parameters.push("...");
      if (parameters.length === 0 && !type.unprototyped) parameters.push("void");
      return printType(type.result, `${name}(${parameters.join(", ")})`);
    }
    default:
      return assertNever(type, "type");
  }
}

function join(type: string, name: string): string {
  return name === "" ? type : `${type} ${name}`;
}
