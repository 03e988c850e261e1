import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { addressOfVariable, constant, emit, read, retype, zero } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import { isScalar } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { typeOfTypeName } from "../declare/resolveType.ts";
import { constantSize } from "../declare/sizes.ts";
import { promote } from "../types/arithmeticConversions.ts";
import { isInteger, pointerTo, voidType } from "../types/cType.ts";
import { alignUp } from "../types/layout.ts";
import { convert } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  type MemoryPlace,
  newMemoryTemporary,
  newTemporary,
  scalar,
  voidValue,
} from "./context.ts";
import { asScalar, lowerEffect, lowerPlace, lowerScalar } from "./lowerExpression.ts";
import { copyStruct, readPlace, writePlace } from "./lowerPlace.ts";

/**
 * Variadic functions of the program. The caller stores the promoted unnamed arguments in a memory object, each at a
 * multiple of 8 bytes, and passes its address as a hidden last argument (null for none). A `va_list` points into that
 * object; `va_arg` reads there and advances it.
 */
const slotBytes = 8;

export function defaultPromotion(cx: Context, value: Expression): Expression {
  const { types } = cx.unit;
  if (value.type.kind === "float" && value.type.bits === 32) return convert(value, types.double, types.pointerBytes);
  return isInteger(value.type) ? convert(value, promote(value.type, types), types.pointerBytes) : value;
}

/** Stores the unnamed arguments of a call and returns the address of the block. */
export function argumentBlock(cx: Context, values: readonly LoweredValue[], range: SourceRange): Expression {
  const pointer = pointerTo(voidType);
  if (values.length === 0) return zero(pointer);
  const { types } = cx.unit;
  const slots: number[] = [];
  let size = 0;
  for (const value of values) {
    slots.push(size);
    const type = value.kind === "struct" ? value.type : asScalar(value, range).type;
    size += alignUp(Math.max(1, constantSize(cx, type, range)), slotBytes);
  }
  const block = newMemoryTemporary(cx, { kind: "array", element: types.char, length: size }, range);
  const base = retype(addressOfVariable(block), pointerTo(types.char));
  values.forEach((value, i) => {
    const type = value.kind === "struct" ? value.type : asScalar(value, range).type;
    const address = retype(moved(cx, base, nth(slots, i)), pointerTo(type));
    const slot: MemoryPlace = { kind: "memory", type, address };
    if (value.kind === "struct") copyStruct(cx, slot, value.place, range);
    else writePlace(cx, slot, asScalar(value, range), range);
  });
  return retype(base, pointer);
}

function moved(cx: Context, pointer: Expression, bytes: number): Expression {
  if (bytes === 0) return pointer;
  const index = constant(cx.unit.types.int, BigInt(bytes));
  return { kind: "offset", type: pointerTo(cx.unit.types.char), pointer, index, scale: 1, subscript: false };
}

export function lowerVaArg(cx: Context, e: Expr & { kind: "vaArg" }): LoweredValue {
  const { types } = cx.unit;
  const list = lowerPlace(cx, e.list);
  const type = typeOfArgument(cx, e);
  if (list.type.kind !== "pointer") return inputError("TF169", "va_arg needs a va_list", e.range);
  const here = newTemporary(cx, list.type, e.range);
  const current = asScalar(readPlace(cx, list), e.range);
  emit(cx, { kind: "assign", target: here.id, value: current }, e.range);
  const size = alignUp(Math.max(1, constantSize(cx, type, e.range)), slotBytes);
  writePlace(cx, list, moved(cx, retype(read(here), pointerTo(types.char)), size), e.range);
  const value = readPlace(cx, { kind: "memory", type, address: retype(read(here), pointerTo(type)) });
  if (value.kind !== "scalar") return value;
  const result = newTemporary(cx, value.expression.type, e.range);
  emit(cx, { kind: "assign", target: result.id, value: value.expression }, e.range);
  return scalar(read(result));
}

function typeOfArgument(cx: Context, e: Expr & { kind: "vaArg" }) {
  const type = typeOfTypeName(cx, e.type);
  if (!isScalar(type) && type.kind !== "struct") return inputError("TF169", "va_arg cannot read this type", e.range);
  return type;
}

/** `va_start`, `va_copy`, `va_end` and the compiler's names for them; null for any other function. */
export function lowerVaFunction(
  cx: Context,
  name: string,
  args: readonly Expr[],
  range: SourceRange,
): LoweredValue | null {
  const [first, second] = args;
  switch (name) {
    case "va_start":
    case "__builtin_va_start":
    case "__builtin_c23_va_start": {
      if (first === undefined || cx.argumentBlock === null) {
        return inputError("TF169", "va_start outside of a variadic function", range);
      }
      writePlace(cx, lowerPlace(cx, first), read(nth(cx.unit.variables, cx.argumentBlock)), range);
      return voidValue;
    }
    case "va_copy":
    case "__va_copy":
    case "__builtin_va_copy":
      if (first === undefined || second === undefined) return inputError("TF169", "va_copy needs two lists", range);
      writePlace(cx, lowerPlace(cx, first), lowerScalar(cx, second), range);
      return voidValue;
    case "va_end":
    case "__builtin_va_end":
      if (first !== undefined) lowerEffect(cx, first);
      return voidValue;
    default:
      return null;
  }
}
