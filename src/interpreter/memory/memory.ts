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
  /** Using more bytes ends the run; at most `mostMemory`. */
  readonly maxBytes: number;
  view: DataView;
  bytes: Uint8Array;
  shadow: DataView;
  shadowBytes: Uint8Array;
  /** The same bytes for generated code. */
  int8s: Int8Array;
  int16s: Int16Array;
  int32s: Int32Array;
  float32s: Float32Array;
  float64s: Float64Array;
  shadowInt8s: Int8Array;
  shadowInt16s: Int16Array;
  shadowInt32s: Int32Array;
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
  /** Whether an access at an address that is no multiple of its size is undefined; null if none is. */
  isMisaligned: ((pointer: number, size: number, site: number) => boolean) | null;
  /** The last index beyond the safe integers, for messages; address computations cannot hold it. */
  farIndex: bigint;
};

/** Fills `size` bytes at a linear address; returns false if reading them is undefined after all. */
export type DrawMemory = (pointer: number, at: number, size: number, site: number) => boolean;

/** The first segment is small, because re-runs clear it; each further one is twice as large, up to the most. */
const segmentBytes = 8192;
const mostSegmentBytes = 65536;

/** Addresses and rooms are 32-bit integers. */
export const mostMemory = 2 ** 30;

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
    int8s: new Int8Array(0),
    int16s: new Int16Array(0),
    int32s: new Int32Array(0),
    float32s: new Float32Array(0),
    float64s: new Float64Array(0),
    shadowInt8s: new Int8Array(0),
    shadowInt16s: new Int16Array(0),
    shadowInt32s: new Int32Array(0),
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
    isMisaligned: null,
    farIndex: 0n,
  };
  memory.objects.fill(-1, 0, firstObject * objectFields);
  growTo(memory, 65536);
  return memory;
}

/** Allocates linear bytes, 16-byte aligned; at least one spare byte follows, so that objects never touch. */
export function takeBytes(memory: Memory, size: number): number {
  if (size > memory.maxBytes) throw new MemoryExhausted(`${memory.maxBytes} bytes`);
  const room = roomOf(size | 0);
  const number = sizeClass(room);
  const free = memory.freeBlocks[number]!;
  if (free !== 0) {
    memory.freeBlocks[number] = memory.int32s[free >> 2]!;
    return free;
  }
  const address = memory.top;
  if (address + room > memory.bytes.length) growTo(memory, address + room);
  memory.top = address + room;
  return address;
}

export function giveBytes(memory: Memory, address: number, size: number): void {
  const number = sizeClass(roomOf(size | 0));
  memory.int32s[address >> 2] = memory.freeBlocks[number]!;
  memory.freeBlocks[number] = address;
}

/** The room that an object of this size takes; also for one that no memory can hold. */
export function roundRoom(size: number): number {
  return size <= mostMemory ? roomOf(size | 0) : Math.floor(size / 16) * 16 + 16;
}

/**
 * Multiples of 16 up to 1 KiB, then eight sizes per power of two, so that freed blocks can be reused. All in operations
 * on 32-bit integers: after one other number V8 computes `top` and all addresses with floating-point numbers.
 */
function roomOf(size: number): number {
  const room = (size & ~15) + 16;
  if (room <= 1024) return room;
  const step = 1 << (28 - Math.clz32(room));
  return (room + step - 1) & -step;
}

/** Enough for blocks of 2^31 bytes. */
const sizeClasses = 64 + 22 * 8;

/** A small number for each result of `roundRoom`. */
function sizeClass(room: number): number {
  if (room <= 1024) return room >> 4;
  const exponent = 31 - Math.clz32(room);
  return 64 + (exponent - 10) * 8 + (room >> (exponent - 3)) - 8;
}

/** Ensures `needed` bytes; ends the run if they are too many. */
export function growTo(memory: Memory, needed: number): void {
  if (needed > memory.maxBytes) throw new MemoryExhausted(`${memory.maxBytes} bytes`);
  if (needed <= memory.bytes.length) return;
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
  memory.int8s = new Int8Array(bytes.buffer);
  memory.int16s = new Int16Array(bytes.buffer);
  memory.int32s = new Int32Array(bytes.buffer);
  memory.float32s = new Float32Array(bytes.buffer);
  memory.float64s = new Float64Array(bytes.buffer);
  memory.shadowInt8s = new Int8Array(shadowBytes.buffer);
  memory.shadowInt16s = new Int16Array(shadowBytes.buffer);
  memory.shadowInt32s = new Int32Array(shadowBytes.buffer);
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
  // `| 0`: V8 then reads a small integer as one, and not by way of a floating-point number.
  const length = size | 0;
  objects[at + fieldBase] = base | 0;
  objects[at + fieldReadable] = kind === kindFunction ? -1 : length;
  objects[at + fieldWritable] = kind === kindFunction || kind === kindLiteral ? -1 : length;
  objects[at + fieldLength] = length;
  objects[at + fieldKind] = kind | 0;
  objects[at + fieldOrigin] = origin | 0;
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
    // Sixteen bytes at once: only spare room follows an object.
    const { shadowInt32s } = memory;
    for (let i = base >> 2; i * 4 < base + size; i += 4) {
      shadowInt32s[i] = -1;
      shadowInt32s[i + 1] = -1;
      shadowInt32s[i + 2] = -1;
      shadowInt32s[i + 3] = -1;
    }
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
