import { fromBigInt, type ScalarValue, toBigInt, wrapInteger } from "../../ir/scalarValue.ts";
import type { BitField } from "../../ir/type.ts";
import { undefinedRun } from "../problem.ts";
import type { Memory } from "./memory.ts";

/** A pointer times this, rounded to the next multiple of `objectFields`, is the index of its object's first field. */
const toFields = 2 ** -29;

/**
 * The linear address of `size` readable bytes at `pointer + delta`; otherwise the run is undefined. These two functions
 * are short, so that V8 inlines them: an object's fields begin with its base, its readable and its writable size.
 */
export function locateRead(memory: Memory, pointer: number, delta: number, size: number, site: number): number {
  const at = (pointer * toFields + 4) & -8;
  const offset = (pointer | 0) + delta;
  // For an unused object the comparison with undefined is false.
  if (offset >= 0 && offset <= memory.objects[at + 1]! - size) return memory.objects[at]! + offset;
  return badAccess("read", pointer, delta, size, site);
}

export function locateWrite(memory: Memory, pointer: number, delta: number, size: number, site: number): number {
  const at = (pointer * toFields + 4) & -8;
  const offset = (pointer | 0) + delta;
  if (offset >= 0 && offset <= memory.objects[at + 2]! - size) return memory.objects[at]! + offset;
  return badAccess("write", pointer, delta, size, site);
}

function badAccess(access: "read" | "write", pointer: number, delta: number, size: number, site: number): never {
  return undefinedRun({ kind: "bad-access", access, pointer, delta, size }, site);
}

/** A read of uninitialised bytes at the linear address `at`: they become inputs, or the run is undefined. */
export function uninitialised(
  memory: Memory,
  at: number,
  pointer: number,
  delta: number,
  size: number,
  site: number,
): void {
  // Without a site this is an observer, which must not change anything.
  if (memory.draw !== null && site >= 0 && memory.draw(pointer + delta, at, size, site)) return;
  undefinedRun({ kind: "uninitialised-memory", pointer: pointer + delta, size }, site);
}

/** For an access at a linear address that is no multiple of its size: undefined where the object tells that it is. */
export function unaligned(memory: Memory, pointer: number, delta: number, size: number, site: number): void {
  if (memory.isMisaligned === null || site < 0 || !memory.isMisaligned(pointer + delta, size, site)) return;
  undefinedRun({ kind: "misaligned", pointer: pointer + delta, alignment: size }, site);
}

/** Bit-fields: only the bytes with bits of the field are touched; initialisation is tracked per bit. */

export function readBitField(
  memory: Memory,
  pointer: number,
  delta: number,
  field: BitField,
  signed: boolean,
  site: number,
): ScalarValue {
  const { first, count, shift, mask } = layout(field);
  const at = locateRead(memory, pointer, delta + first, count, site);
  if ((gather(memory.shadowBytes, at, count) & (mask << shift)) !== 0n) {
    uninitialised(memory, at, pointer, delta + first, count, site);
  }
  const bits = (gather(memory.bytes, at, count) >> shift) & mask;
  return signed ? wrapInteger(bits, field.width, true) : fromBigInt(bits);
}

export function writeBitField(
  memory: Memory,
  pointer: number,
  delta: number,
  field: BitField,
  value: ScalarValue,
  site: number,
): void {
  const { first, count, shift, mask } = layout(field);
  const at = locateWrite(memory, pointer, delta + first, count, site);
  const bits = (toBigInt(value) & mask) << shift;
  const hole = ~(mask << shift);
  scatter(memory.bytes, at, count, (gather(memory.bytes, at, count) & hole) | bits);
  scatter(memory.shadowBytes, at, count, gather(memory.shadowBytes, at, count) & hole);
}

/** The bytes of the storage unit that hold bits of the field. */
export function bitFieldBytes(field: BitField): { readonly first: number; readonly count: number } {
  const first = field.shift >> 3;
  const last = (field.shift + field.width - 1) >> 3;
  return { first, count: last - first + 1 };
}

function layout(field: BitField) {
  const { first, count } = bitFieldBytes(field);
  return {
    first,
    count,
    shift: BigInt(field.shift - first * 8),
    mask: (1n << BigInt(field.width)) - 1n,
  };
}

function gather(bytes: Uint8Array, at: number, count: number): bigint {
  let result = 0n;
  for (let i = count - 1; i >= 0; i--) result = (result << 8n) | BigInt(bytes[at + i]!);
  return result;
}

function scatter(bytes: Uint8Array, at: number, count: number, value: bigint): void {
  for (let i = 0; i < count; i++) bytes[at + i] = Number((value >> BigInt(8 * i)) & 255n);
}
