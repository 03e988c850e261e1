import { undefinedRun } from "../problem.ts";
import { locateRead, locateWrite } from "./locate.ts";
import type { Memory } from "./memory.ts";

/** Bytes with all that is known about them: initialisation and, for 32-bit pointers, where they point. */
export function moveBytes(memory: Memory, to: number, from: number, size: number): void {
  memory.bytes.copyWithin(to, from, from + size);
  memory.shadowBytes.copyWithin(to, from, from + size);
  const { provenance } = memory;
  if (provenance !== null && ((to ^ from) & 3) === 0) {
    const first = (from + 3) >> 2;
    const end = (from + size) >> 2;
    if (end > first) provenance.copyWithin((to + 3) >> 2, first, end);
  }
}

/** `*to = *from` for structs and `memcpy`: the places may be the same but not overlap otherwise. */
export function copyObject(memory: Memory, to: number, from: number, size: number, site: number): void {
  if (size === 0) return;
  const source = locateRead(memory, from, 0, size, site);
  const target = locateWrite(memory, to, 0, size, site);
  if (source !== target && Math.abs(source - target) < size) {
    undefinedRun({ kind: "overlapping-copy", to, from, size }, site);
  }
  moveBytes(memory, target, source, size);
}

/** `memmove`. */
export function moveObject(memory: Memory, to: number, from: number, size: number, site: number): void {
  if (size === 0) return;
  const source = locateRead(memory, from, 0, size, site);
  moveBytes(memory, locateWrite(memory, to, 0, size, site), source, size);
}

export function fillObject(memory: Memory, to: number, byte: number, size: number, site: number): void {
  if (size === 0) return;
  const at = locateWrite(memory, to, 0, size, site);
  memory.bytes.fill(byte, at, at + size);
  memory.shadowBytes.fill(0, at, at + size);
}
