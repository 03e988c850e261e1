import { nth } from "../base/checked.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { DependenceTracker } from "../interpreter/track/tracker.ts";
import { type DescribedSteps, stepOf } from "./read.ts";

/** The first wrong byte of output, and its sources. */
export type PrintedByte = {
  /** The step that printed it. */
  readonly step: number;
  /** The arguments of that call; none where it is part of a format. */
  readonly arguments: readonly number[];
  /** The sources of the byte, by index in the tracker's reads. */
  readonly reads: ReadonlySet<number>;
  /** The address of the byte that was printed unchanged from a sequence of bytes. */
  readonly byteAt: number | null;
};

/** null where the run printed nothing there, or printed it before what is described. */
export function wrongByte(trace: Trace, steps: DescribedSteps): PrintedByte | null {
  const { outcome } = trace;
  if (outcome.kind !== "wrong-output") return null;
  const { tracker } = steps;
  const writers = tracker.printed.get(outcome.stream);
  const step = stepOf(writers?.steps[outcome.offset] ?? 0);
  if (writers === undefined || step === null || step < tracker.from) return null;
  return printedByte(steps, step, writers.offsets[outcome.offset]!);
}

/** The step that printed the last byte that was as expected. */
export function lastRightByte({ outcome }: Trace, { tracker }: DescribedSteps): number | null {
  if (outcome.kind !== "wrong-output" || outcome.offset === 0) return null;
  return stepOf(tracker.printed.get(outcome.stream)?.steps[outcome.offset - 1] ?? 0);
}

/** Byte `offset` of what a step printed, or wrote as a string. */
export function printedByte(steps: DescribedSteps, step: number, offset: number): PrintedByte {
  const { tracker } = steps;
  const leaves = steps.leaves(step);
  const start = tracker.steps.firstRead[step - tracker.from]!;
  const end = tracker.steps.firstRead[step - tracker.from + 1]!;
  const extras = start + leaves.length;
  let from = 0;
  const pieces = tracker.pieces.get(step);
  const piece = pieces?.find(({ size }) => {
    from += size;
    return offset < from;
  });
  const [first, last] = piece === undefined ? [0, pieces === undefined ? 1 : 0] : [piece.first, piece.end];
  const args = Array.from({ length: last - first }, (_, i) => first + i);
  const reads = new Set<number>();
  leaves.forEach(({ parts }, k) => {
    if (parts.some((part) => args.includes(part))) reads.add(start + k);
  });
  const range = piece === undefined ? [extras, end] : [extras + piece.firstRead, extras + piece.endRead];
  const inside = piece === undefined ? offset : offset - (from - piece.size);
  const runs = Array.from({ length: nth(range, 1) - nth(range, 0) }, (_, i) => nth(range, 0) + i);
  const found = runsAt(tracker, runs, inside, piece?.size ?? null);
  for (const run of found.runs) reads.add(run);
  return { step, arguments: args, reads, byteAt: found.byteAt };
}

/** The run of bytes with one that was printed as it is; all of them where the text was padded or is no copy. */
function runsAt(
  tracker: DependenceTracker,
  runs: readonly number[],
  offset: number,
  size: number | null,
): { readonly runs: readonly number[]; readonly byteAt: number | null } {
  const { value, address } = tracker.reads;
  const total = runs.reduce((sum, run) => sum + value[run]!, 0);
  // A string is read with its terminating zero.
  const isCopy = size === null || total === size || total === size + 1;
  let end = 0;
  for (const run of isCopy ? runs : []) {
    const start = end;
    end += value[run]!;
    if (offset < end) return { runs: [run], byteAt: address[run]! + offset - start };
  }
  return { runs, byteAt: null };
}
