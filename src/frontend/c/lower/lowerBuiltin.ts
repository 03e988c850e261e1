import { constant, emit, floatConstant, read } from "../../../ir/builder.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { FloatType, IntType } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { isInteger } from "../types/cType.ts";
import { convertTo, writePlace } from "./accessPlace.ts";
import { applyBinary } from "./arithmetic.ts";
import { type Context, inputError, newTemporary, scratchOf } from "./context.ts";
import { convert } from "./convert.ts";
import { foldConstant } from "./foldConstant.ts";
import { lowerAtomic } from "./lowerAtomic.ts";
import { lowerBitBuiltin } from "./lowerBitBuiltin.ts";
import { type CallExpr, lowerArguments, type ResultTarget } from "./lowerCall.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { pointee } from "./lowerPlace.ts";
import { type LoweredValue, scalar, voidValue } from "./place.ts";
import { tryConstantInteger } from "./resolveType.ts";
import { lookup } from "./scope.ts";
import { lowerVaFunction } from "./variadic.ts";

/** Functions that the compiler itself implements; null for any other name. */
export function lowerBuiltin(cx: Context, e: CallExpr, name: string, target: ResultTarget): LoweredValue | null {
  const entity = lookup(cx.scope, name);
  if (entity?.kind === "function" && entity.linked.definition !== null) return null;
  const variadic = lowerVaFunction(cx, name, e.arguments, e.range);
  if (variadic !== null) return variadic;
  const plain = name.startsWith("__builtin_") ? name.slice("__builtin_".length) : null;
  const classified = lowerFloatClass(cx, e, plain ?? name);
  if (classified !== null) return classified;
  if (plain === null) return lowerAtomic(cx, e, name);
  return lowerCompilerBuiltin(cx, e, plain, target);
}

function lowerCompilerBuiltin(cx: Context, e: CallExpr, name: string, target: ResultTarget): LoweredValue | null {
  const { types } = cx.unit;
  const [first, second, third] = e.arguments;
  const int = (value: bigint): LoweredValue => scalar(constant(types.int, value));
  switch (name) {
    case "expect":
    case "expect_with_probability":
    case "assume_aligned":
      if (first === undefined) return null;
      return target === "discard" ? discard(cx, e) : lowerExpect(cx, first, name === "assume_aligned");
    case "constant_p":
      return int(first !== undefined && isKnownConstant(cx, first) ? 1n : 0n);
    case "choose_expr": {
      if (first === undefined || second === undefined || third === undefined) return null;
      const choice = tryConstantInteger(cx, first);
      if (choice === null) return inputError("TF150", "the choice is not an integer constant", first.range);
      return lowerExpr(cx, choice !== 0n ? second : third);
    }
    case "object_size":
    case "dynamic_object_size":
      return scalar(convert(constant(types.int, -1n), types.size, types.pointerBytes));
    case "prefetch":
      return discard(cx, e);
    case "inf":
    case "huge_val":
      return scalar(floatConstant(types.double, Number.POSITIVE_INFINITY));
    case "inff":
    case "huge_valf":
      return scalar(floatConstant(types.float, Number.POSITIVE_INFINITY));
    case "nan":
      return scalar(floatConstant(types.double, Number.NaN));
    case "nanf":
      return scalar(floatConstant(types.float, Number.NaN));
    default:
      return lowerBitBuiltin(cx, e, name) ?? lowerCheckedArithmetic(cx, e, name);
  }
}

function discard(cx: Context, e: CallExpr): LoweredValue {
  for (const argument of e.arguments) lowerEffect(cx, argument);
  return voidValue;
}

function lowerExpect(cx: Context, e: Expr, keepsType: boolean): LoweredValue {
  const value = lowerScalar(cx, e);
  return scalar(keepsType ? value : convertTo(cx, value, cx.unit.types.long, e.range));
}

function isKnownConstant(cx: Context, e: Expr): boolean {
  if (e.kind === "string") return true;
  const scratch = scratchOf(cx);
  const value = lowerExpr(scratch, e);
  return (
    value.kind === "scalar" &&
    scratch.graph.edges.length === 0 &&
    foldConstant(value.expression, cx.unit.types.pointerBytes) !== null
  );
}

/** `isnan` and its relatives, which take any floating type. */
function lowerFloatClass(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const names = ["isnan", "isinf", "isinf_sign", "isfinite", "isnanf", "isinff", "finite", "isnormal", "signbit"];
  const [argument] = e.arguments;
  if (!names.includes(name) || argument === undefined) return null;
  const { types } = cx.unit;
  let x = lowerScalar(cx, argument);
  if (x.type.kind !== "float") x = convertTo(cx, x, types.double, e.range);
  if (x.type.kind !== "float") return null;
  const type = x.type;
  if (name === "signbit") return scalar(hasSign(cx, x, type, e));
  const same = (a: Expression, b: Expression) => applyBinary(cx, "==", a, b, e.range);
  if (name.startsWith("isnan")) return scalar(applyBinary(cx, "!=", x, x, e.range));
  if (name.startsWith("isinf")) {
    const positive = same(x, floatConstant(type, Number.POSITIVE_INFINITY));
    const negative = same(x, floatConstant(type, Number.NEGATIVE_INFINITY));
    return scalar(applyBinary(cx, name === "isinf_sign" ? "-" : "|", positive, negative, e.range));
  }
  const isFinite = same(applyBinary(cx, "-", x, x, e.range), floatConstant(type, 0));
  if (name !== "isnormal") return scalar(isFinite);
  const least = type.bits === 32 ? 2 ** -126 : 2 ** -1022;
  const positive = applyBinary(cx, ">=", x, floatConstant(type, least), e.range);
  const negative = applyBinary(cx, "<=", x, floatConstant(type, -least), e.range);
  return scalar(applyBinary(cx, "&", applyBinary(cx, "|", positive, negative, e.range), isFinite, e.range));
}

/** Of zeros and NaNs too, which no comparison shows. */
function hasSign(cx: Context, x: Expression, type: FloatType, e: CallExpr): Expression {
  const sign = newTemporary(cx, type, e.range);
  const name = type.approximated ? "copysignl" : type.bits === 32 ? "copysignf" : "copysign";
  const args = [floatConstant(type, 1), x];
  emit(cx, { kind: "callLibrary", name, arguments: args, target: sign.id }, e.range);
  return applyBinary(cx, "<", read(sign), floatConstant(type, 0), e.range);
}

/**
 * `__builtin_add_overflow(a, b, &r)`: exact in 128 bits, then compared with what fits the result's type. The variants
 * with `_p` at the end take a value of that type instead of a place for the result.
 */
function lowerCheckedArithmetic(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const match = /^[su]?(add|sub|mul)l{0,2}_overflow(_p)?$/.exec(name);
  if (match === null || e.arguments.length !== 3) return null;
  const { types } = cx.unit;
  const operator = { add: "+", sub: "-", mul: "*" } as const;
  const [a, b, third] = lowerArguments(cx, e.arguments).map((value) => asScalar(value, e.range));
  const result = match[2] === undefined ? pointee(third!, e.range) : null;
  const type = result === null ? third!.type : result.type;
  if (!isInteger(a!.type) || !isInteger(b!.type) || type.kind !== "int") {
    return inputError("TF160", `${name} needs integers`, e.range);
  }
  const unsigned = (x: Expression) => x.type.kind === "bool" || !(x.type as IntType).signed;
  const wide = match[1] === "mul" && unsigned(a!) && unsigned(b!) ? types.unsignedInt128 : types.int128;
  const widen = (x: Expression) => convert(x, wide, types.pointerBytes);
  const exact = newTemporary(cx, wide, e.range);
  const value = applyBinary(cx, operator[match[1] as "add" | "sub" | "mul"], widen(a!), widen(b!), e.range);
  emit(cx, { kind: "assign", target: exact.id, value }, e.range);
  const stored = convert(read(exact), type, types.pointerBytes);
  if (result !== null) writePlace(cx, result, stored, e.range);
  const differs = applyBinary(cx, "!=", widen(stored), read(exact), e.range);
  return scalar(convert(differs, types.bool, types.pointerBytes));
}
