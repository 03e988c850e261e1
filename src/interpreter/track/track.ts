import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Machine } from "../machine.ts";
import type { Memory } from "../memory/memory.ts";
import { fieldBase, objectFields } from "../memory/objectLayout.ts";
import { objectIdOf, offsetOf } from "../memory/pointer.ts";
import { type DependenceTracker, grown, keepRead, reserveReads, StopTracking, writersOf } from "./tracker.ts";

/** A function begins; returns its activation. */
export function trackEntry(tracker: DependenceTracker): number {
  const activation = tracker.activations++;
  if (activation >= tracker.callers.length) tracker.callers = grown(tracker.callers, activation + 1);
  tracker.callers[activation] = tracker.calling;
  return activation;
}

/** A step begins on arrival: `code` is its edge, or the first one of a branch. */
export function trackStep(
  tracker: DependenceTracker,
  activation: number,
  base: number,
  code: number,
  leaves: number,
): void {
  const step = ++tracker.step;
  const index = step - tracker.from;
  if (index < 0) return;
  if (tracker.open < tracker.until || index >= tracker.steps.code.length) throw new StopTracking();
  const { steps, reads } = tracker;
  steps.code[index] = code;
  steps.activation[index] = activation;
  const { open } = tracker;
  steps.parent[index] = open > base ? tracker.openBranches[open - 1]! : tracker.callers[activation]!;
  reserveReads(reads, leaves);
  tracker.at = reads.used;
  steps.firstRead[index] = reads.used;
  reads.used += leaves;
  steps.firstRead[index + 1] = reads.used;
  tracker.extras = reads.used;
}

/** Branches that join here control nothing any more. */
export function trackJoin(tracker: DependenceTracker, base: number, location: number): void {
  while (tracker.open > base && tracker.openJoins[tracker.open - 1] === location) tracker.open--;
}

/**
 * The edge of the current step is chosen. Branches with the same join share an entry: the later depends on the earlier.
 */
export function trackChoice(tracker: DependenceTracker, base: number, code: number, join: number): void {
  const { step } = tracker;
  if (step >= tracker.from) tracker.steps.code[step - tracker.from] = code;
  const top = tracker.open - 1;
  if (top >= base && tracker.openJoins[top] === join) tracker.openBranches[top] = step + 1;
  else openBranch(tracker, join);
  if (tracker.stopsAtJoin && step === tracker.from) tracker.until = tracker.open;
}

function openBranch(tracker: DependenceTracker, join: number): void {
  if (tracker.open === tracker.openBranches.length) {
    tracker.openBranches = grown(tracker.openBranches, tracker.open + 1);
    tracker.openJoins = grown(tracker.openJoins, tracker.open + 1);
  }
  tracker.openBranches[tracker.open] = tracker.step + 1;
  tracker.openJoins[tracker.open++] = join;
}

/** Leaf `k` of the step is a register. */
export function trackRegister(
  tracker: DependenceTracker,
  k: number,
  value: ScalarValue | undefined,
  writer: number,
): ScalarValue | undefined {
  if (tracker.at >= 0) {
    const index = tracker.at + k;
    tracker.reads.writer[index] = writer;
    if (typeof value === "number") tracker.reads.value[index] = value;
    else keepRead(tracker, index, value);
  }
  return value;
}

/** Leaf `k` of the step is known only to the machine; it has no writer. */
export function trackValue(tracker: DependenceTracker, k: number, value: ScalarValue): ScalarValue {
  return trackRegister(tracker, k, value, -1) as ScalarValue;
}

/** Leaf `k` of the step was loaded. */
export function trackLoad(
  tracker: DependenceTracker,
  memory: Memory,
  k: number,
  value: ScalarValue,
  pointer: number,
  delta: number,
  size: number,
): ScalarValue {
  if (tracker.at < 0) return value;
  const index = tracker.at + k;
  const address = linearAddress(memory, pointer, delta);
  const writers = writersOf(tracker, memory);
  const writer = writers[address]!;
  tracker.reads.writer[index] = writer === 0 ? -1 : writer;
  tracker.reads.address[index] = address;
  if (typeof value === "number") tracker.reads.value[index] = value;
  else keepRead(tracker, index, value);
  for (let i = 1; i < size; i++) {
    if (writers[address + i] === writer) continue;
    mixedLoad(tracker, memory, index, address, size);
    break;
  }
  return value;
}

/** Bytes of several writers: the leaf gets the latest, all are listed after the leaves. */
function mixedLoad(tracker: DependenceTracker, memory: Memory, index: number, address: number, size: number): void {
  let latest = 0;
  for (let i = 0; i < size; i++) latest = Math.max(latest, tracker.writers[address + i]!);
  tracker.reads.writer[index] = latest === 0 ? -1 : latest;
  trackBytes(tracker, memory, address, size);
}

/** The maximum of recorded reads per step after its leaves; further ones are only counted. */
const maxRuns = 256;

/** The current step reads bytes: one entry per run of bytes with one writer, none for uninitialised ones. */
function trackBytes(tracker: DependenceTracker, memory: Memory, address: number, size: number): void {
  if (tracker.at < 0) return;
  const writers = writersOf(tracker, memory);
  const { shadowBytes } = memory;
  for (let start = address; start < address + size; ) {
    const writer = writers[start]!;
    const written = shadowBytes[start] !== 255;
    let end = start + 1;
    while (end < address + size && writers[end] === writer && (shadowBytes[end] !== 255) === written) end++;
    if (written) addRun(tracker, start, end - start, writer === 0 ? -1 : writer);
    start = end;
  }
  tracker.steps.firstRead[tracker.step - tracker.from + 1] = tracker.reads.used;
}

function addRun(tracker: DependenceTracker, address: number, size: number, writer: number): void {
  const { reads, extras } = tracker;
  // Comparisons of two strings continue one of the last two.
  for (let i = reads.used - 1; i >= extras && i >= reads.used - 2; i--) {
    if (reads.writer[i] === writer && reads.address[i]! + reads.value[i]! === address) {
      reads.value[i]! += size;
      return;
    }
  }
  if (reads.used - extras >= maxRuns) {
    // The new entry replaces the previous one: the end of a string matters more than its middle.
    tracker.readsLeftOut++;
    reads.used--;
  }
  reserveReads(reads, 1);
  reads.writer[reads.used] = writer;
  reads.value[reads.used] = size;
  reads.address[reads.used++] = address;
}

/** The value that the current step writes, returns or decides. */
export function trackWritten(tracker: DependenceTracker, value: ScalarValue | undefined): void {
  const index = tracker.step - tracker.from;
  if (index < 0 || value === undefined) return;
  tracker.steps.hasValue[index] = 1;
  if (typeof value === "number") tracker.steps.value[index] = value;
  else tracker.largeWritten.set(index, value);
}

/** The current step wrote bytes. */
export function trackStore(
  tracker: DependenceTracker,
  memory: Memory,
  pointer: number,
  delta: number,
  size: number,
): void {
  const address = linearAddress(memory, pointer, delta);
  const writers = writersOf(tracker, memory);
  const writer = tracker.step + 1;
  for (let i = 0; i < size; i++) writers[address + i] = writer;
  const index = tracker.step - tracker.from;
  if (index >= 0) tracker.steps.writeAddress[index] = address;
}

/** Before a bit-field is written: the other bits of its bytes stay. */
export function trackKept(
  tracker: DependenceTracker,
  memory: Memory,
  pointer: number,
  delta: number,
  size: number,
): void {
  trackBytes(tracker, memory, linearAddress(memory, pointer, delta), size);
}

/** The current step read bytes and wrote them elsewhere; `size` is not 0. */
export function trackCopy(tracker: DependenceTracker, memory: Memory, to: number, from: number, size: number): void {
  trackBytes(tracker, memory, linearAddress(memory, from, 0), size);
  keepCopy(tracker, memory, to, from, size);
  trackStore(tracker, memory, to, 0, size);
}

function keepCopy(tracker: DependenceTracker, memory: Memory, to: number, from: number, size: number): void {
  if (tracker.step < tracker.from) return;
  const copy = { to: linearAddress(memory, to, 0), from: linearAddress(memory, from, 0), size };
  tracker.copies.set(tracker.step, copy);
}

/** Parameter `k` of `count` lives in memory and was written by the call. */
export function trackParameter(
  tracker: DependenceTracker,
  memory: Memory,
  k: number,
  count: number,
  pointer: number,
  size: number,
): void {
  const address = linearAddress(memory, pointer, 0);
  writersOf(tracker, memory).fill(tracker.calling, address, address + size);
  const call = tracker.calling - 1;
  if (call < tracker.from) return;
  const cells = tracker.parameterCells.get(call) ?? new Array<number>(count).fill(-1);
  tracker.parameterCells.set(
    call,
    cells.map((cell, i) => (i === k ? address : cell)),
  );
}

/** The current step creates the object; for a local one that is the call. */
export function trackBirth(tracker: DependenceTracker, pointer: number): void {
  const id = objectIdOf(pointer);
  if (id >= tracker.births.length) {
    tracker.births = grown(tracker.births, id + 1);
    tracker.deaths = grown(tracker.deaths, id + 1);
  }
  tracker.births[id] = tracker.step + 1;
  tracker.deaths[id] = 0;
}

export function trackDeath(tracker: DependenceTracker, pointer: number): void {
  tracker.deaths[objectIdOf(pointer)] = tracker.step + 1;
}

type Watched = Pick<Machine, "tracker" | "memory">;

export function libraryRead(machine: Watched, pointer: number, size: number): void {
  const { tracker, memory } = machine;
  if (tracker !== null && size > 0) trackBytes(tracker, memory, linearAddress(memory, pointer, 0), size);
}

/** The library function's result depends only on these of the bytes it read. */
export function libraryDecided(machine: Watched, bytes: readonly number[]): void {
  const { tracker } = machine;
  if (tracker === null || tracker.at < 0) return;
  tracker.reads.used = tracker.extras;
  for (const pointer of bytes) libraryRead(machine, pointer, 1);
}

export function libraryWrote({ tracker, memory }: Watched, pointer: number, size: number): void {
  if (tracker !== null && size > 0) trackStore(tracker, memory, pointer, 0, size);
}

/** The library function copies bytes; called before `libraryWrote`. */
export function libraryCopies(machine: Watched, to: number, from: number, size: number): void {
  if (machine.tracker !== null && size > 0) trackCopy(machine.tracker, machine.memory, to, from, size);
}

/** The bytes that the library function reported as read and written were copied one by one. */
export function libraryCopied(machine: Watched, to: number, from: number, size: number): void {
  if (machine.tracker !== null && size > 0) keepCopy(machine.tracker, machine.memory, to, from, size);
}

function linearAddress(memory: Memory, pointer: number, delta: number): number {
  return memory.objects[objectIdOf(pointer) * objectFields + fieldBase]! + offsetOf(pointer) + delta;
}
