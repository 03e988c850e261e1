import { remembered } from "../../base/memo.ts";
import { isObject, type Recorded, type RecordedObject } from "../../js/recorder/readLog.ts";
import { type Concrete, isPrimitive, sameValue, unknownValue } from "../../js/recorder/valueRules.ts";
import { constant, type EntryExpr, element, loopVariable, opaque, type ShadowValue } from "../expr.ts";
import type { Write } from "../summary.ts";

type Cell = { value: ShadowValue; readonly place: EntryExpr; written: boolean };
type Cells = Map<string, Cell>;

const isChanged = ({ written, value, place }: Cell): boolean => written && value.term.key !== place.key;

/** A cell's name within its object: a property, or `[3]` for an element. */
export const elementName = (index: number): string => `[${index}]`;

/**
 * The heap of one call: objects by identity, so aliases are seen; each cell knows by which place it was first reached.
 * Objects that the call made are fresh: nobody else sees what is written to them.
 */
export type Heap = {
  /** The value of a cell as logged; a first read is a place of the state at entry. */
  read(base: ShadowValue, name: string, place: EntryExpr, logged: Concrete): ShadowValue;
  /** The known value if none is logged. */
  peek(object: Concrete, name: string): ShadowValue | null;
  write(base: ShadowValue, name: string, place: EntryExpr, value: ShadowValue): void;
  /** All elements changed in ways that terms do not say. */
  scramble(base: ShadowValue, text: string): void;
  /** Others may have written since: cells that are read for the first time from now on are no places of the entry state. */
  wait(): void;
  markFresh(object: RecordedObject, term: EntryExpr): void;
  isFresh(object: Concrete): boolean;
  freshObjects(): ReadonlyMap<RecordedObject, EntryExpr>;
  /** Written cells become loop variables: a new round begins (§4.3). */
  startRound(before: number): void;
  readonly writeCount: number;
  hasWritten(): boolean;
  writes(): readonly Write[];
  freshCells(): readonly Write[];
};

/** `enter` is called for each place of the entry state that is read. */
export function createHeap(enter: (term: EntryExpr, value: Recorded) => void, nextOpaque: () => number): Heap {
  const objects = new Map<RecordedObject, Cells>();
  const fresh = new Map<RecordedObject, EntryExpr>();
  const scrambled = new Set<RecordedObject>();
  let writeCount = 0;
  let hasWaited = false;
  const written = new Map<Cell, { at: number; readonly name: string }>();
  /** Cells that are not what they were, perhaps; of objects that are not fresh. */
  const touched = new Set<Cell>();

  function cellsOf(object: RecordedObject): Cells {
    return remembered(objects, object, () => new Map());
  }

  function firstTerm(object: RecordedObject, name: string, place: EntryExpr, logged: Concrete): EntryExpr {
    if (fresh.has(object)) return logged === undefined ? constant(undefined) : opaque(nextOpaque(), name);
    if (hasWaited) return opaque(nextOpaque(), name);
    if (name.startsWith("[") && scrambled.has(object)) return opaque(nextOpaque(), "an element");
    if (logged !== unknownValue) enter(place, logged);
    return place;
  }

  function changedCells(wanted: (object: RecordedObject) => boolean): Write[] {
    const found: Write[] = [];
    for (const [object, cells] of objects) {
      if (!wanted(object)) continue;
      for (const [name, cell] of cells)
        if (isChanged(cell))
          found.push({ place: cell.place, value: cell.value.term, object, name, concrete: cell.value.concrete });
    }
    return found;
  }

  return {
    read(base, name, place, logged) {
      // An object that is not known by identity: its places are those of the entry state until anything is written.
      if (base.concrete === unknownValue)
        return { concrete: logged, term: writeCount === 0 && !hasWaited ? place : opaque(nextOpaque(), name) };
      if (!isObject(base.concrete as Recorded)) {
        const text = isPrimitive(base.concrete) && base.concrete !== undefined && base.concrete !== null;
        if (text && logged !== unknownValue) enter(place, logged);
        return { concrete: logged, term: text ? place : opaque(nextOpaque(), name) };
      }
      const object = base.concrete as RecordedObject;
      const cells = cellsOf(object);
      const known = cells.get(name);
      if (known !== undefined) {
        const { concrete, term } = known.value;
        if (logged === unknownValue) return known.value;
        if (concrete === unknownValue || sameValue(concrete, logged)) {
          known.value = { concrete: logged, term };
          return known.value;
        }
        // Somebody else wrote it: code that is not recorded.
        known.value = { concrete: logged, term: opaque(nextOpaque(), name) };
        known.written = true;
        if (!fresh.has(object)) touched.add(known);
        return known.value;
      }
      const value: ShadowValue = { concrete: logged, term: firstTerm(object, name, place, logged) };
      cells.set(name, { value, place, written: false });
      return value;
    },
    peek(object, name) {
      return isObject(object as Recorded) ? (objects.get(object as RecordedObject)?.get(name)?.value ?? null) : null;
    },
    write(base, name, place, value) {
      writeCount++;
      if (!isObject(base.concrete as Recorded)) return;
      const cells = cellsOf(base.concrete as RecordedObject);
      const cell = cells.get(name) ?? { value, place, written: true };
      cell.value = value;
      cell.written = true;
      cells.set(name, cell);
      const known = written.get(cell);
      // Rounds of loops ask about all of these.
      if (fresh.has(base.concrete as RecordedObject)) return;
      touched.add(cell);
      if (known === undefined) written.set(cell, { at: writeCount, name });
      else known.at = writeCount;
    },
    scramble(base, text) {
      writeCount++;
      if (!isObject(base.concrete as Recorded)) return;
      const object = base.concrete as RecordedObject;
      const cells = cellsOf(object);
      for (const [name, cell] of cells) {
        if (!name.startsWith("[")) continue;
        cells.delete(name);
        touched.delete(cell);
      }
      scrambled.add(object);
      const value = { concrete: unknownValue, term: opaque(nextOpaque(), text) } as const;
      const every = element(base.term, constant("*"));
      const cell = { value, place: every, written: true };
      cells.set("[*]", cell);
      if (!fresh.has(object)) touched.add(cell);
    },
    wait() {
      hasWaited = true;
    },
    markFresh(object, term) {
      fresh.set(object, term);
      for (const cell of objects.get(object)?.values() ?? []) touched.delete(cell);
      objects.set(object, new Map());
    },
    isFresh: (object) => isObject(object as Recorded) && fresh.has(object as RecordedObject),
    freshObjects: () => fresh,
    startRound(before) {
      for (const [cell, { at, name }] of written)
        if (at > before) cell.value = { concrete: cell.value.concrete, term: loopVariable(name.replace(/\W/g, "_")) };
    },
    get writeCount() {
      return writeCount;
    },
    hasWritten() {
      for (const cell of touched) if (isChanged(cell)) return true;
      return false;
    },
    writes: () => changedCells((object) => !fresh.has(object)),
    freshCells: () => changedCells((object) => fresh.has(object)),
  };
}
