import * as layout from "./objectLayout.ts";
import * as pointers from "./pointer.ts";

// V8 folds constants of a module into its code, but not imported ones.
const { objectFields, fieldBase, fieldReadable, fieldWritable, fieldLength, fieldKind, fieldOrigin, fieldNextDead } =
  layout;
const { firstObject, firstAddress, quarantine, kindFunction, kindLiteral } = layout;
const { maxObjects, objectStep } = pointers;

/**
 * The memory of one run: linear bytes, a shadow byte for each (a set bit means uninitialised, so fresh zeroed bytes
 * count as initialised), and a table of objects. Programs see linear addresses only with 32-bit pointers, where a
 * stored pointer is one. The arrays are replaced when they grow: hold on to the `Memory`, never to its arrays.
 */
export type Memory = {
  readonly pointerBytes: 4 | 8;
  /** Using more bytes ends the run. */
  readonly maxBytes: number;
  view: DataView;
  bytes: Uint8Array;
  shadow: DataView;
  shadowBytes: Uint8Array;
  /** 32-bit pointers: for each aligned word the full pointer last stored there. */
  provenance: Float64Array | null;
  /** 32-bit pointers: the object at each 16 bytes. */
  owners: Int32Array | null;
  /** `objectFields` numbers for each object id. */
  objects: Int32Array;
  objectCount: number;
  /** Dead objects, a list from the oldest to the latest (`fieldNextDead`). */
  oldestDead: number;
  latestDead: number;
  deadCount: number;
  /** The first linear address never used. */
  top: number;
  /** The address of the latest free block of each class of size, or 0; its first bytes are the address of the next. */
  readonly freeBlocks: Int32Array;
  /** The stack of locals: the place of the next frame, and the bounds of the current segment. */
  stackTop: number;
  stackStart: number;
  stackEnd: number;
  readonly segments: { top: number; start: number; end: number }[];
  /** Gives uninitialised bytes a value when read; null if reading them is undefined. */
  draw: DrawMemory | null;
  /** The last index beyond the safe integers, for messages; address computations cannot hold it. */
  farIndex: bigint;
};

/** Fills `size` bytes at a linear address; returns false if reading them is undefined after all. */
export type DrawMemory = (pointer: number, at: number, size: number, site: number) => boolean;

/** The first segment is small, because re-runs clear it; each further one is twice as large, up to the most. */
const segmentBytes = 8192;
const mostSegmentBytes = 65536;

export class MemoryExhausted extends Error {
  constructor(what: string) {
    super(what);
  }
}

export function createMemory(pointerBytes: 4 | 8, maxBytes: number): Memory {
  const memory: Memory = {
    pointerBytes,
    maxBytes,
    view: new DataView(new ArrayBuffer(0)),
    bytes: new Uint8Array(0),
    shadow: new DataView(new ArrayBuffer(0)),
    shadowBytes: new Uint8Array(0),
    provenance: pointerBytes === 4 ? new Float64Array(0) : null,
    owners: pointerBytes === 4 ? new Int32Array(0) : null,
    objects: new Int32Array(1024 * objectFields),
    objectCount: firstObject,
    oldestDead: 0,
    latestDead: 0,
    deadCount: 0,
    top: firstAddress,
    freeBlocks: new Int32Array(sizeClasses),
    stackTop: 0,
    stackStart: 0,
    stackEnd: 0,
    segments: [],
    draw: null,
    farIndex: 0n,
  };
  memory.objects.fill(-1, 0, firstObject * objectFields);
  growTo(memory, 65536);
  return memory;
}

/** Allocates linear bytes, 16-byte aligned; at least one spare byte follows, so that objects never touch. */
export function takeBytes(memory: Memory, size: number): number {
  const room = roundRoom(size);
  const number = sizeClass(room);
  const free = memory.freeBlocks[number]!;
  if (free !== 0) {
    memory.freeBlocks[number] = memory.view.getInt32(free, true);
    return free;
  }
  const address = memory.top;
  if (address + room > memory.bytes.length) growTo(memory, address + room);
  memory.top = address + room;
  return address;
}

export function giveBytes(memory: Memory, address: number, size: number): void {
  const number = sizeClass(roundRoom(size));
  memory.view.setInt32(address, memory.freeBlocks[number]!, true);
  memory.freeBlocks[number] = address;
}

/** Multiples of 16 up to 1 KiB, then eight sizes per power of two, so that freed blocks can be reused. */
export function roundRoom(size: number): number {
  if (size < 1024) return (size & ~15) + 16;
  const room = Math.floor(size / 16) * 16 + 16;
  const step = 2 ** (Math.floor(Math.log2(room)) - 3);
  return Math.ceil(room / step) * step;
}

/** Enough for blocks of 2^31 bytes. */
const sizeClasses = 64 + 22 * 8;

/** A small number for each result of `roundRoom`. */
function sizeClass(room: number): number {
  if (room <= 1024) return room >> 4;
  const exponent = Math.floor(Math.log2(room));
  return 64 + (exponent - 10) * 8 + room / 2 ** (exponent - 3) - 8;
}

/** Ensures `needed` bytes; ends the run if they are too many. */
export function growTo(memory: Memory, needed: number): void {
  if (needed > memory.maxBytes) throw new MemoryExhausted(`${memory.maxBytes} bytes`);
  let capacity = Math.max(65536, memory.bytes.length);
  while (capacity < needed) capacity *= 2;
  capacity = Math.min(capacity, Math.ceil(memory.maxBytes / 16) * 16);
  const bytes = new Uint8Array(capacity);
  bytes.set(memory.bytes);
  const shadowBytes = new Uint8Array(capacity);
  shadowBytes.set(memory.shadowBytes);
  memory.bytes = bytes;
  memory.view = new DataView(bytes.buffer);
  memory.shadowBytes = shadowBytes;
  memory.shadow = new DataView(shadowBytes.buffer);
  if (memory.provenance !== null && memory.owners !== null) {
    const provenance = new Float64Array(capacity / 4);
    provenance.set(memory.provenance);
    memory.provenance = provenance;
    const owners = new Int32Array(capacity / 16);
    owners.set(memory.owners);
    memory.owners = owners;
  }
}

/** Creates an object over allocated bytes. Returns a pointer to its first byte. */
export function createObject(memory: Memory, base: number, size: number, kind: number, origin: number): number {
  const id = memory.deadCount > quarantine ? reviveId(memory) : freshId(memory);
  const at = id * objectFields;
  const { objects } = memory;
  objects[at + fieldBase] = base;
  objects[at + fieldReadable] = kind === kindFunction ? -1 : size;
  objects[at + fieldWritable] = kind === kindFunction || kind === kindLiteral ? -1 : size;
  objects[at + fieldLength] = size;
  objects[at + fieldKind] = kind;
  objects[at + fieldOrigin] = origin;
  if (memory.owners !== null) memory.owners.fill(id, base / 16, (base + roundRoom(size)) / 16);
  return id * objectStep;
}

/** Ends the object's life; the caller frees its bytes. */
export function killObject(memory: Memory, pointer: number): void {
  killId(memory, (pointer / objectStep) | 0);
}

export function killId(memory: Memory, id: number): void {
  const { objects } = memory;
  objects[id * objectFields + fieldReadable] = -1;
  objects[id * objectFields + fieldWritable] = -1;
  if (memory.deadCount === 0) memory.oldestDead = id;
  else objects[memory.latestDead * objectFields + fieldNextDead] = id;
  memory.latestDead = id;
  memory.deadCount++;
}

function freshId(memory: Memory): number {
  const id = memory.objectCount;
  if (id === maxObjects) throw new MemoryExhausted(`${maxObjects} objects`);
  if ((id + 1) * objectFields > memory.objects.length) {
    const objects = new Int32Array(memory.objects.length * 2);
    objects.set(memory.objects);
    memory.objects = objects;
  }
  memory.objectCount = id + 1;
  return id;
}

function reviveId(memory: Memory): number {
  const id = memory.oldestDead;
  memory.oldestDead = memory.objects[id * objectFields + fieldNextDead]!;
  memory.deadCount--;
  return id;
}

export function forgetBytes(memory: Memory, base: number, size: number): void {
  if (size <= 32) {
    // Whole words: only spare room follows an object.
    const { shadow } = memory;
    for (let at = 0; at < size; at += 4) shadow.setInt32(base + at, -1, true);
  } else memory.shadowBytes.fill(255, base, base + size);
}

/** Allocates the locals of a function; `leaveFrame` frees them. */
export function enterFrame(memory: Memory, size: number): number {
  const base = memory.stackTop;
  if (base + size > memory.stackEnd) return enterSegment(memory, size);
  memory.stackTop = base + size;
  return base;
}

export function leaveFrame(memory: Memory, base: number): void {
  memory.stackTop = base;
  if (base === memory.stackStart) leaveSegment(memory);
}

function enterSegment(memory: Memory, size: number): number {
  const { stackTop: top, stackStart: start, stackEnd: end } = memory;
  const usual = Math.min(segmentBytes * 2 ** memory.segments.length, mostSegmentBytes);
  memory.segments.push({ top, start, end });
  const room = Math.max(usual, size);
  memory.stackStart = takeBytes(memory, room);
  memory.stackEnd = memory.stackStart + room;
  memory.stackTop = memory.stackStart + size;
  return memory.stackStart;
}

function leaveSegment(memory: Memory): void {
  // The first segment stays: re-entering main's frame must be cheap.
  if (memory.segments.length === 1) return;
  giveBytes(memory, memory.stackStart, memory.stackEnd - memory.stackStart);
  const { top, start, end } = memory.segments.pop()!;
  memory.stackTop = top;
  memory.stackStart = start;
  memory.stackEnd = end;
}
