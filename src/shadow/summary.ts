import type { Concrete } from "../recorder/language.ts";
import type { ObjectState } from "../recorder/readCalls.ts";
import type { Recorded, RecordedObject } from "../recorder/recorded.ts";
import type { Expr } from "./expr.ts";
import { isPartOfResult } from "./structResult.ts";
import type { Declared } from "./subject.ts";

export type Condition = {
  /** True on this path. */
  readonly expr: Expr;
  /** What tells conditions of one place of the program from those of others. */
  readonly point: object;
  /**
   * `branch`: the program decided it. `bounds`: an index was inside of its array, or not. `native`: a function of the
   * library throws otherwise.
   */
  readonly kind: "branch" | "bounds" | "native";
  /** Going the other way is an error of the program, whatever comes later. */
  readonly needed?: true;
};

/** A place whose value at the end is not the one at entry. */
export type Write = {
  readonly place: Expr;
  readonly value: Expr;
  readonly object: RecordedObject | null;
  readonly name: string;
  readonly concrete: Concrete;
};

/** A term and the value that it had at entry; `type` where the source declares one. */
export type EntryValue = { readonly term: Expr; readonly value: Recorded; readonly type?: Declared };

export type SummaryOutcome =
  | { readonly kind: "return"; readonly result: Expr; readonly concrete: Concrete }
  | { readonly kind: "throw"; readonly error: string; readonly concrete: Recorded };

/** One call: the quadruple of paper 002 §4.2.2, (method, path condition, result, final state), with the values behind it. */
export type Summary = {
  readonly conditions: readonly Condition[];
  readonly outcome: SummaryOutcome;
  readonly writes: readonly Write[];
  /** Cells of objects that the call made, for callers. */
  readonly freshCells: readonly Write[];
  readonly freshObjects: ReadonlyMap<RecordedObject, Expr>;
  /** Values of terms at entry, by key: what was given and what was read. */
  readonly entry: ReadonlyMap<string, EntryValue>;
  /** Functions whose effects are not spelled out here: `heap.insert(value)`. */
  readonly delegated: readonly string[];
  /** Values that loop variables had, by name, a few of each. */
  readonly rounds: ReadonlyMap<string, readonly Concrete[]>;
  readonly state: ObjectState | null;
  readonly checks: Checks;
};

/** How terms compared with values (§3.2, commutativity). */
export type Checks = { agreed: number; disagreed: number; open: number };

/** No write but to objects that the call made. */
export function isPure(summary: Summary): boolean {
  return summary.delegated.length === 0 && summary.writes.every(({ place }) => isPartOfResult(place));
}
