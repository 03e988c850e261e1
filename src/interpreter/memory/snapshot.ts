import { growTo, type Memory } from "./memory.ts";
import { firstAddress, objectFields } from "./objectLayout.ts";

/** The memory before a run, small enough to be restored thousands of times a second. */
export type MemorySnapshot = {
  readonly bytes: Uint8Array;
  readonly objects: Int32Array;
  readonly owners: Int32Array | null;
  readonly objectCount: number;
  readonly top: number;
};

/** Only for a memory that no run has used: nothing freed, no frame entered, every byte initialised. */
export function takeSnapshot(memory: Memory): MemorySnapshot {
  const { top, objectCount } = memory;
  return {
    bytes: memory.bytes.slice(0, top),
    objects: memory.objects.slice(0, objectCount * objectFields),
    owners: memory.owners?.slice(0, top / 16) ?? null,
    objectCount,
    top,
  };
}

/** Costs as much as clearing what the run used. */
export function restoreSnapshot(memory: Memory, snapshot: MemorySnapshot): void {
  const used = memory.top;
  memory.bytes.fill(0, firstAddress, used);
  memory.bytes.set(snapshot.bytes);
  memory.shadowBytes.fill(0, firstAddress, used);
  memory.provenance?.fill(0, 0, used >> 2);
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
