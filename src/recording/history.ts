import { lastAtMost, type OpenRecording } from "./openRecording.ts";
import { nameOfStep } from "./reasons.ts";

export type HistoryPoint = { readonly step: number; readonly value: string };

/** All values that a cell had over time. */
export type CellHistory = {
  readonly cell: number;
  readonly name: string;
  readonly points: readonly HistoryPoint[];
  /** The number of all writes; of very many, points are left out evenly. */
  readonly writes: number;
};

export function historyOf(open: OpenRecording, cell: number, most = 2_000): CellHistory {
  const writes = open.writesOf(cell).filter((step) => open.writtenInto(cell, step) !== 0);
  const stride = Math.max(1, Math.ceil(writes.length / most));
  const points: HistoryPoint[] = [];
  for (let i = 0; i < writes.length; i += stride) {
    const step = writes[i] ?? 0;
    points.push({ step, value: valueIn(open, cell, step) });
  }
  const last = writes[writes.length - 1];
  if (last !== undefined && points.at(-1)?.step !== last) points.push({ step: last, value: valueIn(open, cell, last) });
  return { cell, name: open.recording.cells[cell] ?? "", points, writes: writes.length };
}

function valueIn(open: OpenRecording, cell: number, step: number): string {
  return open.recording.values[open.writtenInto(cell, step)] ?? "";
}

/** The write of a cell before a step, and the next one behind it; null for none. */
export function previousWrite(open: OpenRecording, cell: number, step: number): number | null {
  const writes = open.writesOf(cell);
  return writes[lastAtMost(writes, step - 1)] ?? null;
}

export function nextWrite(open: OpenRecording, cell: number, step: number): number | null {
  const writes = open.writesOf(cell);
  return writes[lastAtMost(writes, step) + 1] ?? null;
}

export type Reader = { readonly step: number; readonly as: string };

/** The steps that read a value, nearest first. */
export function readersOf(open: OpenRecording, step: number, most = 100): readonly Reader[] {
  return [...open.readersOf(step).subarray(0, most)].map((reader) => ({ step: reader, as: nameOfStep(open, reader) }));
}
