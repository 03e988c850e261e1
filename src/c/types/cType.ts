import type { Expression } from "../../ir/expression.ts";
import type { ArrayType, BoolType, FloatType, FunctionType, IntType, PointerType, Type } from "../../ir/type.ts";

/**
 * The front end computes with the program model's types and adds to them, invisibly for later stages, the three
 * things that only C needs: the number of elements of a variable-length array, an alignment that an attribute asks for,
 * and the precision of a wide bit-field.
 * Qualifiers do not exist: nothing that is accepted means anything else without them.
 */
export type ArithmeticType = IntType | BoolType | FloatType;

/** `count` reads the register that took the length when the declaration was reached. */
export type RuntimeArrayType = ArrayType & { readonly count: Expression };

export function runtimeCountOf(type: ArrayType): Expression | null {
  return (type as Partial<RuntimeArrayType>).count ?? null;
}

/** Is the size of the type known only at run time? */
export function isRuntimeSized(type: Type): boolean {
  return type.kind === "array" && (runtimeCountOf(type) !== null || isRuntimeSized(type.element));
}

/** In gcc a bit-field wider than `int` is of an integer type of exactly its width, and so is arithmetic on it. */
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

/** Structs keep their identity, and with it their own alignment. */
export function withAlign(type: Type, align: number): Type {
  return type.kind === "struct" ? type : Object.assign({}, type, { requestedAlign: align });
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

/** Arrays and functions as parameters and as values turn into pointers. */
export function decay(type: Type): Type {
  if (type.kind === "array") return pointerTo(type.element);
  return type.kind === "function" ? pointerTo(type) : type;
}
