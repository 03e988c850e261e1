import { firstAddress, type Memory, objectFields } from "./memory.ts";

/** The memory of a program before its run, small enough to be brought back thousands of times a second. */
export type MemorySnapshot = {
  readonly bytes: Uint8Array;
  readonly objects: Int32Array;
  readonly owners: Int32Array | null;
  readonly objectCount: number;
  readonly top: number;
};

/** Only of a memory that no run has used: nothing freed, no frame entered, every byte initialised. */
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

/** The cost is that of clearing what the run used. */
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
  memory.deadHead = 0;
  memory.deadCount = 0;
  memory.top = snapshot.top;
  memory.freeBlocks.clear();
  memory.stackTop = 0;
  memory.stackStart = 0;
  memory.stackEnd = 0;
  memory.segments.length = 0;
  memory.farIndex = 0n;
}
