import type { SourceRange } from "../../base/sourceRange.ts";
import { constant } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import { type IntType, type StructType, sizeOf, type Type } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { applyBinary, convert } from "../lower/arithmetic.ts";
import { type Context, inputError } from "../lower/context.ts";
import { lowerEffect, lowerScalar } from "../lower/lowerExpression.ts";
import { isRuntimeSized, runtimeCountOf } from "../types/cType.ts";
import { alignOf, findField } from "../types/layout.ts";
import { typeOfOperand, typeOfTypeName } from "./resolveType.ts";

/** A constant number of bytes times the run-time lengths of variable-length arrays. */
export type Size = { readonly bytes: number; readonly factors: readonly Expression[] };

export function sizeOfType(cx: Context, type: Type, range: SourceRange): Size {
  if (type.kind === "array") {
    const count = runtimeCountOf(type);
    const element = sizeOfType(cx, type.element, range);
    if (count !== null) return { bytes: element.bytes, factors: [count, ...element.factors] };
    if (element.factors.length > 0 && type.length !== null) {
      return { bytes: element.bytes * type.length, factors: element.factors };
    }
  }
  const bytes = sizeOf(type, cx.unit.types.pointerBytes);
  if (bytes === null) inputError("TF153", "the size of an incomplete type is needed", range);
  return { bytes, factors: [] };
}

/** For places where C requires a constant size. */
export function constantSize(cx: Context, type: Type, range: SourceRange): number {
  const size = sizeOfType(cx, type, range);
  if (size.factors.length > 0) inputError("TF153", "a variable-length array cannot be used here", range);
  return size.bytes;
}

/** `size` as a `size_t`. */
export function sizeExpression(cx: Context, size: Size): Expression {
  const type = cx.unit.types.size;
  const product = productOf(cx, size.factors, type);
  const bytes = constant(type, BigInt(size.bytes));
  if (product === null) return bytes;
  return { kind: "binary", operator: "*", type, left: product, right: bytes };
}

/** The product of run-time lengths in an integer type; null if there are none. */
export function productOf(cx: Context, factors: readonly Expression[], type: IntType): Expression | null {
  let product: Expression | null = null;
  for (const factor of factors) {
    const right = convert(factor, type, cx.unit.types.pointerBytes);
    product = product === null ? right : { kind: "binary", operator: "*", type, left: product, right };
  }
  return product;
}

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
