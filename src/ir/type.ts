/**
 * Types of the program model. A front end resolves typedefs, computes layouts and picks widths for its data model;
 * what is left here is what the interpreter and the logic need. All sizes and offsets are bytes.
 */
export type Type = ScalarType | AggregateType | VoidType | FunctionType;

/** What an expression can have as its value. */
export type ScalarType = IntType | BoolType | FloatType | PointerType;

/** What only memory can hold. */
export type AggregateType = ArrayType | StructType;

export type IntType = {
  readonly kind: "int";
  readonly bits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
  /** As a programmer writes it: `unsigned long`. Only for printing; equality of types ignores it. */
  readonly name: string;
  /** Of an enumeration, the names of its values. Only for printing, too. */
  readonly enumerators?: readonly { readonly name: string; readonly value: bigint }[];
  /** Values from here on stand for something else than numbers: one that is no enumerator has no text. */
  readonly numbersFrom?: bigint;
};

/** C's `_Bool`: one byte, values 0 and 1; converting to it is a comparison with zero. */
export type BoolType = { readonly kind: "bool" };

/** `approximated` marks `long double`, which is computed as `double` and said to be. */
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
  /** Number of elements; `null` for a variable-length or incomplete array, whose size the `declare` operation gives. */
  readonly length: number | null;
};

export type StructType = {
  readonly kind: "struct";
  /** `struct point`, `union u`, or `struct <anonymous at file.c:3>`. Same tag and scope, same object. */
  readonly name: string;
  readonly union: boolean;
  /** Filled in when the definition is seen: a struct may contain pointers to itself. */
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
  /** Declared with empty parentheses: any arguments are accepted after default promotion. */
  readonly unprototyped: boolean;
};

export type DataModelName = "ILP32" | "LP64";
