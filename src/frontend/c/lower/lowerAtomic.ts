import { constant, emit, jump, newLocation, read } from "../../../ir/builder.ts";
import type { Expression } from "../../../ir/expression.ts";
import { isInteger } from "../types/cType.ts";
import { assignedType, convertTo, readPlace, writePlace } from "./accessPlace.ts";
import { applyBinary } from "./arithmetic.ts";
import { type Context, newTemporary } from "./context.ts";
import { type CallExpr, lowerArguments } from "./lowerCall.ts";
import { branch } from "./lowerCondition.ts";
import { asScalar } from "./lowerExpression.ts";
import { pointee } from "./lowerPlace.ts";
import { type LoweredValue, type Place, scalar, voidValue } from "./place.ts";

const operators = { add: "+", sub: "-", and: "&", or: "|", xor: "^" } as const;

/** An operation on one place, with the values of all arguments. */
type Atomic = {
  readonly cx: Context;
  readonly e: CallExpr;
  readonly place: Place;
  readonly args: readonly Expression[];
  /** What was there before. */
  readonly before: Expression;
};

/**
 * `__atomic_…` and `__sync_…`, which `<stdatomic.h>` is made of: in the one thread of a program whatever is done is done at once. null for
 * any other name.
 */
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

/** `fetch_add` gives what was there before, `add_fetch` what is there now. */
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

/** The names without `_n` pass values by their addresses. */
function moved(atomic: Atomic, operation: string): LoweredValue | null {
  const { cx, e, place, args, before } = atomic;
  const write = (to: Place, value: Expression): LoweredValue => {
    writePlace(cx, to, convertTo(cx, value, before.type, e.range), e.range);
    return voidValue;
  };
  const at = (index: number): Place => pointee(args[index]!, e.range);
  const valueAt = (index: number): Expression => asScalar(readPlace(cx, at(index)), e.range);
  switch (args.length < 2 ? null : operation) {
    case "load_n":
      return scalar(before);
    case "load":
      return write(at(1), before);
    case "store_n":
      return write(place, args[1]!);
    case "store":
      return write(place, valueAt(1));
    case "exchange_n":
      write(place, args[1]!);
      return scalar(before);
    case "exchange":
      write(place, valueAt(1));
      return write(at(2), before);
    case "compare_exchange_n":
      return exchanged(atomic, args[2]!);
    case "compare_exchange":
      return exchanged(atomic, valueAt(2));
    default:
      return null;
  }
}

function exchanged({ cx, e, place, args, before }: Atomic, desired: Expression): LoweredValue {
  const { int } = cx.unit.types;
  const expected = pointee(args[1]!, e.range);
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
