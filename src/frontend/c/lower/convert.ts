import { constant, floatConstant, retype } from "../../../ir/builder.ts";
import type { Constant, Expression } from "../../../ir/expression.ts";
import { type IntType, type ScalarType, sameRepresentation, wrapToInt } from "../../../ir/type.ts";
import { precisionOf } from "../types/cType.ts";

/**
 * A conversion as C performs it. Constants whose value survives are converted on the spot; where the value changes the
 * conversion stays visible, so that the program still reads as it was written.
 */
export function convert(expression: Expression, to: ScalarType, pointerBytes: 4 | 8, explicit = false): Expression {
  const from = expression.type;
  if (from === to) return expression;
  if (to.kind === "int" && precisionOf(to) !== to.bits) {
    const { bits, signed, name } = to;
    const plain = convert(expression, { kind: "int", bits, signed, name }, pointerBytes, explicit);
    const fits = from.kind === "int" && !from.signed && precisionOf(from) <= precisionOf(to);
    return fits ? retype(plain, to) : fitPrecision(retype(plain, to));
  }
  if (expression.kind === "constant") {
    const folded = convertConstant(expression, to, pointerBytes);
    if (folded !== null) return folded;
  }
  if (sameRepresentation(from, to)) {
    // A cast that was written keeps its type; anything else can be seen at the new one.
    const written = expression.kind === "convert" && expression.explicit;
    if (!written && (!explicit || from.kind !== "pointer")) return retype(expression, to);
  }
  return { kind: "convert", type: to, operand: expression, explicit };
}

/**
 * Arithmetic on an unsigned bit-field wider than `int` wraps at the field's width. (Signed arithmetic that leaves the
 * width is undefined, so there is nothing to wrap.)
 */
export function fitPrecision(expression: Expression): Expression {
  const { type } = expression;
  if (type.kind !== "int" || type.signed || precisionOf(type) === type.bits) return expression;
  const mask = constant(type, (1n << BigInt(precisionOf(type))) - 1n);
  return { kind: "binary", operator: "&", type, left: expression, right: mask };
}

function convertConstant(from: Constant, to: ScalarType, pointerBytes: 4 | 8): Constant | null {
  if (from.type.kind === "float") {
    const value = from.value as number;
    if (to.kind !== "float") return null;
    return to.bits === 64 || Object.is(Math.fround(value), value) ? floatConstant(to, value) : null;
  }
  const value = from.value as bigint;
  switch (to.kind) {
    case "int":
      return wrapToInt(value, to) === value ? constant(to, value) : null;
    case "bool":
      return constant(to, value === 0n ? 0n : 1n);
    case "pointer":
      return constant(to, BigInt.asUintN(pointerBytes * 8, value));
    case "float": {
      const number = to.bits === 32 ? Math.fround(Number(value)) : Number(value);
      return BigInt(number) === value ? floatConstant(to, number) : null;
    }
  }
}

/** For constants that must have exactly this type, such as a case label's. */
export function wrapConstant(value: bigint, type: IntType): Constant {
  return constant(type, wrapToInt(value, type));
}
