import { fromBigInt, type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";
import { locateRead, unaligned, uninitialised } from "./access.ts";
import type { Memory } from "./memory.ts";
import { pointerFromAddress, pointerFromHalves } from "./pointerArithmetic.ts";

/** Reads of scalars at `pointer + delta`: bounds, lifetime, initialisation. Kept short so that V8 inlines them. */

export function readInt8(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 1, site);
  if (memory.shadow.getInt8(at) !== 0) uninitialised(memory, at, pointer, delta, 1, site);
  return memory.view.getInt8(at);
}

export function readUint8(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 1, site);
  if (memory.shadow.getInt8(at) !== 0) uninitialised(memory, at, pointer, delta, 1, site);
  return memory.view.getUint8(at);
}

export function readInt16(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 2, site);
  if ((at & 1) !== 0) unaligned(memory, pointer, delta, 2, site);
  if (memory.shadow.getInt16(at, true) !== 0) uninitialised(memory, at, pointer, delta, 2, site);
  return memory.view.getInt16(at, true);
}

export function readUint16(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 2, site);
  if ((at & 1) !== 0) unaligned(memory, pointer, delta, 2, site);
  if (memory.shadow.getInt16(at, true) !== 0) uninitialised(memory, at, pointer, delta, 2, site);
  return memory.view.getUint16(at, true);
}

export function readInt32(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  if (memory.shadow.getInt32(at, true) !== 0) uninitialised(memory, at, pointer, delta, 4, site);
  return memory.view.getInt32(at, true);
}

export function readUint32(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  if (memory.shadow.getInt32(at, true) !== 0) uninitialised(memory, at, pointer, delta, 4, site);
  return memory.view.getUint32(at, true);
}

export function readFloat32(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  if (memory.shadow.getInt32(at, true) !== 0) uninitialised(memory, at, pointer, delta, 4, site);
  return memory.view.getFloat32(at, true);
}

export function readFloat64(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  if ((memory.shadow.getInt32(at, true) | memory.shadow.getInt32(at + 4, true)) !== 0) {
    uninitialised(memory, at, pointer, delta, 8, site);
  }
  return memory.view.getFloat64(at, true);
}

export function readBool(memory: Memory, pointer: number, delta: number, site: number): number {
  const value = readUint8(memory, pointer, delta, site);
  if (value > 1) undefinedRun({ kind: "invalid-bool", pointer: pointer + delta, value }, site);
  return value;
}

export function readInt64(memory: Memory, pointer: number, delta: number, site: number): ScalarValue {
  const at = locateRead(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  const { shadow, view } = memory;
  if ((shadow.getInt32(at, true) | shadow.getInt32(at + 4, true)) !== 0)
    uninitialised(memory, at, pointer, delta, 8, site);
  const high = view.getInt32(at + 4, true);
  // Within these bounds the sum is a safe integer.
  if (high >= -2097151 && high < 2097152) return high * 4294967296 + view.getUint32(at, true);
  return fromBigInt(view.getBigInt64(at, true));
}

export function readUint64(memory: Memory, pointer: number, delta: number, site: number): ScalarValue {
  const at = locateRead(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  const { shadow, view } = memory;
  if ((shadow.getInt32(at, true) | shadow.getInt32(at + 4, true)) !== 0)
    uninitialised(memory, at, pointer, delta, 8, site);
  const high = view.getUint32(at + 4, true);
  if (high < 2097152) return high * 4294967296 + view.getUint32(at, true);
  return view.getBigUint64(at, true);
}

export function readInt128(memory: Memory, pointer: number, delta: number, site: number): ScalarValue {
  const high = toBigInt(readInt64(memory, pointer, delta + 8, site));
  return fromBigInt((high << 64n) | toBigInt(readUint64(memory, pointer, delta, site)));
}

export function readUint128(memory: Memory, pointer: number, delta: number, site: number): ScalarValue {
  const high = toBigInt(readUint64(memory, pointer, delta + 8, site));
  return fromBigInt((high << 64n) | toBigInt(readUint64(memory, pointer, delta, site)));
}

export function readPointer64(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  const { shadow, view } = memory;
  if ((shadow.getInt32(at, true) | shadow.getInt32(at + 4, true)) !== 0)
    uninitialised(memory, at, pointer, delta, 8, site);
  return pointerFromHalves(view.getInt32(at + 4, true), view.getUint32(at, true), site);
}

export function readPointer32(memory: Memory, pointer: number, delta: number, site: number): number {
  const at = locateRead(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  if (memory.shadow.getInt32(at, true) !== 0) uninitialised(memory, at, pointer, delta, 4, site);
  return pointerFromAddress(memory, memory.view.getUint32(at, true), at);
}
