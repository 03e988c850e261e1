import { remembered } from "../base/memo.ts";
import { argumentsOf, cellRead, type NamedValue } from "./moment.ts";
import { lastAtMost, lastStarted, type OpenRecording } from "./openRecording.ts";

/**
 * Values by their names in the source. A name means something in a call and at a moment: `i` is another variable in
 * another call, and `p->next` is another cell after `p` was written.
 */
export type NameTable = {
  /** The value that a name has in a call after a step; null if it is not known. */
  valueOf(name: string, activation: number, upTo: number): NamedValue | null;
  /** The cell that a name stands for; null if it stands for none that was written. */
  cellOf(name: string, activation: number, upTo: number): number | null;
};

export function createNameTable(open: OpenRecording): NameTable {
  const { steps, values, cells, cellOwners, reads, places } = open.recording;
  let byName: ReadonlyMap<string, ReadonlyMap<number, readonly number[]>> | null = null;
  const parameters = new Map<number, readonly NamedValue[]>();

  const cellsOf = (name: string, owner: number): readonly number[] => {
    byName ??= groupCells(cells, cellOwners);
    return byName.get(name)?.get(owner) ?? [];
  };
  const argumentOf = (name: string, activation: number): NamedValue | null => {
    const given = remembered(parameters, activation, () => {
      const call = open.recording.activations.call[activation] ?? -1;
      return call < 0 ? [] : argumentsOf(open, call, activation);
    });
    return given.find((each) => each.name === name) ?? null;
  };
  const lastWrite = (cell: number, upTo: number): number => {
    const writes = open.writesOf(cell);
    return writes[lastAtMost(writes, upTo)] ?? -1;
  };

  /** Of an owner's cells with a name, the one that was written last. */
  const cellOf = (name: string, activation: number, owner: number, upTo: number): number | null => {
    let best: number | null = null;
    let bestWrite = -1;
    for (const cell of cellsOf(name, owner)) {
      const write = lastWrite(cell, upTo);
      if (write > bestWrite && isMeant(cell, name, activation, upTo)) {
        best = cell;
        bestWrite = write;
      }
    }
    return best;
  };

  /** A cell got its name where it was first written. The name means it as long as its base means the same object. */
  const isMeant = (cell: number, name: string, activation: number, upTo: number): boolean => {
    const base = baseOf(name);
    if (base === null) return true;
    const named = open.writesOf(cell)[0] ?? 0;
    const isOwn = steps.activation[named] === activation;
    const own = cellsOf(base, activation)[0];
    if (own !== undefined) return isOwn && lastWrite(own, upTo) <= named;
    if (isOwn) return true;
    const shared = cellsOf(base, noCall)[0];
    if (shared !== undefined) return lastWrite(shared, upTo) <= named;
    // An array of the file; the name of another function's pointer means nothing here.
    return /^\w+\[/.test(name) && argumentOf(base, activation) === null;
  };

  /** What the call itself read under this name last: the step that read it, and the read. */
  const lastRead = (name: string, activation: number, upTo: number): Read | null => {
    const base = baseOf(name);
    const own = open.executionsIn(activation);
    const near = lastStarted(open, own, upTo);
    for (let i = near; i >= 0 && i > near - mostExecutions; i--) {
      for (const step of open.stepsOf(own[i] ?? 0).toReversed()) {
        if (step > upTo) continue;
        for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
          if (places[steps.place[step] ?? 0]?.reads[reads.part[read] ?? -1]?.text !== name) continue;
          const baseCell = base === null ? null : cellOf(base, activation, activation, upTo);
          if (baseCell !== null && lastWrite(baseCell, upTo) > step) return null;
          const writer = reads.writer[read] ?? -1;
          return { step, read, writer, cell: cellRead(open, read, name) };
        }
      }
    }
    return null;
  };

  /** A value that was read stays until its cell is written again. */
  const readValue = (name: string, activation: number, upTo: number): NamedValue | null => {
    const found = lastRead(name, activation, upTo);
    if (found === null) return null;
    const { step, read, writer, cell } = found;
    const last = cell === 0 ? -1 : lastWrite(cell, upTo);
    // A statement such as i++ reads before it writes.
    if (last >= step) return known(name, values[open.writtenInto(cell, last)] ?? "", last);
    return known(name, values[reads.value[read] ?? 0] ?? "", writer < 0 ? step : writer);
  };

  const cellValue = (name: string, cell: number | null, upTo: number): NamedValue | null => {
    if (cell === null) return null;
    const last = lastWrite(cell, upTo);
    return known(name, values[open.writtenInto(cell, last)] ?? "", last);
  };

  return {
    cellOf(name, activation, upTo) {
      const own = cellOf(name, activation, activation, upTo);
      if (own !== null) return own;
      const read = lastRead(name, activation, upTo)?.cell ?? 0;
      return read > 0 ? read : cellOf(name, activation, noCall, upTo);
    },
    valueOf(name, activation, upTo) {
      return (
        cellValue(name, cellOf(name, activation, activation, upTo), upTo) ??
        readValue(name, activation, upTo) ??
        argumentOf(name, activation) ??
        cellValue(name, cellOf(name, activation, noCall, upTo), upTo)
      );
    },
  };
}

/** A step that read something, the read, the step that wrote it (-1 for none) and its cell (0 for none). */
type Read = { readonly step: number; readonly read: number; readonly writer: number; readonly cell: number };

/** The owner of cells that belong to no call. */
const noCall = -1;
const mostExecutions = 4_000;

function known(name: string, value: string, step: number): NamedValue | null {
  return value === "" ? null : { name, value, step };
}

/** The variable through which a name reaches its cell: `p` of `p->next`, `a[2]` and `*p`; null for a variable itself. */
function baseOf(name: string): string | null {
  const [, stars = "", base = "", rest = ""] = /^\(*(\**)\(*([\w$#]+)(.*)$/s.exec(name) ?? [];
  return base === "" || (stars === "" && rest === "") ? null : base;
}

function groupCells(cells: readonly string[], owners: Int32Array): ReadonlyMap<string, Map<number, number[]>> {
  const found = new Map<string, Map<number, number[]>>();
  for (let cell = 1; cell < cells.length; cell++) {
    const own = remembered(found, cells[cell] ?? "", () => new Map<number, number[]>());
    remembered(own, owners[cell] ?? noCall, () => []).push(cell);
  }
  return found;
}
