import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { locateWrite, unaligned } from "./access.ts";
import type { Memory } from "./memory.ts";
import { addressOfPointer } from "./pointerArithmetic.ts";

/**
 * Writes of scalars at `pointer + delta`: checks bounds, lifetime and writability, and marks the bytes as initialised.
 */

/** Also for the unsigned type and `_Bool`. */
export function writeInt8(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 1, site);
  memory.shadow.setInt8(at, 0);
  memory.view.setInt8(at, value);
}

/** Also for the unsigned type. */
export function writeInt16(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 2, site);
  if ((at & 1) !== 0) unaligned(memory, pointer, delta, 2, site);
  memory.shadow.setInt16(at, 0, true);
  memory.view.setInt16(at, value, true);
}

/** Also for the unsigned type. */
export function writeInt32(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  memory.shadow.setInt32(at, 0, true);
  memory.view.setInt32(at, value, true);
}

export function writeFloat32(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  memory.shadow.setInt32(at, 0, true);
  memory.view.setFloat32(at, value, true);
}

export function writeFloat64(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  memory.shadow.setInt32(at, 0, true);
  memory.shadow.setInt32(at + 4, 0, true);
  memory.view.setFloat64(at, value, true);
}

/** Signed and unsigned 64-bit integers. */
export function writeInt64(memory: Memory, pointer: number, delta: number, value: ScalarValue, site: number): void {
  const at = locateWrite(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  memory.shadow.setInt32(at, 0, true);
  memory.shadow.setInt32(at + 4, 0, true);
  setInt64(memory.view, at, value);
}

/** Pointers are numbers, whose halves need no distinction of types. */
export function writePointer64(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 8, site);
  if ((at & 7) !== 0) unaligned(memory, pointer, delta, 8, site);
  memory.shadow.setInt32(at, 0, true);
  memory.shadow.setInt32(at + 4, 0, true);
  memory.view.setInt32(at, value, true);
  memory.view.setInt32(at + 4, Math.floor(value / 4294967296), true);
}

export function setInt64(view: DataView, at: number, value: ScalarValue): void {
  if (typeof value === "number") {
    view.setInt32(at, value, true);
    view.setInt32(at + 4, Math.floor(value / 4294967296), true);
  } else view.setBigInt64(at, value, true);
}

/** The same at an aligned address, the index of its first word. */
export function setWide(words: Int32Array, at: number, value: ScalarValue): void {
  if (typeof value === "number") {
    words[at] = value;
    words[at + 1] = Math.floor(value / 4294967296);
  } else {
    words[at] = Number(BigInt.asIntN(32, value));
    words[at + 1] = Number(BigInt.asIntN(32, value >> 32n));
  }
}

export function writeInt128(memory: Memory, pointer: number, delta: number, value: ScalarValue, site: number): void {
  const at = locateWrite(memory, pointer, delta, 16, site);
  memory.shadowBytes.fill(0, at, at + 16);
  memory.view.setBigInt64(at, BigInt.asIntN(64, toBigInt(value)), true);
  memory.view.setBigInt64(at + 8, BigInt.asIntN(64, toBigInt(value) >> 64n), true);
}

export function writePointer32(memory: Memory, pointer: number, delta: number, value: number, site: number): void {
  const at = locateWrite(memory, pointer, delta, 4, site);
  if ((at & 3) !== 0) unaligned(memory, pointer, delta, 4, site);
  memory.shadow.setInt32(at, 0, true);
  memory.view.setInt32(at, addressOfPointer(memory, value), true);
  // A pointer at an unaligned address is found again by its address alone.
  if ((at & 3) === 0) memory.provenance![at >> 2] = value;
}
