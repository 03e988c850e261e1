import { maxObjects, objectStep } from "./pointer.ts";

/**
 * The memory of one run: linear bytes, a shadow byte for each (a set bit means that the bit was never initialised, so
 * fresh zeroed bytes count as initialised), and a table of objects. Programs never see linear addresses except with 32-bit
 * pointers, where a pointer in memory is one.
 *
 * The arrays are replaced when they grow: hold on to the `Memory`, never to its arrays.
 */
export type Memory = {
  readonly pointerBytes: 4 | 8;
  /** More bytes than this end the run. */
  readonly maxBytes: number;
  view: DataView;
  bytes: Uint8Array;
  shadow: DataView;
  shadowBytes: Uint8Array;
  /** 32-bit pointers: for each aligned word the full pointer that was stored there last. */
  provenance: Float64Array | null;
  /** 32-bit pointers: for each 16 bytes the object that lies there. */
  owners: Int32Array | null;
  /** `objectFields` numbers for each object id. */
  objects: Int32Array;
  objectCount: number;
  /** Ids of dead objects, oldest first: a ring. */
  deadIds: Int32Array;
  deadHead: number;
  deadCount: number;
  /** The first linear address that was never handed out. */
  top: number;
  readonly freeBlocks: Map<number, number[]>;
  /** The stack of locals: where the next frame goes and where the current segment begins and ends. */
  stackTop: number;
  stackStart: number;
  stackEnd: number;
  readonly segments: { top: number; start: number; end: number }[];
  /** Gives bytes that nothing was written to a value when they are read; null where reading them is undefined. */
  draw: DrawMemory | null;
  /** The last index beyond the safe integers: what addresses are computed with does not hold it, and messages show it. */
  farIndex: bigint;
};

/** Fills `size` bytes at a linear address; false where it does not, so that reading them is undefined after all. */
export type DrawMemory = (pointer: number, at: number, size: number, site: number) => boolean;

export const objectFields = 8;
export const fieldBase = 0;
/** Bytes that may be read; -1 when the object is dead or is no data. */
export const fieldReadable = 1;
export const fieldWritable = 2;
/** The size at birth. */
export const fieldLength = 3;
export const fieldKind = 4;
/** The variable for statics, locals and literals; the function; the site of the allocation; an argument's index. */
export const fieldOrigin = 5;

export const objectKinds = ["none", "static", "local", "heap", "literal", "function", "stack", "argument"] as const;
export type ObjectKind = (typeof objectKinds)[number];
export const kindStatic = 1;
export const kindLocal = 2;
export const kindHeap = 3;
export const kindLiteral = 4;
export const kindFunction = 5;
/** `alloca` and variable-length arrays. */
export const kindStack = 6;
/** `argv` and its strings. */
export const kindArgument = 7;

/** The first id in use: integers below 2^33 cast to pointers never meet an object. */
export const firstObject = 16;
/** Linear addresses start above a page that holds nothing, as null does. */
export const firstAddress = 4096;
/** Dead ids wait in a queue of at least this length, so that a dangling pointer meets a dead object. */
export const quarantine = 65536;
const segmentBytes = 65536;

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
    deadIds: new Int32Array(1024),
    deadHead: 0,
    deadCount: 0,
    top: firstAddress,
    freeBlocks: new Map(),
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

/** Linear bytes with 16-byte alignment; at least one spare byte follows, so that no object begins where another ends. */
export function takeBytes(memory: Memory, size: number): number {
  const room = roundRoom(size);
  const free = memory.freeBlocks.get(room);
  if (free !== undefined && free.length > 0) return free.pop()!;
  const address = memory.top;
  if (address + room > memory.bytes.length) growTo(memory, address + room);
  memory.top = address + room;
  return address;
}

export function giveBytes(memory: Memory, address: number, size: number): void {
  const room = roundRoom(size);
  const free = memory.freeBlocks.get(room);
  if (free === undefined) memory.freeBlocks.set(room, [address]);
  else free.push(address);
}

/** Multiples of 16 up to 1 KiB, then eight sizes per power of two, so that freed blocks find a new use. */
export function roundRoom(size: number): number {
  const room = Math.floor(size / 16) * 16 + 16;
  if (room <= 1024) return room;
  const step = 2 ** (Math.floor(Math.log2(room)) - 3);
  return Math.ceil(room / step) * step;
}

/** So many bytes are there; ends the run where they are too many. */
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

/** A new object over bytes that were taken already. Returns a pointer to its first byte. */
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

/** The object's life ends; its bytes are the caller's to give back. */
export function killObject(memory: Memory, pointer: number): void {
  const id = pointer / objectStep;
  const at = id * objectFields;
  memory.objects[at + fieldReadable] = -1;
  memory.objects[at + fieldWritable] = -1;
  if (memory.deadCount === memory.deadIds.length) growRing(memory);
  const mask = memory.deadIds.length - 1;
  memory.deadIds[(memory.deadHead + memory.deadCount) & mask] = id;
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
  const id = memory.deadIds[memory.deadHead]!;
  memory.deadHead = (memory.deadHead + 1) & (memory.deadIds.length - 1);
  memory.deadCount--;
  return id;
}

function growRing(memory: Memory): void {
  const old = memory.deadIds;
  const ring = new Int32Array(old.length * 2);
  for (let i = 0; i < memory.deadCount; i++) ring[i] = old[(memory.deadHead + i) & (old.length - 1)]!;
  memory.deadIds = ring;
  memory.deadHead = 0;
}

/** Marks bytes as never written. */
export function forgetBytes(memory: Memory, base: number, size: number): void {
  if (size <= 32) {
    // Whole words: what follows an object is its spare room.
    const { shadow } = memory;
    for (let at = 0; at < size; at += 4) shadow.setInt32(base + at, -1, true);
  } else memory.shadowBytes.fill(255, base, base + size);
}

/** Room for the locals of a function; `leaveFrame` with the result gives it back. */
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
  memory.segments.push({ top, start, end });
  const room = Math.max(segmentBytes, size);
  memory.stackStart = takeBytes(memory, room);
  memory.stackEnd = memory.stackStart + room;
  memory.stackTop = memory.stackStart + size;
  return memory.stackStart;
}

function leaveSegment(memory: Memory): void {
  // The first segment stays: leaving and entering main's frame again must not pay for it.
  if (memory.segments.length === 1) return;
  giveBytes(memory, memory.stackStart, memory.stackEnd - memory.stackStart);
  const { top, start, end } = memory.segments.pop()!;
  memory.stackTop = top;
  memory.stackStart = start;
  memory.stackEnd = end;
}
