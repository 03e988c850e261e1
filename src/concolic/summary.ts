import type { LanguageName } from "../ir/language.ts";
import type { ObjectState, Recorded, RecordedObject } from "../js/recorder/readLog.ts";
import type { FunctionKind } from "../js/recorder/site.ts";
import type { Concrete } from "../js/recorder/valueRules.ts";
import type { EntryExpr } from "./expr.ts";

export type Condition = {
  /** True on this path. */
  readonly expr: EntryExpr;
  /** Identifies the program point of a condition. */
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
  readonly place: EntryExpr;
  readonly value: EntryExpr;
  readonly object: RecordedObject | null;
  readonly name: string;
  readonly concrete: Concrete;
};

/** A term and the value that it had at entry; `type` where the source declares one. */
export type EntryValue = { readonly term: EntryExpr; readonly value: Recorded; readonly type?: Declared };

export type SummaryOutcome =
  | { readonly kind: "return"; readonly result: EntryExpr; readonly concrete: Concrete }
  | { readonly kind: "throw"; readonly error: string; readonly concrete: Recorded };

/** One call: the quadruple of paper 002 §4.2.2, (method, path condition, result, final state), with the values behind it. */
export type Summary = {
  readonly conditions: readonly Condition[];
  readonly outcome: SummaryOutcome;
  readonly writes: readonly Write[];
  /** Cells of objects that the call made, for callers. */
  readonly freshCells: readonly Write[];
  readonly freshObjects: ReadonlyMap<RecordedObject, EntryExpr>;
  /** Values of terms at entry, by key: what was given and what was read. */
  readonly entry: ReadonlyMap<string, EntryValue>;
  /** Functions whose effects are not spelled out here: `heap.insert(value)`. */
  readonly delegated: readonly string[];
  /** Values that loop variables had, by name, a few of each. */
  readonly rounds: ReadonlyMap<string, readonly Concrete[]>;
  readonly state: ObjectState | null;
  readonly checks: Checks;
};

/** Counts of terms compared with values (§3.2, commutativity). */
export type Checks = { agreed: number; disagreed: number; open: number };

/** No write but to objects that the call made. */
export function isPure(summary: Summary): boolean {
  return summary.delegated.length === 0 && summary.writes.every(({ place }) => isPartOfResult(place));
}

/** A function that calls were followed of, as its contract names it; whatever language it is in. */
export type Subject = {
  readonly language: LanguageName;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** Its first line. */
  readonly offset: number;
  readonly kind: FunctionKind;
  readonly className: string | null;
  readonly static: boolean;
  /** Its result is the value of the promise, and an exception a rejection. */
  readonly async: boolean;
  /** The name by which other files can call it, or its class; null if they cannot. */
  readonly exported: string | null;
  readonly params: readonly string[];
  /** True if each parameter is one name: no pattern, no rest. */
  readonly isPositional: boolean;
  /** Types that the source declares, by key of the term; for the others what was seen counts. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** Why its calls are not followed; null: they are. */
  readonly leftOut: string | null;
  /** Whether the other way at this point does nothing but throw. */
  otherWayThrows(point: object): boolean;
};

/** A type of the source: how values of it are reasoned about, and its name. */
export type Declared = { readonly kind: "int" | "number" | "ref"; readonly name: string };

/** The definition of a pure call that was kept as one: `isEmpty()` is `top === -1`. */
export type Definition = { readonly term: EntryExpr; readonly definition: EntryExpr };

/** All that was seen of one function. */
export type FunctionRecord = {
  readonly subject: Subject;
  readonly summaries: Summary[];
  readonly definitions: Map<string, Definition>;
  /** All calls, those that were not kept included. */
  calls: number;
  /** Tests, or runs, that led to it. */
  readonly tests: Set<string>;
  lost: number;
};

/** A struct that a function of C returns: parts of it are written, by nobody but the call. No parameter has this key. */
export const structResult: EntryExpr = { kind: "param", key: "=result", name: "result" };

export function isPartOfResult(place: EntryExpr): boolean {
  let root = place;
  while (root.kind === "field" || root.kind === "element") root = root.base;
  return root.key === structResult.key;
}
