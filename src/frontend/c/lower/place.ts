import type { Expression } from "../../../ir/expression.ts";
import type { VariableId } from "../../../ir/program.ts";
import type { BitField, ScalarType, StructType, Type } from "../../../ir/type.ts";

/** Something that can be read and, mostly, assigned: C's lvalue, or a struct that an expression produced. */
export type Place = RegisterPlace | MemoryPlace | FlatPlace;

export type RegisterPlace = { readonly kind: "register"; readonly type: ScalarType; readonly variable: VariableId };

export type MemoryPlace = {
  readonly kind: "memory";
  readonly type: Type;
  readonly address: Expression;
  readonly bitField?: BitField;
};

/** A struct whose parts are registers. Its parts, in the order of the fields, are registers or flat structs again. */
export type FlatPlace = { readonly kind: "flat"; readonly type: StructType; readonly parts: readonly Place[] };

/** What an expression has as its value. Arrays and functions have already turned into pointers. */
export type LoweredValue =
  | { readonly kind: "scalar"; readonly expression: Expression }
  | { readonly kind: "struct"; readonly type: StructType; readonly place: MemoryPlace | FlatPlace }
  | { readonly kind: "void" };

export const voidValue: LoweredValue = { kind: "void" };

export function scalar(expression: Expression): LoweredValue {
  return { kind: "scalar", expression };
}
