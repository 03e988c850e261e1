import { remembered } from "../../base/memo.ts";
import { isObject, type LoggedCall, type Recorded, type RecordedObject } from "../../js/recorder/readLog.ts";
import type { Binding } from "../../js/recorder/scopes.ts";
import type { FunctionSites, SiteTable } from "../../js/recorder/site.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { type Concrete, isPrimitive, unknownValue } from "../../js/recorder/valueRules.ts";
import { type EntryExpr, free, opaque, type ShadowValue, someExpr } from "../expr.ts";
import type { Checks, Condition, Definition, Summary } from "../summary.ts";
import type { Conditions } from "./conditions.ts";
import type { CallItem, Cursor } from "./cursor.ts";
import type { Heap } from "./heap.ts";

/** A function of the recording. */
export type ReplayedFunction = {
  readonly file: number;
  readonly path: string;
  readonly text: string;
  readonly table: SiteTable;
  readonly sites: FunctionSites;
};

/** The results of earlier replays: calls come in the order in which they end. */
export type World = {
  /** Null: the function is not known. */
  functionOf(item: CallItem): ReplayedFunction | null;
  /** Null: the call was given up or left out. */
  summaryOf(item: CallItem): Summary | null;
  /** How many paths of the function were recorded. */
  pathsOf(fn: ReplayedFunction): number;
};

/** The state of one replay. */
export type CallFrame = {
  readonly world: World;
  readonly call: LoggedCall;
  readonly fn: ReplayedFunction;
  readonly table: SiteTable;
  readonly cursor: Cursor;
  readonly heap: Heap;
  readonly locals: Map<Binding, ShadowValue>;
  readonly free: Map<string, ShadowValue>;
  readonly freeWritten: Set<string>;
  readonly entry: Map<string, { readonly term: EntryExpr; readonly value: Recorded }>;
  /** The first term of each object that the entry state has. */
  readonly entryObjects: Map<RecordedObject, EntryExpr>;
  readonly definitions: Map<string, Definition>;
  readonly delegated: Set<string>;
  readonly rounds: Map<string, Concrete[]>;
  readonly checks: Checks;
  /** Branches whose recomputed truth is not the logged one. */
  readonly wrongDecisions: { count: number };
  readonly conditions: Conditions;
  receiver: ShadowValue;
  /** An `await` lies behind the call. */
  hasWaited: boolean;
  opaques: number;
  fresh: number;
};

export function freshOpaque(frame: CallFrame, text: string): EntryExpr {
  return opaque(frame.opaques++, text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** Terms longer than this are read by nobody, and grow without bounds where strings are put together. */
export const longestTerm = 1000;

export function bounded(frame: CallFrame, value: ShadowValue, text: () => string): ShadowValue {
  if (value.term.key.length <= longestTerm) return value;
  return { concrete: value.concrete, term: freshOpaque(frame, text()) };
}

const sources = new WeakMap<Node, string>();

export function sourceOf(frame: CallFrame, node: Node): string {
  return remembered(sources, node, () => frame.fn.text.slice(node.start, node.end).replace(/\s+/g, " "));
}

export function addCondition(frame: CallFrame, expr: EntryExpr, point: object, kind: Condition["kind"]): void {
  if (expr.kind !== "const") frame.conditions.add({ expr, point, kind });
}

export function rememberEntry(frame: CallFrame, term: EntryExpr, value: Recorded): void {
  // A place that is reached by a loop variable is another one in each round.
  if (frame.entry.has(term.key) || someExpr(term, (one) => one.kind === "loop")) return;
  frame.entry.set(term.key, { term, value });
  if (isObject(value) && !frame.entryObjects.has(value)) frame.entryObjects.set(value, term);
}

export function rememberRound(frame: CallFrame, name: string, value: Concrete): void {
  const known = frame.rounds.get(name) ?? [];
  if (known.length < 8) frame.rounds.set(name, [...known, value]);
}

/** A variable from outside of the function, with its logged value where there is one. */
export function readFree(frame: CallFrame, name: string, logged: Concrete): ShadowValue {
  const known = frame.free.get(name);
  if (known === undefined) {
    const mayBeNew = frame.hasWaited && isPrimitive(logged);
    const value: ShadowValue = { concrete: logged, term: mayBeNew ? freshOpaque(frame, name) : free(name) };
    if (logged !== unknownValue && !mayBeNew) rememberEntry(frame, value.term, logged);
    frame.free.set(name, value);
    return value;
  }
  if (logged === unknownValue || known.concrete === logged) return known;
  const term = known.concrete === unknownValue ? known.term : freshOpaque(frame, name);
  const value: ShadowValue = { concrete: logged, term };
  frame.free.set(name, value);
  return value;
}

export function writeFree(frame: CallFrame, name: string, value: ShadowValue): void {
  frame.free.set(name, value);
  frame.freeWritten.add(name);
}
