import type { ByteBuffer } from "../../c/library/files.ts";
import type { Stream } from "../../c/library/stdio/streams.ts";
import { type DependenceTracker, grown, reserveReads } from "./tracker.ts";

/** Tracking of output and files: the step that wrote each byte, and the arguments it came from. */

/** The current call formed the next bytes of its output. */
export function trackFormed(tracker: DependenceTracker, size: number, first: number, end: number): void {
  if (tracker.at < 0) return;
  const pieces = tracker.pieces.get(tracker.step) ?? [];
  const firstRead = pieces.at(-1)?.endRead ?? 0;
  const endRead = tracker.reads.used - tracker.extras;
  tracker.pieces.set(tracker.step, [...pieces, { size, first, end, firstRead, endRead }]);
}

export function trackPrinted(tracker: DependenceTracker, { name, content }: Stream, at: number, size: number): void {
  if (size === 0) return;
  const writers = tracker.fileWriters.get(content) ?? { steps: new Int32Array(256), offsets: new Int32Array(256) };
  tracker.fileWriters.set(content, writers);
  tracker.printed.set(name, writers);
  if (writers.steps.length < at + size) {
    writers.steps = grown(writers.steps, at + size);
    writers.offsets = grown(writers.offsets, at + size);
  }
  writers.steps.fill(tracker.step + 1, at, at + size);
  for (let i = 0; i < size; i++) writers.offsets[at + i] = i;
}

/** The current call read bytes that the program may have written itself: one entry per writing step. */
export function trackTaken(tracker: DependenceTracker, file: ByteBuffer, at: number, size: number): void {
  const writers = tracker.fileWriters.get(file);
  if (writers === undefined || tracker.at < 0) return;
  let before = 0;
  for (let i = at; i < at + size; i++) {
    const writer = writers.steps[i] ?? 0;
    if (writer <= 0 || writer === before) continue;
    before = writer;
    addRead(tracker, writer);
  }
  tracker.steps.firstRead[tracker.step - tracker.from + 1] = tracker.reads.used;
}

/** The current call continues where an earlier one stopped. */
export function trackContinuation(tracker: DependenceTracker): void {
  if (tracker.at < 0 || tracker.stopped === 0) return;
  addRead(tracker, tracker.stopped);
  tracker.steps.firstRead[tracker.step - tracker.from + 1] = tracker.reads.used;
}

/** A read without an address of its own. */
function addRead({ reads }: DependenceTracker, writer: number): void {
  reserveReads(reads, 1);
  reads.writer[reads.used] = writer;
  reads.value[reads.used] = 1;
  reads.address[reads.used++] = 0;
}

export type PrintedPiece = {
  readonly size: number;
  /** Made from the arguments from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
  /** Made from these reads of the step, after its leaves. */
  readonly firstRead: number;
  readonly endRead: number;
};

/** Origin of a file's bytes by position: the step (stored as in `DependenceTracker`) and the offset in its output. */
export type FileWriters = { steps: Int32Array; offsets: Int32Array };
