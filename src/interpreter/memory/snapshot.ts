import { growTo, type Memory } from "./memory.ts";
import { firstAddress, objectFields } from "./objectLayout.ts";
import type { StaticPlace } from "./staticLayout.ts";

/** The memory before a run, small enough to be restored thousands of times a second. */
export type MemorySnapshot = {
  /** All bytes that are not zero. */
  readonly parts: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly objects: Int32Array;
  readonly owners: Int32Array | null;
  readonly objectCount: number;
  readonly top: number;
};

/**
 * Only for a memory that no run has used: nothing freed, no frame entered, every byte initialised. Outside of `literals` all bytes
 * are zero.
 */
export function takeSnapshot(memory: Memory, literals: readonly StaticPlace[]): MemorySnapshot {
  const { top, objectCount } = memory;
  const places = top < zeroes.length ? [{ address: 0, size: top }] : literals;
  return {
    parts: places.map(({ address: at, size }) => ({ at, bytes: memory.bytes.slice(at, at + size) })),
    objects: memory.objects.slice(0, objectCount * objectFields),
    owners: memory.owners?.slice(0, top / 16) ?? null,
    objectCount,
    top,
  };
}

/** Costs as much as clearing what the run used. */
export function restoreSnapshot(memory: Memory, snapshot: MemorySnapshot): void {
  const used = memory.top;
  clear(memory.bytes, firstAddress, used);
  for (const { at, bytes } of snapshot.parts) memory.bytes.set(bytes, at);
  clear(memory.shadowBytes, firstAddress, used);
  if (memory.provenance !== null) clear(memory.provenance, 0, used >> 2);
  if (memory.owners !== null && snapshot.owners !== null) {
    memory.owners.fill(0, 0, used / 16);
    memory.owners.set(snapshot.owners);
  }
  memory.objects.fill(0, snapshot.objectCount * objectFields, memory.objectCount * objectFields);
  memory.objects.set(snapshot.objects);
  memory.objectCount = snapshot.objectCount;
  memory.deadCount = 0;
  memory.top = snapshot.top;
  memory.freeBlocks.fill(0);
  memory.stackTop = 0;
  memory.stackStart = 0;
  memory.stackEnd = 0;
  memory.segments.length = 0;
  memory.farIndex = 0n;
}

const zeroes = new Uint8Array(65_536);

/** Writes zeroes where others are: a page of a large array that no run has used is not provided by the system before the first write. */
function clear(array: Uint8Array | Float64Array, from: number, to: number): void {
  const width = array.BYTES_PER_ELEMENT;
  if ((to - from) * width < zeroes.length) {
    array.fill(0, from, to);
    return;
  }
  const bytes = new Uint8Array(array.buffer, array.byteOffset + from * width, (to - from) * width);
  for (let at = 0; at < bytes.length; at += zeroes.length) {
    const part = bytes.subarray(at, at + zeroes.length);
    if (!isZero(part)) part.fill(0);
  }
}

function isZero(part: Uint8Array): boolean {
  return Buffer.compare(part, zeroes.subarray(0, part.length)) === 0;
}

/** The full state of a memory during a run. */
export type MemoryCopy = Pick<
  Memory,
  | "bytes"
  | "shadowBytes"
  | "provenance"
  | "owners"
  | "objects"
  | "objectCount"
  | "oldestDead"
  | "latestDead"
  | "deadCount"
  | "top"
  | "freeBlocks"
  | "stackTop"
  | "stackStart"
  | "stackEnd"
  | "farIndex"
> & {
  readonly segments: Readonly<Memory["segments"]>;
  /** Bytes of the copy itself. */
  readonly size: number;
};

export function copyMemory(memory: Memory): MemoryCopy {
  const { top, objectCount, oldestDead, latestDead, deadCount, stackTop, stackStart, stackEnd, farIndex } = memory;
  const arrays = {
    bytes: memory.bytes.slice(0, top),
    shadowBytes: memory.shadowBytes.slice(0, top),
    provenance: memory.provenance?.slice(0, top >> 2) ?? null,
    owners: memory.owners?.slice(0, top / 16) ?? null,
    objects: memory.objects.slice(0, objectCount * objectFields),
    freeBlocks: memory.freeBlocks.slice(),
  };
  const size = Object.values(arrays).reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
  const segments = memory.segments.map((segment) => ({ ...segment }));
  const dead = { oldestDead, latestDead, deadCount };
  return { ...arrays, ...dead, objectCount, top, stackTop, stackStart, stackEnd, farIndex, segments, size };
}

/** The memory may be another one of the same program, and may have been used since. */
export function restoreMemory(memory: Memory, copy: MemoryCopy): void {
  const { top } = copy;
  const used = Math.max(memory.top, top);
  if (top > memory.bytes.length) growTo(memory, top);
  memory.bytes.fill(0, top, used).set(copy.bytes.subarray(firstAddress), firstAddress);
  memory.shadowBytes.fill(0, top, used).set(copy.shadowBytes.subarray(firstAddress), firstAddress);
  if (copy.provenance !== null) memory.provenance?.fill(0, top >> 2, used >> 2).set(copy.provenance);
  if (copy.owners !== null) memory.owners?.fill(0, top / 16, used / 16).set(copy.owners);
  restoreObjects(memory, copy);
  memory.top = top;
  memory.freeBlocks.set(copy.freeBlocks);
  memory.stackTop = copy.stackTop;
  memory.stackStart = copy.stackStart;
  memory.stackEnd = copy.stackEnd;
  memory.segments.length = 0;
  for (const segment of copy.segments) memory.segments.push({ ...segment });
  memory.farIndex = copy.farIndex;
}

function restoreObjects(memory: Memory, { objects, objectCount, oldestDead, latestDead, deadCount }: MemoryCopy): void {
  if (objects.length > memory.objects.length) memory.objects = new Int32Array(powerOfTwo(objects.length));
  else memory.objects.fill(0, objects.length, Math.max(memory.objectCount, objectCount) * objectFields);
  memory.objects.set(objects);
  memory.objectCount = objectCount;
  memory.oldestDead = oldestDead;
  memory.latestDead = latestDead;
  memory.deadCount = deadCount;
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}
