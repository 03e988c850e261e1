import { objectIdOf } from "../../interpreter/memory/pointer.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { type EntryExpr, loopVariable } from "../expr.ts";
import { type CPlace, type CValue, isRegister } from "./value.ts";

export type ConcolicCell = { readonly place: CPlace; value: CValue; written: boolean; writtenAt: number };

/** Bytes that were written in a way that terms do not say. */
export type Disturbed = { readonly pointer: number; readonly size: number; readonly term: EntryExpr };

/** The memory of one call: scalars by address, so aliases are seen; what the call itself made is fresh. */
export type Cells = {
  /** `raw` is what the run read; a first read is a place of the state at entry. */
  read(place: CPlace, raw: ScalarValue | undefined): CValue;
  write(place: CPlace, value: CValue): void;
  disturb(disturbed: Disturbed): void;
  /** The object of this address was made by the call. */
  markFresh(pointer: number): void;
  isFresh(at: number): boolean;
  /** Cells that were written since become loop variables: a new round begins (§4.3). */
  startRound(since: number): void;
  readonly writeCount: number;
  /** Something that others can see was written. */
  hasWritten(): boolean;
  /** The same of what pointers reach. */
  hasWrittenMemory(): boolean;
  cells(): Iterable<ConcolicCell>;
  readonly disturbed: readonly Disturbed[];
};

/** The largest scalar. */
const widest = 16;

/** `enter` is called for each place of the entry state that is read. */
export function createCells(
  enter: (place: CPlace, raw: ScalarValue | undefined) => void,
  opaque: (text: string) => EntryExpr,
): Cells {
  const cells = new Map<number, ConcolicCell>();
  const fresh = new Set<number>();
  const disturbed: Disturbed[] = [];
  let writeCount = 0;
  let visibleWrites = 0;
  let memoryWrites = 0;

  const isFresh = (at: number): boolean => !isRegister(at) && fresh.has(objectIdOf(at));

  function overlapping(at: number, size: number): readonly ConcolicCell[] {
    if (isRegister(at)) return [];
    const found: ConcolicCell[] = [];
    for (let start = at - widest + 1; start < at + size; start++) {
      const cell = cells.get(start);
      if (cell !== undefined && start + cell.place.size > at) found.push(cell);
    }
    return found;
  }

  function firstTerm(place: CPlace, raw: ScalarValue | undefined): EntryExpr {
    const { at, size, term } = place;
    const isDisturbed = disturbed.some((one) => one.pointer < at + size && at < one.pointer + one.size);
    if (isFresh(at) || isDisturbed) return opaque("memory");
    enter(place, raw);
    return term;
  }

  function put(place: CPlace, value: CValue, written: boolean): void {
    cells.set(place.at, { place, value, written, writtenAt: written ? writeCount : 0 });
  }

  return {
    read(place, raw) {
      const known = cells.get(place.at);
      if (known !== undefined && known.place.size === place.size) {
        if (raw === undefined || known.value.raw === raw) return known.value;
        known.value = { raw, term: opaque("memory"), scale: null };
        return known.value;
      }
      if (overlapping(place.at, place.size).length > 0) return { raw, term: opaque("bytes"), scale: null };
      const value: CValue = { raw, term: firstTerm(place, raw), scale: null };
      put(place, value, false);
      return value;
    },
    write(place, value) {
      writeCount++;
      if (!isFresh(place.at)) visibleWrites++;
      if (!isRegister(place.at)) memoryWrites++;
      const known = cells.get(place.at);
      for (const cell of overlapping(place.at, place.size)) if (cell !== known) cells.delete(cell.place.at);
      // A cell keeps the name by which it was first reached.
      put(known !== undefined && known.place.size === place.size ? known.place : place, value, true);
    },
    disturb(one) {
      writeCount++;
      memoryWrites++;
      disturbed.push(one);
      if (!isFresh(one.pointer)) visibleWrites++;
      for (const [at, cell] of cells)
        if (!isRegister(at) && one.pointer < at + cell.place.size && at < one.pointer + one.size) cells.delete(at);
    },
    markFresh: (pointer) => void fresh.add(objectIdOf(pointer)),
    isFresh,
    startRound(since) {
      for (const cell of cells.values())
        if (cell.writtenAt > since && !isFresh(cell.place.at))
          cell.value = { ...cell.value, term: loopVariable(nameOf(cell.place.term)) };
    },
    get writeCount() {
      return writeCount;
    },
    hasWritten: () => visibleWrites > 0,
    hasWrittenMemory: () => memoryWrites > 0,
    cells: () => cells.values(),
    disturbed,
  };
}

function nameOf(term: EntryExpr): string {
  if (term.kind === "free" || term.kind === "field") return term.name;
  return term.kind === "element" ? nameOf(term.base) : term.key.replace(/\W+/g, "_");
}
