import { constant } from "../../../ir/builder.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { StructType, Type } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { isRuntimeSized } from "../types/cType.ts";
import { alignOf, findField } from "../types/layout.ts";
import { applyBinary } from "./arithmetic.ts";
import { type Context, inputError } from "./context.ts";
import { convert } from "./convert.ts";
import { lowerEffect, lowerScalar } from "./lowerExpression.ts";
import { typeOfTypeName } from "./resolveType.ts";
import { constantSize, sizeExpression, sizeOfType } from "./sizes.ts";
import { typeOfOperand } from "./typeOfOperand.ts";

export function lowerSizeof(cx: Context, e: Expr & { kind: "sizeofExpr" | "sizeofType" }): Expression {
  let type: Type;
  if (e.kind === "sizeofType") type = typeOfTypeName(cx, e.operand);
  else {
    type = typeOfOperand(cx, e.operand);
    // C11 6.5.3.4p2: only an operand of variable-length type is evaluated.
    if (isRuntimeSized(type) && e.operand.kind !== "identifier") lowerEffect(cx, e.operand);
  }
  return sizeExpression(cx, sizeOfType(cx, type, e.range));
}

export function lowerAlignof(cx: Context, e: Expr & { kind: "alignof" }): Expression {
  const { types } = cx.unit;
  return constant(types.size, BigInt(alignOf(typeOfTypeName(cx, e.operand), types.pointerBytes)));
}

export function lowerOffsetof(cx: Context, e: Expr & { kind: "offsetof" }): Expression {
  const { types } = cx.unit;
  let type = typeOfTypeName(cx, e.type);
  let offset: Expression = constant(types.size, 0n);
  const add = (bytes: Expression) => {
    const sum = applyBinary(cx, "+", offset, convert(bytes, types.size, types.pointerBytes), e.range);
    offset =
      offset.kind === "constant" && bytes.kind === "constant"
        ? constant(types.size, (offset.value as bigint) + (bytes.value as bigint))
        : sum;
  };
  for (const step of e.path) {
    if (step.kind === "field") {
      const path = type.kind === "struct" ? findField(type as StructType, step.name) : null;
      if (path === null) return inputError("TF157", `there is no member ${step.name}`, step.range);
      for (const field of path) {
        add(constant(types.size, BigInt(field.offset)));
        type = field.type;
      }
    } else {
      if (type.kind !== "array") return inputError("TF157", "this member is not an array", step.range);
      type = type.element;
      const index = convert(lowerScalar(cx, step.from), types.size, types.pointerBytes);
      const size = BigInt(constantSize(cx, type, step.range));
      add(
        index.kind === "constant"
          ? constant(types.size, (index.value as bigint) * size)
          : applyBinary(cx, "*", index, constant(types.size, size), step.range),
      );
    }
  }
  return offset;
}
