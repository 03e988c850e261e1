import type { ScalarValue } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";
import type { Memory } from "./memory.ts";

/** `pointer + delta`. Leaving the object is noticed when the pointer is used; leaving what an offset can hold, here. */
export function offsetPointer(pointer: number, delta: number, site: number): number {
  const offset = (pointer | 0) + delta;
  if (offset === (offset | 0)) return pointer + delta;
  return undefinedRun({ kind: "pointer-arithmetic", pointer, delta }, site);
}

/** What stands for an index beyond the safe integers, which is far outside of any object: its sign is all that matters. */
const farAway = 2 ** 53;

export function indexNumber(memory: Memory, index: ScalarValue): number {
  if (typeof index === "number") return index;
  memory.farIndex = index;
  return index > 0n ? farAway : -farAway;
}

/** The index that led so many bytes (or elements) away, where a number does not hold it: the access that it is for has failed at once. */
export function farIndexOf({ farIndex }: Memory, distance: number): bigint | null {
  return Math.abs(distance) >= farAway / 2 && farIndex !== 0n ? farIndex : null;
}

/** An index of an array that is a part of something larger. */
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
