import type { ScalarValue } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";
import { allocate, release } from "./heap.ts";
import { createObject, forgetBytes, kindLocal, kindStack, type Memory } from "./memory.ts";

/** A local's life begins: an object over its place in the frame, all bytes indeterminate. */
export function enterLocal(memory: Memory, base: number, size: number, variable: number): number {
  forgetBytes(memory, base, size);
  return createObject(memory, base, size, kindLocal, variable);
}

/** The declaration of a variable-length array is reached; `previous` is the array of the last time, or 0. */
export function declareArray(
  memory: Memory,
  previous: number,
  length: ScalarValue,
  elementSize: number,
  variable: number,
  site: number,
): number {
  if (!(length > 0)) undefinedRun({ kind: "array-length", variable, length }, site);
  if (previous !== 0) release(memory, previous);
  return allocate(memory, Number(length) * elementSize, kindStack, site);
}

export function leaveArray(memory: Memory, pointer: number): void {
  if (pointer !== 0) release(memory, pointer);
}

/** What `alloca` gave to a function that returns. */
export function leaveStackObjects(memory: Memory, pointers: readonly number[]): void {
  for (const pointer of pointers) release(memory, pointer);
}
