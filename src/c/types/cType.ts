import type { Expression } from "../../ir/expression.ts";
import type {
  ArrayType,
  BoolType,
  DataModelName,
  FloatType,
  FunctionType,
  IntType,
  PointerType,
  Type,
} from "../../ir/type.ts";

/**
 * The front end uses the program model's types and adds four properties of C that later stages do not see: the length
 * of a variable-length array, an alignment from an attribute, the precision of a wide bit-field, and for `_Generic`
 * whether a type is qualified.
 */
export type ArithmeticType = IntType | BoolType | FloatType;

/** `count` reads the register that got the length when the declaration was reached. */
export type RuntimeArrayType = ArrayType & { readonly count: Expression };

export function runtimeCountOf(type: ArrayType): Expression | null {
  return (type as Partial<RuntimeArrayType>).count ?? null;
}

export function isRuntimeSized(type: Type): boolean {
  return type.kind === "array" && (runtimeCountOf(type) !== null || isRuntimeSized(type.element));
}

/** In gcc a bit-field wider than `int` has an integer type of exactly its width, and so has arithmetic on it. */
type Narrowed = { readonly precision?: number };

export function precisionOf(type: IntType): number {
  return (type as Narrowed).precision ?? type.bits;
}

export function withPrecision(type: IntType, precision: number): IntType {
  return precision === type.bits ? type : Object.assign({}, type, { precision });
}

type Aligned = { readonly requestedAlign?: number };

export function requestedAlignOf(type: Type): number | undefined {
  return (type as Aligned).requestedAlign;
}

/** Structs keep their identity and their own alignment. */
export function withAlign(type: Type, align: number): Type {
  return type.kind === "struct" ? type : Object.assign({}, type, { requestedAlign: align });
}

type Qualified = { readonly qualified?: true };

export function isQualified(type: Type): boolean {
  return (type as Qualified).qualified === true;
}

/** `const` and `volatile` are not told apart. Structs keep their identity, so they are never qualified. */
export function withQualifier(type: Type): Type {
  return type.kind === "struct" ? type : Object.assign({}, type, { qualified: true });
}

export function isArithmetic(type: Type): type is ArithmeticType {
  return type.kind === "int" || type.kind === "bool" || type.kind === "float";
}

export function isInteger(type: Type): type is IntType | BoolType {
  return type.kind === "int" || type.kind === "bool";
}

export function pointerTo(type: Type): PointerType {
  return { kind: "pointer", to: type };
}

export const voidType: Type = { kind: "void" };

export function functionType(result: Type, parameters: readonly Type[], variadic = false): FunctionType {
  return { kind: "function", result, parameters, variadic, unprototyped: false };
}

/** Arrays and functions decay to pointers as parameters and as values. */
export function decay(type: Type): Type {
  if (type.kind === "array") return pointerTo(type.element);
  return type.kind === "function" ? pointerTo(type) : type;
}

/** The arithmetic types of a data model. One object per type, so that most comparisons end at identity. */
export type BasicTypes = {
  readonly char: IntType;
  readonly signedChar: IntType;
  readonly unsignedChar: IntType;
  readonly short: IntType;
  readonly unsignedShort: IntType;
  readonly int: IntType;
  readonly unsignedInt: IntType;
  readonly long: IntType;
  readonly unsignedLong: IntType;
  readonly longLong: IntType;
  readonly unsignedLongLong: IntType;
  readonly int128: IntType;
  readonly unsignedInt128: IntType;
  readonly bool: BoolType;
  readonly float: FloatType;
  readonly double: FloatType;
  readonly longDouble: FloatType;
  /** `size_t` and `ptrdiff_t`. */
  readonly size: IntType;
  readonly difference: IntType;
  readonly pointerBytes: 4 | 8;
};

function int(bits: IntType["bits"], signed: boolean, name: string): IntType {
  return { kind: "int", bits, signed, name };
}

function build(longBits: 32 | 64): BasicTypes {
  const signedInt = int(32, true, "int");
  const unsignedInt = int(32, false, "unsigned int");
  const long = int(longBits, true, "long");
  const unsignedLong = int(longBits, false, "unsigned long");
  return {
    char: int(8, true, "char"),
    signedChar: int(8, true, "signed char"),
    unsignedChar: int(8, false, "unsigned char"),
    short: int(16, true, "short"),
    unsignedShort: int(16, false, "unsigned short"),
    int: signedInt,
    unsignedInt,
    long,
    unsignedLong,
    longLong: int(64, true, "long long"),
    unsignedLongLong: int(64, false, "unsigned long long"),
    int128: int(128, true, "__int128"),
    unsignedInt128: int(128, false, "unsigned __int128"),
    bool: { kind: "bool" },
    float: { kind: "float", bits: 32 },
    double: { kind: "float", bits: 64 },
    longDouble: { kind: "float", bits: 64, approximated: true },
    size: longBits === 64 ? unsignedLong : unsignedInt,
    difference: longBits === 64 ? long : signedInt,
    pointerBytes: longBits === 64 ? 8 : 4,
  };
}

const models: Readonly<Record<DataModelName, BasicTypes>> = { LP64: build(64), ILP32: build(32) };

export function basicTypesOf(model: DataModelName): BasicTypes {
  return models[model];
}

/** The type that specifier words name, in any order; null if none, `"unsupported"` if not modelled. */
export function typeOfWords(words: readonly string[], types: BasicTypes): Type | "unsupported" | null {
  const count = (word: string) => words.reduce((n, w) => (w === word ? n + 1 : n), 0);
  const has = (word: string) => words.includes(word);
  if (words.some((word) => unsupportedWords.has(word))) return "unsupported";
  if (has("void")) return { kind: "void" };
  if (has("_Bool") || has("bool")) return types.bool;
  if (has("__builtin_va_list")) return pointerTo(types.char);
  if (has("float") || has("_Float32")) return types.float;
  if (has("_Float64") || has("_Float32x")) return types.double;
  if (has("_Float64x")) return types.longDouble;
  if (has("double")) return has("long") ? types.longDouble : types.double;
  const unsigned = has("unsigned");
  if (has("char")) return unsigned ? types.unsignedChar : has("signed") ? types.signedChar : types.char;
  if (has("__int128") || has("__int128_t")) return unsigned ? types.unsignedInt128 : types.int128;
  if (has("__uint128_t")) return types.unsignedInt128;
  if (has("short")) return unsigned ? types.unsignedShort : types.short;
  if (count("long") >= 2) return unsigned ? types.unsignedLongLong : types.longLong;
  if (has("long")) return unsigned ? types.unsignedLong : types.long;
  if (words.every((word) => word === "int" || word === "signed" || word === "unsigned")) {
    return unsigned ? types.unsignedInt : types.int;
  }
  return null;
}

const unsupportedWords = new Set([
  "_Complex",
  "__complex__",
  "__complex",
  "_Imaginary",
  "__float128",
  "_Float128",
  "_Float16",
  "__fp16",
  "_Decimal32",
  "_Decimal64",
  "_Decimal128",
]);
