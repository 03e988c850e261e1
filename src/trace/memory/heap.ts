import { undefinedRun } from "../problem.ts";
import { moveBytes } from "./copy.ts";
import {
  createObject,
  fieldBase,
  fieldKind,
  fieldLength,
  fieldReadable,
  forgetBytes,
  giveBytes,
  killObject,
  kindHeap,
  type kindStack,
  type Memory,
  objectFields,
  takeBytes,
} from "./memory.ts";
import { objectIdOf, offsetOf } from "./pointer.ts";

/** `malloc` and `alloca`: uninitialised bytes. `kind` says who frees them; `site` is where they were asked for. */
export function allocate(memory: Memory, size: number, kind: typeof kindHeap | typeof kindStack, site: number): number {
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

/** The size of a live heap object at whose start the pointer is; anything else must not be freed. */
export function heapSize(memory: Memory, pointer: number, name: string, site: number): number {
  const at = objectIdOf(pointer) * objectFields;
  const live = memory.objects[at + fieldKind] === kindHeap && memory.objects[at + fieldReadable]! >= 0;
  if (!live || offsetOf(pointer) !== 0) undefinedRun({ kind: "bad-free", pointer, name }, site);
  return memory.objects[at + fieldLength]!;
}

export function release(memory: Memory, pointer: number): void {
  const at = objectIdOf(pointer) * objectFields;
  giveBytes(memory, memory.objects[at + fieldBase]!, memory.objects[at + fieldLength]!);
  killObject(memory, pointer);
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
