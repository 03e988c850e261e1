import type { AddressOf, Constant, Expression, VariableRead } from "../../../ir/expression.ts";
import { placedLike } from "../../../ir/expressionRange.ts";
import type { FunctionId } from "../../../ir/ids.ts";
import type { ProgramVariable } from "../../../ir/program.ts";
import type { BoolType, FloatType, IntType, PointerType, ScalarType, Type } from "../../../ir/type.ts";
import { wrapToInt } from "../../../ir/typeFacts.ts";

export function constant(type: IntType | BoolType | PointerType, value: bigint): Constant {
  return { kind: "constant", type, value };
}

export function floatConstant(type: FloatType, value: number): Constant {
  return { kind: "constant", type, value };
}

/** The zero of a type: 0, false, 0.0, a null pointer. */
export function zero(type: ScalarType): Constant {
  return type.kind === "float" ? floatConstant(type, 0) : constant(type, 0n);
}

export function read(variable: ProgramVariable): VariableRead {
  return { kind: "variable", type: variable.type as ScalarType, variable: variable.id };
}

export function addressOfVariable(variable: ProgramVariable): AddressOf {
  return {
    kind: "addressOf",
    type: { kind: "pointer", to: variable.type },
    object: { kind: "variable", variable: variable.id },
  };
}

export function addressOfFunction(id: FunctionId, type: Type): AddressOf {
  return { kind: "addressOf", type: { kind: "pointer", to: type }, object: { kind: "function", function: id } };
}

/** The same value seen at another type of the same representation. */
export function retype(expression: Expression, type: ScalarType): Expression {
  return expression.type === type ? expression : placedLike({ ...expression, type } as Expression, expression);
}

/** Reads better as `-5` than as the negation of 5, and means the same. */
export function negate(expression: Expression): Expression {
  if (expression.kind === "constant" && expression.type.kind === "int") {
    const value = -(expression.value as bigint);
    if (wrapToInt(value, expression.type) === value) return constant(expression.type, value);
  }
  if (expression.kind === "constant" && expression.type.kind === "float") {
    return floatConstant(expression.type, -(expression.value as number));
  }
  return { kind: "unary", operator: "negate", type: expression.type, operand: expression };
}

export function isZeroConstant(expression: Expression): boolean {
  return expression.kind === "constant" && expression.type.kind !== "float" && expression.value === 0n;
}

/** An integer constant 0, or one cast to `void *`: what C lets stand for a null pointer of any type. */
export function isNullPointerConstant(expression: Expression): boolean {
  if (!isZeroConstant(expression)) return false;
  return expression.type.kind !== "pointer" || expression.type.to.kind === "void";
}
