import type { Term } from "../logic/term.ts";
import type { Approximation } from "../symbolic/bodySurroundings.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";
import { pointerHints } from "./pointerHints.ts";
import type { Run, RunPoint } from "./run.ts";

/** What is known and what is said while the program is encoded. */
export type Encoding = {
  /** Objects that an address over places points into; see `Scope.pointsTo`. */
  pointsTo(address: Term): readonly SymbolicObject[];
  note(approximation: Approximation): void;
  /** Throws once nobody wants the encoding any more. */
  wanted?(): void;
};

/** Encodes something, and tells what of it is not exact. */
export type Encoder = <Result>(work: (encoding: Encoding) => Result) => {
  readonly result: Result;
  readonly notes: readonly Approximation[];
};

/**
 * Encodes code that begins at a point of the run, again and again until what the pointers point to that it asks about is
 * known; only the last time counts for what is noted. At the start of the program (null) pointers are not looked up: all
 * that they point to is known from how they were made.
 */
export function encodeAt(symbols: Symbols, run: Run, point: RunPoint | null): Encoder {
  const hints = point === null ? null : pointerHints(symbols, run, point);
  return (work) => {
    const once = (pointsTo: Encoding["pointsTo"]) => {
      const notes: Approximation[] = [];
      return { result: work({ pointsTo, note: (approximation) => notes.push(approximation) }), notes };
    };
    return hints === null ? once(() => []) : hints.until(once);
  };
}
