import type { Value } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";

/** `pointer + delta`. Leaving the object is noticed when the pointer is used; leaving what an offset can hold, here. */
export function offsetPointer(pointer: number, delta: number, site: number): number {
  const offset = (pointer | 0) + delta;
  if (offset === (offset | 0)) return pointer + delta;
  return undefinedRun({ kind: "pointer-arithmetic", pointer, delta }, site);
}

/** An index beyond the safe integers is far outside of any object; its sign is all that matters. */
export function indexNumber(index: Value): number {
  return typeof index === "number" ? index : index > 0n ? 2 ** 53 : -(2 ** 53);
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
