import type { SourceRange } from "../../../base/sourceRange.ts";
import { constant } from "../../../ir/builder.ts";
import type { Expression } from "../../../ir/expression.ts";
import { type IntType, sizeOf, type Type } from "../../../ir/type.ts";
import { runtimeCountOf } from "../types/cType.ts";
import { type Context, inputError } from "./context.ts";
import { convert } from "./convert.ts";

/** A size as a constant number of bytes times, for variable-length arrays, the lengths that were taken at run time. */
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

/** For places where C needs a size now: no variable-length array can be there. */
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

/** The product of run-time lengths in an integer type; null for none. */
export function productOf(cx: Context, factors: readonly Expression[], type: IntType): Expression | null {
  let product: Expression | null = null;
  for (const factor of factors) {
    const right = convert(factor, type, cx.unit.types.pointerBytes);
    product = product === null ? right : { kind: "binary", operator: "*", type, left: product, right };
  }
  return product;
}
