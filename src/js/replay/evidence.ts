import type { Recorded, RecordedObject } from "../recorder/readLog.ts";
import type { Binding } from "../recorder/scopes.ts";
import type { Node } from "../recorder/syntax.ts";
import { type Concrete, unknownValue } from "../recorder/valueRules.ts";
import { type Tag, tagOf } from "./encoding.ts";
import type { RecordedFunction } from "./recordedFile.ts";

/** How a place in the source that calls something is followed. */
export type CallPlan =
  /** One function of the project at a time: a call, `new`, a getter. */
  | { readonly kind: "call"; readonly functions: Set<RecordedFunction> }
  /** `items.map(f)` and the like: `f` once for each element. */
  | { readonly kind: "each"; readonly function: RecordedFunction | null };

/** An object that the program model makes. */
export type RecordedAllocation = {
  readonly maker: Node;
  /** null until the object was seen. */
  object: RecordedObject | null;
  /** Objects that literals in initialisers put there, which the log shows only when they are read. */
  readonly parts: Map<string | number, RecordedAllocation>;
  /** The keys that a Map or Set ever had. */
  readonly keys: Set<Concrete>;
};

/** The result of a replay: every value of every expression, in order. */
export type ReplayEvidence = {
  readonly values: Map<Node, Concrete[]>;
  /** Whether each evaluation ended in an exception; only for expressions of which one did. */
  readonly throws: Map<Node, boolean[]>;
  readonly plans: Map<Node, CallPlan>;
  /** Which function each followed call of a place with several was. */
  readonly callees: Map<Node, RecordedFunction[]>;
  readonly results: Map<RecordedFunction, Concrete[]>;
  readonly ran: Set<RecordedFunction>;
  /** Functions that ended in an exception which one of their callers saw. */
  readonly threw: Set<RecordedFunction>;
  /** Objects whose making is followed, in the order in which the program model makes them too. */
  readonly allocations: RecordedAllocation[];
  readonly made: Map<RecordedObject, RecordedAllocation>;
  /** Values of file variables at the start of the test, if a literal gives them. */
  readonly globals: Map<Binding, RecordedAllocation>;
  /** Objects that something changed which nobody follows. */
  readonly tainted: Set<RecordedObject>;
  /** Keys of Maps and Sets. */
  readonly keys: Set<Concrete>;
  /** Maps and Sets that entries were deleted from: in which order the others come only the log knows. */
  readonly shrunk: Set<RecordedObject>;
  /** Objects that a place reads from or writes to. */
  readonly receivers: Map<Node, Set<Recorded>>;
  readonly assigned: Map<Binding, Set<Tag>>;
  /** By loop or call: the values that it went through, where `null` ends each time. */
  readonly rounds: Map<Node, ({ readonly value: Concrete } | null)[]>;
  /** Longest arrays, and numbers of objects, for the sizes of the model's tables. */
  longestArray: number;
  failure: FailurePoint | null;
  /** Calls that could not be followed to their end, with the place. */
  readonly lost: Set<RecordedFunction>;
};

/** The place that threw the exception that failed the test. */
export type FailurePoint = {
  readonly node: Node;
  readonly function: RecordedFunction;
  readonly error: Recorded;
};

export function newEvidence(): ReplayEvidence {
  return {
    values: new Map(),
    throws: new Map(),
    plans: new Map(),
    callees: new Map(),
    results: new Map(),
    ran: new Set(),
    threw: new Set(),
    allocations: [],
    made: new Map(),
    globals: new Map(),
    tainted: new Set(),
    keys: new Set(),
    shrunk: new Set(),
    receivers: new Map(),
    assigned: new Map(),
    rounds: new Map(),
    longestArray: 0,
    failure: null,
    lost: new Set(),
  };
}

export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

export function tagsOf(values: readonly Concrete[] | undefined): ReadonlySet<Tag> {
  const tags = new Set<Tag>();
  for (const value of values ?? []) if (value !== unknownValue) tags.add(tagOf(value));
  return tags;
}
