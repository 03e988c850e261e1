import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, emit, newLocation, read } from "../../ir/builder.ts";
import type { Operation } from "../../ir/operation.ts";
import { pointerTo } from "../types/cType.ts";
import { applyBinary, convert } from "./arithmetic.ts";
import {
  type Context,
  type LoweredValue,
  type MemoryPlace,
  newProgramRegister,
  newTemporary,
  type ProgramContext,
  scalar,
  voidValue,
} from "./context.ts";
import type { CallExpr } from "./lowerCall.ts";
import { asScalar, lowerScalar } from "./lowerExpression.ts";
import { readPlace, writePlace } from "./lowerPlace.ts";

/** `setjmp`, `longjmp` and their relatives. `passJumps` then lets jumps pass through the calls. */
export function lowerJump(cx: Context, e: CallExpr, name: string): LoweredValue {
  return name.includes("setjmp") ? lowerSetting(cx, e) : lowerLeaving(cx, e);
}

/** The registers of the program that a jump uses. */
export type JumpRegisters = NonNullable<ProgramContext["made"]["jumps"]>;

function registersOf({ unit }: Context, range: SourceRange): JumpRegisters {
  unit.made.jumps ??= {
    count: newProgramRegister(unit, "$jumps", range).id,
    target: newProgramRegister(unit, "$jump", range).id,
    value: newProgramRegister(unit, "$jumpValue", range).id,
  };
  return unit.made.jumps;
}

/** Every execution of `setjmp` has a number. It is kept in the buffer and in a register of the function. */
function lowerSetting(cx: Context, e: CallExpr): LoweredValue {
  const { int } = cx.unit.types;
  const place = placeOfNumber(cx, e);
  const count = nth(cx.unit.variables, registersOf(cx, e.range).count);
  const next = applyBinary(cx, "+", read(count), constant(int, 1n), e.range);
  emit(cx, { kind: "assign", target: count.id, value: next }, e.range);
  writePlace(cx, place, read(count), e.range);
  const own = newTemporary(cx, int, e.range);
  emit(cx, { kind: "assign", target: own.id, value: read(count) }, e.range);
  const result = newTemporary(cx, int, e.range);
  const to = newLocation(cx);
  const zero: Operation = { kind: "assign", target: result.id, value: constant(int, 0n) };
  const jump = { kind: "landing", number: own.id, result: result.id } as const;
  cx.graph.edges.push({ from: cx.here, to, operation: zero, range: e.range, jump });
  cx.here = to;
  return scalar(read(result));
}

/** `setjmp` never returns 0 a second time. */
function lowerLeaving(cx: Context, e: CallExpr): LoweredValue {
  const { int } = cx.unit.types;
  const place = placeOfNumber(cx, e);
  const { target, value } = registersOf(cx, e.range);
  const [, given] = e.arguments;
  const wanted =
    given === undefined ? constant(int, 1n) : convert(lowerScalar(cx, given), int, cx.unit.types.pointerBytes);
  const isZero = applyBinary(cx, "==", wanted, constant(int, 0n), e.range);
  emit(cx, { kind: "assign", target: value, value: applyBinary(cx, "+", wanted, isZero, e.range) }, e.range);
  const number = asScalar(readPlace(cx, place), e.range);
  const operation: Operation = { kind: "assign", target, value: number };
  cx.graph.edges.push({ from: cx.here, to: cx.exit, operation, range: e.range, jump: { kind: "leaving" } });
  cx.here = newLocation(cx);
  return voidValue;
}

/** The number is at the start of the buffer, whatever its type is. */
function placeOfNumber(cx: Context, e: CallExpr): MemoryPlace {
  const { int, pointerBytes } = cx.unit.types;
  const address = convert(lowerScalar(cx, nth(e.arguments, 0)), pointerTo(int), pointerBytes);
  return { kind: "memory", type: int, address };
}
