import { remembered } from "../../base/memo.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "../../symbolic/symbols.ts";
import type { Run, RunPoint } from "../run.ts";

/** Facts about memory in every run that comes to a point in the same way; they grow with the run. */
export type MemoryLife = {
  /** Does every cell of the object have a value here? */
  isInitialised(object: SymbolicObject, at: RunPoint): boolean;
  /** With what exactly those of its cells have a value that have one on the recorded run; null where that cannot be said. */
  settledIf(object: SymbolicObject): Term | null;
  /** Is it there, and made by a step of the run that is not folded? */
  isAlive(object: SymbolicObject): boolean;
  /** A step of the run made the block. */
  allocated(object: SymbolicObject): void;
  /** A step of the run wrote to the object: where it did on the recorded run, if the formula holds (null: it cannot be said). */
  wroteSomewhere(object: SymbolicObject, at: RunPoint, asRecorded: Term | null): void;
  /** A folded loop is entered that may write these places, or all memory; and may free blocks. */
  entered(fold: { readonly at: RunPoint; readonly written: ReadonlySet<Variable>; readonly anyMemory: boolean }): void;
  freesAnything(): void;
  /** May a folded loop have written the place, or freed blocks? */
  mayHaveWritten(place: Variable): boolean;
  mayHaveFreed(): boolean;
  /** The frames that are live. */
  inFrames(frames: ReadonlySet<number>): void;
};

export function memoryLife(symbols: Symbols, run: Run): MemoryLife {
  const uncertain = new Map<SymbolicObject, { readonly at: RunPoint; readonly conditions: Map<number, Term | null> }>();
  const made = new Set<SymbolicObject>();
  const folds: { at: RunPoint; written: ReadonlySet<Variable>; writes(object: SymbolicObject): boolean }[] = [];
  const full = new Map<string, boolean>();
  let frames: ReadonlySet<number> = new Set();
  let mayBeFreed = false;
  const isStatic = ({ origin }: SymbolicObject) => origin.kind === "variable" && origin.frame === staticFrame;
  const firstFold = (object: SymbolicObject) => folds.find(({ writes }) => writes(object));
  return {
    isInitialised(object, at) {
      if (isStatic(object) || object.origin.kind === "function") return true;
      if (object.origin.kind === "heap" && !made.has(object)) return false;
      // Up to there it was written by steps that write the same cells on all runs; what has a value keeps one.
      const point = [firstFold(object)?.at, uncertain.get(object)?.at, at]
        .filter((each) => each !== undefined)
        .reduce((first, each) => (each.step < first.step ? each : first));
      return remembered(full, `${object.id}@${point.step}`, () => isFull(symbols, run, object, point));
    },
    settledIf(object) {
      if (isStatic(object)) return symbols.terms.bool(true);
      const conditions = [...(uncertain.get(object)?.conditions.values() ?? [])];
      if (firstFold(object) !== undefined || conditions.includes(null)) return null;
      return symbols.terms.all(conditions as readonly Term[]);
    },
    isAlive(object) {
      const { origin } = object;
      if (isStatic(object)) return true;
      if (origin.kind === "heap") return made.has(object) && !mayBeFreed;
      return origin.kind === "variable" && frames.has(origin.frame);
    },
    allocated: (object) => made.add(object),
    wroteSomewhere(object, at, asRecorded) {
      const known = uncertain.get(object) ?? { at, conditions: new Map() };
      known.conditions.set(at.step, asRecorded);
      uncertain.set(object, known);
    },
    entered({ at, written, anyMemory }) {
      const writes = (object: SymbolicObject) =>
        (anyMemory && symbols.isReachable(object)) ||
        (object.regions ?? []).some((region) => written.has(symbols.region(object, region)));
      folds.push({ at, written, writes });
    },
    freesAnything() {
      mayBeFreed = true;
    },
    mayHaveWritten: (place) => folds.some(({ written }) => written.has(place)),
    mayHaveFreed: () => mayBeFreed,
    inFrames(live) {
      frames = live;
    },
  };
}

/** Whether all cells of the object have a value at a point of the recorded run. */
function isFull(symbols: Symbols, run: Run, object: SymbolicObject, at: RunPoint): boolean {
  const { regions, size } = object;
  if (regions === null || size === null) return false;
  const places: Term[] = regions.map((region) => symbols.region(object, region));
  const answer = run.valuesAt(symbols, at, (assignment) =>
    regions.every((region, i) => {
      const value = assignment(places[i] as Variable);
      if (region.count === 1) return value !== undefined;
      const count = region.count ?? Math.floor((size - region.offset) / region.stride);
      return typeof value === "object" && value.entries.size === count;
    }),
  );
  return answer ?? false;
}
