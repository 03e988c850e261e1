import { constant, emit, read, zero } from "../../../ir/builder.ts";
import type { BinaryOperator, Expression } from "../../../ir/expression.ts";
import type { IntType } from "../../../ir/type.ts";
import { convertTo } from "./accessPlace.ts";
import { type Context, newTemporary } from "./context.ts";
import { convert, wrapConstant } from "./convert.ts";
import type { CallExpr } from "./lowerCall.ts";
import { lowerScalar } from "./lowerExpression.ts";
import { type LoweredValue, scalar } from "./place.ts";

/** Counting and swapping bits, spelled out in unsigned arithmetic: exact everywhere, with no operation of its own. */
export function lowerBitBuiltin(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const match = /^(clz|ctz|popcount|parity|ffs)(l{0,2})$|^bswap(16|32|64)$/.exec(name);
  const argument = e.arguments[0];
  if (match === null || argument === undefined) return null;
  const { types } = cx.unit;
  const suffixType = [types.unsignedInt, types.unsignedLong, types.unsignedLongLong][match[2]?.length ?? 0]!;
  const swapped = { 16: types.unsignedShort, 32: types.unsignedInt, 64: types.unsignedLongLong } as const;
  const type = match[3] === undefined ? suffixType : swapped[Number(match[3]) as 16 | 32 | 64];
  const calculator = newCalculator(cx, type.bits === 16 ? types.unsignedInt : type, e);
  const operand = convertTo(cx, convertTo(cx, lowerScalar(cx, argument), type, e.range), calculator.type, e.range);
  const x = calculator.save(operand);
  const result = match[3] === undefined ? count(calculator, match[1]!, x) : swapBytes(calculator, x, type.bits / 8);
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
      // x with its lowest one and everything below it set, nothing else.
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

/** The number of ones: sums of neighbouring groups of 1, 2 and 4 bits, then of all bytes by a multiplication. */
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
