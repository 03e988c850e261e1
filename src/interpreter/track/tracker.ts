import type { ByteBuffer } from "../../c/library/files.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Memory } from "../memory/memory.ts";
import type { FileWriters, PrintedPiece } from "./trackFiles.ts";

/**
 * The record of a replay's steps from `from` on, in growing arrays. Generated code keeps the writers of registers in
 * variables, `writers` those of bytes; both also for earlier steps, so that a window of a long run knows the origin of
 * everything. Steps are stored as `step + 1`; 0 means nobody yet, -1 before the first step.
 */
export type DependenceTracker = {
  readonly from: number;
  /** The current step; -1 before the first. */
  step: number;
  /** The index of the current step's first read; -1 before the window. */
  at: number;
  /** The index of its first read that is no leaf. */
  extras: number;
  readonly steps: StepArrays;
  readonly reads: ReadArrays;
  /** Integers beyond the safe range, by index in `steps.value` and in `reads.value`. */
  readonly largeWritten: Map<number, bigint>;
  readonly largeRead: Map<number, bigint>;
  /** By linear address. */
  writers: Int32Array;
  /** By activation: the call, stored as above. */
  callers: Int32Array;
  activations: number;
  /** The call whose callee is about to begin. */
  calling: number;
  /** Open branches with their joins: a stack, in which each activation has its own part. */
  openBranches: Int32Array;
  openJoins: Int32Array;
  open: number;
  /** Stop when the branch of step `from` controls nothing; `until` is the number of open branches while it does. */
  readonly stopsAtJoin: boolean;
  until: number;
  readonly copies: Map<number, TrackedCopy>;
  /** By step: the parts of its output, in order. */
  readonly pieces: Map<number, readonly PrintedPiece[]>;
  /** The writer of each byte of a file; `printed` has the same by stream name. */
  readonly fileWriters: Map<ByteBuffer, FileWriters>;
  /** The step + 1 at which the library stopped in a text that it remembers; 0 for none. */
  stopped: number;
  readonly printed: Map<string, FileWriters>;
  /** By call: linear addresses of the callee's parameters in memory; -1 for those in registers. */
  readonly parameterCells: Map<number, readonly number[]>;
  /** By object: the steps that created and ended it. */
  births: Int32Array;
  deaths: Int32Array;
  /** Unrecorded reads of library functions that read too much in one call. */
  readsLeftOut: number;
};

export type StepArrays = {
  /** Program-wide numbers of edges; see `edgeCodesOf`. */
  readonly code: Int32Array;
  readonly activation: Int32Array;
  /** The branch or call that the step depends on; stored as above. */
  readonly parent: Int32Array;
  readonly value: Float64Array;
  readonly hasValue: Uint8Array;
  /** The written linear address; 0 for none. */
  readonly writeAddress: Int32Array;
  /** One more than there are steps. */
  readonly firstRead: Int32Array;
};

export type ReadArrays = {
  used: number;
  writer: Int32Array;
  /** A leaf's value; after the leaves the number of bytes read. */
  value: Float64Array;
  /** The linear address; 0 for registers. */
  address: Int32Array;
};

export class StopTracking extends Error {}

/** Linear addresses. */
export type TrackedCopy = { readonly to: number; readonly from: number; readonly size: number };

/** `steps`: the maximum size of the window. */
export function createTracker(from: number, steps: number, stopsAtJoin = false): DependenceTracker {
  return {
    from,
    step: -1,
    at: -1,
    extras: -1,
    steps: {
      code: new Int32Array(steps),
      activation: new Int32Array(steps),
      parent: new Int32Array(steps),
      value: new Float64Array(steps),
      hasValue: new Uint8Array(steps),
      writeAddress: new Int32Array(steps),
      firstRead: new Int32Array(steps + 1),
    },
    reads: { used: 0, writer: new Int32Array(1024), value: new Float64Array(1024), address: new Int32Array(1024) },
    largeWritten: new Map(),
    largeRead: new Map(),
    writers: new Int32Array(0),
    callers: new Int32Array(64),
    activations: 0,
    calling: -1,
    openBranches: new Int32Array(64),
    openJoins: new Int32Array(64),
    open: 0,
    stopsAtJoin,
    until: 0,
    copies: new Map(),
    pieces: new Map(),
    fileWriters: new Map(),
    stopped: 0,
    printed: new Map(),
    parameterCells: new Map(),
    births: new Int32Array(64),
    deaths: new Int32Array(64),
    readsLeftOut: 0,
  };
}

export function grown<T extends Int32Array | Float64Array>(array: T, needed: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}

export function reserveReads(reads: ReadArrays, count: number): void {
  const needed = reads.used + count;
  if (needed <= reads.writer.length) return;
  reads.writer = grown(reads.writer, needed);
  reads.value = grown(reads.value, needed);
  reads.address = grown(reads.address, needed);
}

export function writersOf(tracker: DependenceTracker, memory: Memory): Int32Array {
  const { top } = memory;
  // With some room: the stack and the heap grow in small steps.
  if (tracker.writers.length < top) tracker.writers = grown(tracker.writers, top + (top >> 3));
  return tracker.writers;
}

export function keepRead(tracker: DependenceTracker, index: number, value: ScalarValue | undefined): void {
  if (typeof value === "number") tracker.reads.value[index] = value;
  else if (value !== undefined) tracker.largeRead.set(index, value);
}
