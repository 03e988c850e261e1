import { memoised, remembered } from "../base/memo.ts";
import { argumentsOf, cellRead, cellsOfCall, type MomentValue, type NamedValue, nameOfCell, noCall } from "./moment.ts";
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
  /** The variables of a call after a step: only names that mean something there, with what they mean. */
  variablesOf(activation: number, upTo: number): readonly MomentValue[];
};

export const nameTableOf = memoised(createNameTable);

/** The variables of the function's call at a step. */
export function variablesAt(open: OpenRecording, step: number): readonly MomentValue[] {
  return nameTableOf(open).variablesOf(open.recording.steps.activation[step] ?? 0, step);
}

function createNameTable(open: OpenRecording): NameTable {
  const { steps, values, reads, places } = open.recording;
  let byName: ReadonlyMap<string, ReadonlyMap<number, readonly number[]>> | null = null;
  const parameters = new Map<number, readonly NamedValue[]>();

  const cellsOf = (name: string, owner: number): readonly number[] => {
    byName ??= groupCells(open);
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
    // A part of a variable means the same as long as the variable does.
    if (open.recording.ownNames[cell] === name)
      return ownerOf(cell) === activation || (ownerOf(cell) === noCall && cellsOf(base, activation).length === 0);
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

  /** What the call itself read or wrote under this name last; null if the name means something else since then. */
  const lastUse = (name: string, activation: number, upTo: number): Use | null => {
    const own = open.executionsIn(activation);
    const isOld = (step: number) =>
      variablesIn(name).some((each) => {
        const cell = cellOf(each, activation, activation, upTo);
        return cell !== null && lastWrite(cell, upTo) > step;
      });
    const near = lastStarted(open, own, upTo);
    for (let i = near; i >= 0 && i > near - mostExecutions; i--) {
      for (const step of open.stepsOf(own[i] ?? 0).toReversed()) {
        if (step > upTo) continue;
        const { kind, name: written } = places[steps.place[step] ?? 0] ?? {};
        const cell = steps.cell[step] ?? 0;
        if (kind === "write" && written === name && cell > 0)
          return isOld(step) ? null : { step, read: -1, writer: step, cell };
        for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
          if (places[steps.place[step] ?? 0]?.reads[reads.part[read] ?? -1]?.text !== name) continue;
          if (isOld(step)) return null;
          const writer = reads.writer[read] ?? -1;
          return { step, read, writer, cell: cellRead(open, read, name) };
        }
      }
    }
    return null;
  };

  /** A value that was read or written stays until its cell is written again. */
  const readValue = (name: string, activation: number, upTo: number): NamedValue | null => {
    const found = lastUse(name, activation, upTo);
    if (found === null) return null;
    const { step, read, writer, cell } = found;
    const last = cell === 0 ? -1 : lastWrite(cell, upTo);
    // A statement such as i++ reads before it writes.
    if (last >= step) return known(name, values[open.writtenInto(cell, last)] ?? "", last);
    return known(name, values[reads.value[read] ?? 0] ?? "", writer < 0 ? step : writer);
  };

  const ownerOf = (cell: number): number => open.recording.cellOwners[cell] ?? noCall;

  const cellValue = (name: string, cell: number | null, upTo: number): NamedValue | null => {
    if (cell === null) return null;
    const last = lastWrite(cell, upTo);
    return known(name, values[open.writtenInto(cell, last)] ?? "", last);
  };

  const meaningOf = (variable: MomentValue, activation: number, upTo: number): readonly MomentValue[] => {
    const { name, cell } = variable;
    const isKnown = cell === undefined ? baseOf(name) === null : isMeant(cell, name, activation, upTo);
    if (isKnown) return [variable];
    const now = table.valueOf(name, activation, upTo);
    const { cell: _, ...rest } = variable;
    const other = table.cellOf(name, activation, upTo);
    return now === null ? [] : [{ ...rest, ...now, ...(other === null ? {} : { cell: other }) }];
  };

  const table: NameTable = {
    cellOf(name, activation, upTo) {
      const own = cellOf(name, activation, activation, upTo);
      if (own !== null) return own;
      const used = lastUse(name, activation, upTo)?.cell ?? 0;
      return used > 0 ? used : cellOf(name, activation, noCall, upTo);
    },
    valueOf(name, activation, upTo) {
      return (
        cellValue(name, cellOf(name, activation, activation, upTo), upTo) ??
        readValue(name, activation, upTo) ??
        argumentOf(name, activation) ??
        cellValue(name, cellOf(name, activation, noCall, upTo), upTo)
      );
    },
    variablesOf: (activation, upTo) =>
      cellsOfCall(open, activation, upTo).flatMap((each) => meaningOf(each, activation, upTo)),
  };
  return table;
}

/** A step that used something, its read (-1 if it wrote), the step that wrote it (-1 for none) and its cell (0 for none). */
type Use = { readonly step: number; readonly read: number; readonly writer: number; readonly cell: number };

const mostExecutions = 4_000;

function known(name: string, value: string, step: number): NamedValue | null {
  return value === "" ? null : { name, value, step };
}

/** The variable through which a name reaches its cell: `p` of `p->next`, `a[2]` and `*p`; null for a variable itself. */
function baseOf(name: string): string | null {
  const [, stars = "", base = "", rest = ""] = /^\(*(\**)\(*([\w$#]+)(.*)$/s.exec(name) ?? [];
  return base === "" || (stars === "" && rest === "") ? null : base;
}

/** The variables that say which cell a name is: `a` and `i` of `a[i]`; none of a variable itself. */
function variablesIn(name: string): readonly string[] {
  if (baseOf(name) === null) return [];
  return [...name.matchAll(/(->|\.)?\b([A-Za-z_$#][\w$#]*)/g)].flatMap(([, access, variable]) =>
    access === undefined && variable !== undefined ? [variable] : [],
  );
}

/** By name and call; a name that a cell has in the call of its owner alone is listed there, its other one for no call. */
function groupCells(open: OpenRecording): ReadonlyMap<string, Map<number, number[]>> {
  const { cells, cellOwners } = open.recording;
  const found = new Map<string, Map<number, number[]>>();
  const add = (name: string, owner: number, cell: number) => {
    const own = remembered(found, name, () => new Map<number, number[]>());
    remembered(own, owner, () => []).push(cell);
  };
  for (let cell = 1; cell < cells.length; cell++) {
    const owner = cellOwners[cell] ?? noCall;
    const [name = "", own] = [cells[cell], nameOfCell(open, cell, owner)];
    add(own, owner, cell);
    if (own !== name) add(name, noCall, cell);
  }
  return found;
}
