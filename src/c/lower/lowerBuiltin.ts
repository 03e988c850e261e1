import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { constant, emit, floatConstant, isZeroConstant, jump, newLocation, read, zero } from "../../ir/builder.ts";
import type { BinaryOperator, Expression } from "../../ir/expression.ts";
import type { FloatType, IntType } from "../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { tryConstantInteger } from "../declare/resolveType.ts";
import { lookup } from "../declare/scope.ts";
import { isInteger } from "../types/cType.ts";
import { applyBinary, convert, foldConstant, wrapConstant } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  newTemporary,
  type Place,
  refuse,
  scalar,
  scratchOf,
  voidValue,
} from "./context.ts";
import { type CallExpr, lowerArguments, type ResultTarget } from "./lowerCall.ts";
import { branch } from "./lowerCondition.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { lowerJump } from "./lowerJump.ts";
import { assignedType, convertTo, pointee, readPlace, writePlace } from "./lowerPlace.ts";
import { lowerVaFunction } from "./variadic.ts";

/** The names with underscores are glibc's. */
const jumps: ReadonlySet<string> = new Set(
  "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp".split(" "),
);

/** Compiler builtins, and non-local jumps; null for any other name. */
export function lowerBuiltin(cx: Context, e: CallExpr, name: string, target: ResultTarget): LoweredValue | null {
  const entity = lookup(cx.scope, name);
  if (entity?.kind === "function" && entity.linked.definition !== null) return null;
  if (jumps.has(name) && e.arguments.length > 0) return lowerJump(cx, e, name);
  const variadic = lowerVaFunction(cx, name, e.arguments, e.range);
  if (variadic !== null) return variadic;
  const plain = name.startsWith("__builtin_") ? name.slice("__builtin_".length) : null;
  const special = lowerFloatClass(cx, e, plain ?? name) ?? lowerRounding(cx, e, plain ?? name);
  if (special !== null) return special;
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

const floatClass = /^(__)?(isnan|isinf|isinf_sign|isfinite|finite|isnormal|signbit|fpclassify)([fl]?)$/;
/** glibc's `FP_NAN`, `FP_INFINITE`, `FP_NORMAL`, `FP_SUBNORMAL`, `FP_ZERO`. */
const classNumbers = [0n, 1n, 4n, 3n, 2n];

/** `isnan` and its relatives, which take any floating type; also glibc's functions behind them, such as `__isnanf`. */
function lowerFloatClass(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const [, hidden, kind, suffix] = floatClass.exec(name) ?? [];
  const values = kind === undefined ? [] : lowerArguments(cx, e.arguments);
  const argument = values.at(-1);
  if (argument === undefined) return null;
  const { types } = cx.unit;
  let x = asScalar(argument, e.range);
  if (suffix === "f") x = convertTo(cx, x, types.float, e.range);
  else if (x.type.kind !== "float") x = convertTo(cx, x, types.double, e.range);
  if (x.type.kind !== "float") return null;
  const type = x.type;
  const compare = (operator: Parameters<typeof applyBinary>[1], bound: number) =>
    applyBinary(cx, operator, x, floatConstant(type, bound), e.range);
  const both = (a: Expression, b: Expression) => applyBinary(cx, "&", a, b, e.range);
  const positive = () => compare("==", Number.POSITIVE_INFINITY);
  const negative = () => compare("==", Number.NEGATIVE_INFINITY);
  const isInfinite = () => applyBinary(cx, "|", positive(), negative(), e.range);
  const isNan = () => applyBinary(cx, "!=", x, x, e.range);
  const isFinite = () => applyBinary(cx, "==", applyBinary(cx, "-", x, x, e.range), floatConstant(type, 0), e.range);
  const least = type.bits === 32 ? 2 ** -126 : 2 ** -1022;
  const isNormal = () => both(applyBinary(cx, "|", compare(">=", least), compare("<=", -least), e.range), isFinite());
  const isSubnormal = () => both(both(compare("<", least), compare(">", -least)), compare("!=", 0));
  switch (kind) {
    case "signbit":
      return scalar(hasSign(cx, x, type, e));
    case "isnan":
      return scalar(isNan());
    case "isnormal":
      return scalar(isNormal());
    case "isfinite":
    case "finite":
      return scalar(isFinite());
    case "isinf":
    case "isinf_sign":
      if (kind === "isinf" && hidden === undefined) return scalar(isInfinite());
      return scalar(applyBinary(cx, "-", positive(), negative(), e.range));
    default: {
      const numbers =
        values.length === 1
          ? classNumbers.map((number) => constant(types.int, number))
          : values.slice(0, -1).map((value) => convertTo(cx, asScalar(value, e.range), types.int, e.range));
      if (numbers.length !== classNumbers.length) return null;
      // Exactly one class applies.
      const classes = [isNan(), isInfinite(), isNormal(), isSubnormal(), compare("==", 0)];
      const parts = classes.map((applies, i) => applyBinary(cx, "*", applies, nth(numbers, i), e.range));
      return scalar(parts.reduce((sum, part) => applyBinary(cx, "+", sum, part, e.range)));
    }
  }
}

/** Numbers are rounded to the nearest: a run that selects another mode is refused. */
function lowerRounding(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const { int } = cx.unit.types;
  if (name === "fegetround" && e.arguments.length === 0) return scalar(constant(int, 0n));
  const [argument] = e.arguments;
  if (name !== "fesetround" || argument === undefined) return null;
  const mode = convertTo(cx, lowerScalar(cx, argument), int, e.range);
  if (isZeroConstant(mode)) return scalar(mode);
  const [other, nearest] = [newLocation(cx), newLocation(cx)];
  branch(cx, mode, other, nearest, "branch", e.range);
  cx.here = other;
  const message = "fesetround: numbers are only rounded to the nearest (FE_TONEAREST)";
  refuse(cx, new TracefoldError({ code: "TF255", message, range: e.range, help: "Remove this call." }), e.range);
  cx.here = nearest;
  return scalar(constant(int, 0n));
}

/** Also for zeros and NaNs, where no comparison shows the sign. */
function hasSign(cx: Context, x: Expression, type: FloatType, e: CallExpr): Expression {
  const sign = newTemporary(cx, type, e.range);
  const name = type.approximated ? "copysignl" : type.bits === 32 ? "copysignf" : "copysign";
  const args = [floatConstant(type, 1), x];
  emit(cx, { kind: "callLibrary", name, arguments: args, target: sign.id }, e.range);
  return applyBinary(cx, "<", read(sign), floatConstant(type, 0), e.range);
}

/**
 * `__builtin_add_overflow(a, b, &r)`: computed exactly in 128 bits, then compared with the range of the result's type.
 * Variants ending in `_p` take a value of that type instead of a pointer.
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

/** Bit counting and swapping in unsigned arithmetic: exact, without a special operation. */
export function lowerBitBuiltin(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const match = /^(clz|ctz|popcount|parity|ffs)(l{0,2})$|^bswap(16|32|64)$/.exec(name);
  const argument = e.arguments[0];
  if (match === null || argument === undefined) return null;
  const { types } = cx.unit;
  const suffixType = nth([types.unsignedInt, types.unsignedLong, types.unsignedLongLong], match[2]?.length ?? 0);
  const swapped = { 16: types.unsignedShort, 32: types.unsignedInt, 64: types.unsignedLongLong } as const;
  const type = match[3] === undefined ? suffixType : swapped[Number(match[3]) as 16 | 32 | 64];
  const calculator = newCalculator(cx, type.bits === 16 ? types.unsignedInt : type, e);
  const operand = convertTo(cx, convertTo(cx, lowerScalar(cx, argument), type, e.range), calculator.type, e.range);
  const x = calculator.save(operand);
  const result = match[3] === undefined ? count(calculator, nth(match, 1), x) : swapBytes(calculator, x, type.bits / 8);
  return scalar(convert(result, match[3] === undefined ? types.int : type, types.pointerBytes));
}

type Calculator = {
  readonly type: IntType;
  readonly save: (value: Expression) => Expression;
  readonly apply: (operator: BinaryOperator, left: Expression, right: Expression | bigint) => Expression;
  readonly isNonZero: (value: Expression) => Expression;
};

function newCalculator(cx: Context, type: IntType, e: CallExpr): Calculator {
  const { int } = cx.unit.types;
  return {
    type,
    save: (value) => {
      const temporary = newTemporary(cx, type, e.range);
      emit(cx, { kind: "assign", target: temporary.id, value }, e.range);
      return read(temporary);
    },
    apply: (operator, left, right) => {
      const shift = operator === "<<" || operator === ">>";
      const operand = typeof right === "bigint" ? (shift ? constant(int, right) : wrapConstant(right, type)) : right;
      return { kind: "binary", operator, type, left, right: operand };
    },
    isNonZero: (value) =>
      convert(
        { kind: "comparison", operator: "!=", type: int, left: value, right: zero(type) },
        type,
        cx.unit.types.pointerBytes,
      ),
  };
}

function count(calculator: Calculator, what: string, x: Expression): Expression {
  const { apply, save, type } = calculator;
  const complement = (operand: Expression): Expression => ({ kind: "unary", operator: "complement", type, operand });
  switch (what) {
    case "popcount":
      return ones(calculator, x);
    case "parity":
      return apply("&", ones(calculator, x), 1n);
    case "ctz":
      return ones(calculator, save(apply("&", complement(x), apply("-", x, 1n))));
    case "ffs": {
      // x with its lowest one bit and all bits below it set.
      const low = save(apply("^", x, apply("-", x, 1n)));
      return apply("*", calculator.isNonZero(x), ones(calculator, low));
    }
    default: {
      let smeared = x;
      for (let distance = 1n; distance < BigInt(type.bits); distance *= 2n) {
        smeared = save(apply("|", smeared, apply(">>", smeared, distance)));
      }
      return apply("-", wrapConstant(BigInt(type.bits), type), ones(calculator, smeared));
    }
  }
}

/** The number of one bits: sums of groups of 1, 2 and 4 bits, then of all bytes by a multiplication. */
function ones({ apply, save, type }: Calculator, x: Expression): Expression {
  const mask = (byte: bigint) => repeat(byte, type);
  const pairs = save(apply("-", x, apply("&", apply(">>", x, 1n), mask(0x55n))));
  const fours = save(apply("+", apply("&", pairs, mask(0x33n)), apply("&", apply(">>", pairs, 2n), mask(0x33n))));
  const bytes = save(apply("&", apply("+", fours, apply(">>", fours, 4n)), mask(0x0fn)));
  return save(apply(">>", apply("*", bytes, mask(0x01n)), BigInt(type.bits - 8)));
}

function repeat(byte: bigint, type: IntType): bigint {
  let result = 0n;
  for (let i = 0; i < type.bits / 8; i++) result = (result << 8n) | byte;
  return result;
}

function swapBytes({ apply, save }: Calculator, x: Expression, bytes: number): Expression {
  let result: Expression | null = null;
  for (let i = 0; i < bytes; i++) {
    const moved = apply("<<", apply("&", apply(">>", x, BigInt(8 * i)), 0xffn), BigInt(8 * (bytes - 1 - i)));
    result = result === null ? moved : save(apply("|", result, moved));
  }
  return result ?? x;
}

const operators = { add: "+", sub: "-", and: "&", or: "|", xor: "^" } as const;

/** An atomic operation on one place, with evaluated arguments. */
type Atomic = {
  readonly cx: Context;
  readonly e: CallExpr;
  readonly place: Place;
  readonly args: readonly Expression[];
  /** The old value. */
  readonly before: Expression;
};

/** `__atomic_…` and `__sync_…`: programs have one thread, so plain operations do. null for any other name. */
export function lowerAtomic(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const operation = /^__(?:atomic|sync)_(\w+)$/.exec(name)?.[1];
  if (operation === undefined) return null;
  const args = lowerArguments(cx, e.arguments).map((value) => asScalar(value, e.range));
  if (/^(thread_fence|signal_fence|synchronize)$/.test(operation)) return voidValue;
  const [pointer] = args;
  if (pointer?.type.kind !== "pointer") return null;
  const place = pointee(pointer, e.range);
  const kept = newTemporary(cx, assignedType(place, e.range), e.range);
  emit(cx, { kind: "assign", target: kept.id, value: asScalar(readPlace(cx, place), e.range) }, e.range);
  const atomic: Atomic = { cx, e, place, args, before: read(kept) };
  return changed(atomic, operation) ?? moved(atomic, operation);
}

/** `fetch_add` returns the old value, `add_fetch` the new one. */
function changed({ cx, e, place, args, before }: Atomic, operation: string): LoweredValue | null {
  const match = /^(fetch_(?:and_)?)?(add|sub|and|or|xor)((?:_and)?_fetch)?$/.exec(operation);
  const [, operand] = args;
  if (match === null || (match[1] === undefined) === (match[3] === undefined) || operand === undefined) return null;
  if (!isInteger(before.type)) return null;
  const value = applyBinary(cx, operators[match[2] as keyof typeof operators], before, operand, e.range);
  const after = newTemporary(cx, before.type, e.range);
  emit(cx, { kind: "assign", target: after.id, value: convertTo(cx, value, before.type, e.range) }, e.range);
  writePlace(cx, place, read(after), e.range);
  return scalar(match[1] === undefined ? read(after) : before);
}

/** Names without `_n` pass values by address. */
function moved(atomic: Atomic, operation: string): LoweredValue | null {
  const { cx, e, place, args, before } = atomic;
  const write = (to: Place, value: Expression): LoweredValue => {
    writePlace(cx, to, convertTo(cx, value, before.type, e.range), e.range);
    return voidValue;
  };
  const at = (index: number): Place => pointee(nth(args, index), e.range);
  const valueAt = (index: number): Expression => asScalar(readPlace(cx, at(index)), e.range);
  switch (args.length < 2 ? null : operation) {
    case "load_n":
      return scalar(before);
    case "load":
      return write(at(1), before);
    case "store_n":
      return write(place, nth(args, 1));
    case "store":
      return write(place, valueAt(1));
    case "exchange_n":
      write(place, nth(args, 1));
      return scalar(before);
    case "exchange":
      write(place, valueAt(1));
      return write(at(2), before);
    case "compare_exchange_n":
      return exchanged(atomic, nth(args, 2));
    case "compare_exchange":
      return exchanged(atomic, valueAt(2));
    default:
      return null;
  }
}

function exchanged({ cx, e, place, args, before }: Atomic, desired: Expression): LoweredValue {
  const { int } = cx.unit.types;
  const expected = pointee(nth(args, 1), e.range);
  const same = applyBinary(cx, "==", before, asScalar(readPlace(cx, expected), e.range), e.range);
  const result = newTemporary(cx, int, e.range);
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  branch(cx, same, yes, no, "branch", e.range);
  cx.here = yes;
  writePlace(cx, place, convertTo(cx, desired, before.type, e.range), e.range);
  emit(cx, { kind: "assign", target: result.id, value: constant(int, 1n) }, e.range);
  jump(cx, end, e.range);
  cx.here = no;
  writePlace(cx, expected, before, e.range);
  emit(cx, { kind: "assign", target: result.id, value: constant(int, 0n) }, e.range);
  jump(cx, end, e.range);
  cx.here = end;
  return scalar(read(result));
}
