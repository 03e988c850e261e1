import { undefinedRun } from "../problem.ts";
import { fieldBase, fieldReadable, fieldWritable, type Memory } from "./memory.ts";

/** `pointer - offset` times this is the index of the object's first field: 2^-32 * objectFields. */
const toFields = 2 ** -29;

/** The linear address of `size` readable bytes at `pointer + delta`; otherwise the run is undefined. */
export function locateRead(memory: Memory, pointer: number, delta: number, size: number, site: number): number {
  const low = pointer | 0;
  const offset = low + delta;
  const at = ((pointer - low) * toFields) | 0;
  const { objects } = memory;
  // A comparison with undefined, for a number that is no object, is false.
  if (offset >= 0 && offset <= objects[at + fieldReadable]! - size) return objects[at + fieldBase]! + offset;
  return undefinedRun({ kind: "bad-access", access: "read", pointer, delta, size }, site);
}

export function locateWrite(memory: Memory, pointer: number, delta: number, size: number, site: number): number {
  const low = pointer | 0;
  const offset = low + delta;
  const at = ((pointer - low) * toFields) | 0;
  const { objects } = memory;
  if (offset >= 0 && offset <= objects[at + fieldWritable]! - size) return objects[at + fieldBase]! + offset;
  return undefinedRun({ kind: "bad-access", access: "write", pointer, delta, size }, site);
}

/** Bytes at the linear address `at` are read that were never written: they are drawn, or the run is undefined. */
export function uninitialised(
  memory: Memory,
  at: number,
  pointer: number,
  delta: number,
  size: number,
  site: number,
): void {
  // Without a site somebody looks on, and looking changes nothing.
  if (memory.draw !== null && site >= 0 && memory.draw(pointer + delta, at, size, site)) return;
  undefinedRun({ kind: "uninitialised-memory", pointer: pointer + delta, size }, site);
}
