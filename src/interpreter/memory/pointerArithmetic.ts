import { TracefoldError } from "../../base/errors.ts";
import { type ScalarValue, wrapInteger } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";
import type { Memory } from "./memory.ts";
import { fieldBase, fieldLength, firstObject, objectFields } from "./objectLayout.ts";
import { makePointer, objectStep } from "./pointer.ts";

/** `pointer + delta`. Leaving the object is detected at use; leaving the range of an offset, here. */
export function offsetPointer(pointer: number, delta: number, site: number): number {
  const offset = (pointer | 0) + delta;
  if (offset === (offset | 0)) return pointer + delta;
  return undefinedRun({ kind: "pointer-arithmetic", pointer, delta }, site);
}

/** Stands for an index beyond the safe integers, far outside any object: only its sign matters. */
const farAway = 2 ** 53;

export function indexNumber(memory: Memory, index: ScalarValue): number {
  if (typeof index === "number") return index;
  memory.farIndex = index;
  return index > 0n ? farAway : -farAway;
}

/** The index behind this distance in bytes (or elements), if no number holds it: its access has just failed. */
export function farIndexOf({ farIndex }: Memory, distance: number): bigint | null {
  return Math.abs(distance) >= farAway / 2 && farIndex !== 0n ? farIndex : null;
}

/** An index outside of an array that is part of a larger object. */
export function badIndex(index: number, site: number): never {
  return undefinedRun({ kind: "bad-index", index }, site);
}

/** Negative, zero or positive; pointers into different objects have no order. */
export function comparePointers(left: number, right: number, site: number): number {
  if (left - (left | 0) !== right - (right | 0)) undefinedRun({ kind: "pointer-comparison", left, right }, site);
  return left - right;
}

export function pointerDifference(left: number, right: number, scale: number, site: number): number {
  const bytes = left - right;
  if (left - (left | 0) !== right - (right | 0) || bytes % scale !== 0) {
    undefinedRun({ kind: "pointer-difference", left, right, scale }, site);
  }
  return bytes / scale + 0;
}

/**
 * Pointers as integers. With 64 bits the integer is the pointer itself. With 32 bits it is the linear address; the
 * object is found again by what was stored at the same place, or by the owner of the address.
 */

/** No program error, but an address that no pointer can represent here. */
export class UnrepresentablePointer extends Error {
  readonly value: bigint;
  readonly site: number;

  constructor(value: bigint, site: number) {
    super(`the integer ${value} as a pointer`);
    this.value = value;
    this.site = site;
  }
}

export function unsupportedPointer(error: UnrepresentablePointer, range: TracefoldError["range"]): TracefoldError {
  return new TracefoldError({
    code: "TF241",
    message: `the integer 0x${BigInt.asUintN(64, error.value).toString(16)} is used as a pointer`,
    range,
    help: "Pointers made from integers beyond 2^53 that no object has are not supported.",
  });
}

export function pointerFromHalves(high: number, low: number, site: number): number {
  if (high < -2097151 || high >= 2097152) {
    throw new UnrepresentablePointer((BigInt(high) << 32n) | BigInt(low), site);
  }
  return high * objectStep + low;
}

export function addressOfPointer(memory: Memory, pointer: number): number {
  const offset = pointer | 0;
  const id = (pointer - offset) / objectStep;
  if (id < firstObject || id >= memory.objectCount) return pointer >>> 0;
  return (memory.objects[id * objectFields + fieldBase]! + offset) >>> 0;
}

/** `at` is where the address was read, or -1. */
export function pointerFromAddress(memory: Memory, address: number, at: number): number {
  if (address === 0) return 0;
  if (at !== -1 && (at & 3) === 0) {
    const stored = memory.provenance![at >> 2]!;
    if (stored !== 0 && addressOfPointer(memory, stored) === address) return stored;
  }
  const owner = memory.owners![address >> 4] ?? 0;
  if (owner >= firstObject) {
    const offset = address - memory.objects[owner * objectFields + fieldBase]!;
    if (offset >= 0 && offset <= memory.objects[owner * objectFields + fieldLength]!) return makePointer(owner, offset);
  }
  // No object: a number below 2^33 decodes to an unused object id.
  return address;
}

export function integerToPointer(memory: Memory, value: ScalarValue, site: number): number {
  if (memory.pointerBytes === 4) {
    const address = typeof value === "number" ? value >>> 0 : Number(BigInt.asUintN(32, value));
    return pointerFromAddress(memory, address, -1);
  }
  if (typeof value === "number") return value;
  const wrapped = wrapInteger(value, 64, true);
  if (typeof wrapped === "number") return wrapped;
  throw new UnrepresentablePointer(wrapped, site);
}

/** The mathematical integer; the caller converts it to the integer type. */
export function pointerToInteger(memory: Memory, pointer: number): number {
  return memory.pointerBytes === 8 ? pointer : addressOfPointer(memory, pointer);
}
