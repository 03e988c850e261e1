import type { ScalarValue } from "../../ir/scalarValue.ts";
import { undefinedRun } from "../problem.ts";
import { locateRead, locateWrite } from "./access.ts";
import { createObject, forgetBytes, giveBytes, killId, type Memory, takeBytes } from "./memory.ts";
import * as layout from "./objectLayout.ts";
import * as pointers from "./pointer.ts";
import { objectIdOf, offsetOf } from "./pointer.ts";

// V8 folds constants of a module into its code, but not imported ones.
const { fieldBase, fieldKind, fieldLength, fieldReadable, kindHeap, kindLocal, kindStack, objectFields } = layout;
const { objectStep } = pointers;

/** `malloc` and `alloca`: uninitialised bytes. `kind` tells who frees them; `site` is the place of the request. */
export function allocate(
  memory: Memory,
  size: number,
  kind: typeof layout.kindHeap | typeof layout.kindStack,
  site: number,
): number {
  const base = takeBytes(memory, size);
  forgetBytes(memory, base, size);
  return createObject(memory, base, size, kind, site);
}

export function allocateZeroed(memory: Memory, size: number, site: number): number {
  const base = takeBytes(memory, size);
  memory.bytes.fill(0, base, base + size);
  memory.shadowBytes.fill(0, base, base + size);
  return createObject(memory, base, size, kindHeap, site);
}

/** The size of the live heap object that starts at the pointer; anything else must not be freed. */
export function heapSize(memory: Memory, pointer: number, name: string, site: number): number {
  // Right for a pointer without an offset, and no other may be freed.
  const at = ((pointer / objectStep) | 0) * objectFields;
  const live = memory.objects[at + fieldKind] === kindHeap && memory.objects[at + fieldReadable]! >= 0;
  if (!live || offsetOf(pointer) !== 0) undefinedRun({ kind: "bad-free", pointer, name }, site);
  return memory.objects[at + fieldLength]!;
}

export function release(memory: Memory, pointer: number): void {
  const id = (pointer / objectStep) | 0;
  const at = id * objectFields;
  giveBytes(memory, memory.objects[at + fieldBase]!, memory.objects[at + fieldLength]!);
  killId(memory, id);
}

export function reallocate(memory: Memory, pointer: number, size: number, site: number): number {
  const old = heapSize(memory, pointer, "realloc", site);
  const result = allocate(memory, size, kindHeap, site);
  const from = memory.objects[objectIdOf(pointer) * objectFields + fieldBase]!;
  const to = memory.objects[objectIdOf(result) * objectFields + fieldBase]!;
  moveBytes(memory, to, from, Math.min(old, size));
  release(memory, pointer);
  return result;
}

/** A local's life begins: an object over its place in the frame, all bytes indeterminate. */
export function enterLocal(memory: Memory, base: number, size: number, variable: number): number {
  forgetBytes(memory, base, size);
  return createObject(memory, base, size, kindLocal, variable);
}

/** The declaration of a local is reached again: the object of its last life is dead, and pointers to it dangle. */
export function renewLocal(memory: Memory, last: number, base: number, size: number, variable: number): number {
  killId(memory, (last / objectStep) | 0);
  return enterLocal(memory, base, size, variable);
}

/** The declaration of a variable-length array is reached; `previous` is its previous instance, or 0. */
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

/** Frees the blocks of `alloca` when the function returns. */
export function leaveStackObjects(memory: Memory, pointers: readonly number[]): void {
  for (const pointer of pointers) release(memory, pointer);
}

/** Moves bytes with their metadata: initialisation and, for 32-bit pointers, provenance. */
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

/** `*to = *from` for structs and `memcpy`: the places may be equal but not overlap otherwise. */
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
