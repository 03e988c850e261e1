import { types } from "node:util";
import { mutators } from "./mutators.ts";
import { isObject, type ObjectRecord, peek } from "./objects.ts";
import type { TraceRuntime } from "./runtime.ts";
import { runtimeName } from "./runtimeName.ts";
import type { TraceFrame } from "./statementRuntime.ts";
import type { EventId, Parents } from "./store.ts";

/** A call of a followed function. */
export type CallRecord = {
  readonly values: readonly unknown[];
  readonly events: readonly EventId[];
  readonly event: EventId;
  /** The activation that took the arguments. */
  frame: TraceFrame | null;
};

/** A running call of a function that is not followed: native code, or a library. */
export type ForeignCall = {
  readonly site: number;
  readonly callee: object;
  readonly event: EventId;
  readonly self: unknown;
  readonly selfEvent: EventId;
  readonly key: PropertyKey;
  readonly values: readonly unknown[];
  readonly events: readonly EventId[];
  readonly control: EventId;
  /** The results of its callbacks, in order. */
  readonly results: EventId[];
  /** The rounds whose callback returned something true. */
  readonly kept: number[];
  rounds: number;
};

export type ForeignRequest = Omit<ForeignCall, "control" | "results" | "kept" | "rounds" | "values" | "events"> & {
  readonly values: unknown[];
  readonly events: EventId[];
  readonly isNew: boolean;
};

type FunctionKind = "own" | "native" | "other";

const kinds = new WeakMap<object, FunctionKind>();
const sourceOf = Function.prototype.toString;

/** Followed functions contain calls of the runtime. */
export function kindOfFunction(callee: object): FunctionKind {
  let kind = kinds.get(callee);
  if (kind === undefined) {
    kind = readKind(callee);
    kinds.set(callee, kind);
  }
  return kind;
}

function readKind(callee: object): FunctionKind {
  const text = sourceOf.call(callee);
  if (text.includes(`${runtimeName}.`)) return "own";
  return /\{\s*\[native code\]\s*\}\s*$/.test(text) ? "native" : "other";
}

export function promiseOf(value: unknown): Promise<unknown> | null {
  return types.isPromise(value) ? value : null;
}

/** True for a native function of any realm. */
function isNative(callee: object, name: string): boolean {
  return kindOfFunction(callee) === "native" && peek(callee, "name") === name;
}

const resolvers = new WeakMap<object, { promise: object | null }>();

/** Calls native code or a library: its result depends on everything that it was given, and on its callbacks. */
export function foreignCall(to: TraceRuntime, request: ForeignRequest): unknown {
  const direct = callThrough(to, request);
  if (direct !== null) return direct.value;
  const { site, callee, self, key, events, isNew } = request;
  const foreign: ForeignCall = { ...request, control: to.control, results: [], kept: [], rounds: 0 };
  const lengthBefore = Array.isArray(self) ? self.length : 0;
  const elementBefore = Array.isArray(self) ? takenElement(to, self, key) : 0;
  const values = withCallbacks(to, foreign, request);
  to.yielded = 0;
  const assertion = to.assertions.matcher(site, isObject(self) ? self : callee, key, request.values, events);
  const thrownBefore = to.lastThrow;
  let value: unknown;
  try {
    value = to.inForeign(foreign, () =>
      isNew ? Reflect.construct(callee as never, values) : Reflect.apply(callee as never, self, values),
    );
  } catch (error) {
    const id = to.event(site, error, parentsOf(to, foreign));
    to.noteThrow(error, id, assertion, to.lastThrow === thrownBefore ? null : to.lastThrow, foreign.results);
    throw error;
  }
  const id = to.event(site, value, parentsOf(to, foreign, elementBefore));
  to.yielded = 0;
  to.assertions.note(to, request, value, id);
  contentsAfter(to, foreign, value, id, lengthBefore);
  to.r = id;
  return value;
}

/** `f.call(…)`, `f.apply(…)` and `Reflect.apply(…)` call the function itself. */
function callThrough(to: TraceRuntime, request: ForeignRequest): { readonly value: unknown } | null {
  const { site, callee, self, values, events, selfEvent, event } = request;
  if (typeof self === "function" && isNative(callee, "call")) {
    const [that, ...rest] = values;
    const value = to.invoke(
      site,
      self,
      selfEvent || event,
      that,
      events[0] ?? 0,
      self.name,
      rest,
      events.slice(1),
      false,
    );
    return { value };
  }
  const isApply = typeof self === "function" && isNative(callee, "apply");
  const isReflect = !isApply && typeof values[0] === "function" && values.length === 3 && isNative(callee, "apply");
  if (!isApply && !isReflect) return null;
  const [target, from] = isApply ? [self, 0] : [values[0], 1];
  const list = values[from + 1];
  if (!Array.isArray(list) && list !== undefined && list !== null) return null;
  const given: unknown[] = list == null ? [] : [...(list as unknown[])];
  const sources = given.map((_, i) => to.objects.written(list, i) || (events[from + 1] ?? 0));
  const that = values[from];
  return { value: to.invoke(site, target, event, that, events[from] ?? 0, "apply", given, sources, false) };
}

function parentsOf(to: TraceRuntime, foreign: ForeignCall, element: EventId = 0): Parents {
  const { self, selfEvent, values, events, results, callee, event } = foreign;
  const parents = new Set<EventId>([element, selfEvent, event, ...events, ...results.slice(-mostResults), to.yielded]);
  if (element === 0) for (const each of to.objects.states(self)) parents.add(each);
  for (const value of values) for (const each of to.objects.states(value)) parents.add(each);
  if (kindOfFunction(callee) === "other") for (const each of to.objects.states(callee)) parents.add(each);
  parents.delete(0);
  return [...parents];
}

const mostResults = 500;

/** The event of the element that `pop`, `shift`, `at` or a map's `get` gives back. */
function takenElement(to: TraceRuntime, self: readonly unknown[], key: PropertyKey): EventId {
  if (key === "pop") return to.objects.written(self, self.length - 1);
  return key === "shift" ? to.objects.written(self, 0) : 0;
}

/** Callbacks of promises run later: they carry the event of what they wait for. */
function withCallbacks(
  to: TraceRuntime,
  foreign: ForeignCall,
  { self, key, values, callee, isNew }: ForeignRequest,
): unknown[] {
  if (isNew && isNative(callee, "Promise") && typeof values[0] === "function") {
    const executor = values[0] as (resolve: unknown, reject: unknown) => void;
    const link = { promise: null };
    return [
      (resolve: object, reject: object) => {
        resolvers.set(resolve, link);
        resolvers.set(reject, link);
        links.set(foreign, link);
        executor(resolve, reject);
      },
    ];
  }
  if (promiseOf(self) === null || typeof key !== "string" || !/^(then|catch|finally)$/.test(key)) return values;
  return values.map((each) => {
    if (typeof each !== "function") return each;
    return (...given: unknown[]) => {
      const states = to.objects.states(self);
      const later: ForeignCall = {
        ...foreign,
        selfEvent: states[0] ?? foreign.selfEvent,
        results: [],
        kept: [],
        rounds: 0,
      };
      const target = thenResults.get(foreign);
      let result: unknown;
      try {
        result = to.inForeign(later, () => Reflect.apply(each, undefined, given));
      } catch (error) {
        const thrown = isObject(error) ? to.throws.get(error) : undefined;
        if (target !== undefined && thrown !== undefined) to.objects.replace(target, thrown.event);
        throw error;
      }
      const returned = later.results.at(-1) ?? 0;
      if (target !== undefined && returned !== 0) to.objects.replace(target, returned);
      return result;
    };
  });
}

const links = new WeakMap<ForeignCall, { promise: object | null }>();
const thenResults = new WeakMap<ForeignCall, object>();

const asWaits = /^(all|allSettled|race|any)$/;

/** What a native call did to its receiver, and what its result contains. */
function contentsAfter(
  to: TraceRuntime,
  foreign: ForeignCall,
  value: unknown,
  id: EventId,
  lengthBefore: number,
): void {
  const { self, key, values, events, callee } = foreign;
  const name = typeof key === "string" ? key : "";
  const resolver = resolvers.get(callee);
  if (resolver?.promise != null) to.objects.replace(resolver.promise, id);
  if (promiseOf(value) !== null && isObject(value)) {
    const link = links.get(foreign);
    if (link !== undefined) link.promise = value;
    if (asWaits.test(name) && Array.isArray(values[0])) to.objects.record(value).waitsFor = values[0];
    if (promiseOf(self) !== null) thenResults.set(foreign, value);
  }
  if (isObject(self) && mutators.test(name)) mutate(to, foreign, self, name, id, lengthBefore);
  if (isObject(self) && (name === "next" || (types.isRegExp(self) && (self.global || self.sticky)))) {
    to.objects.record(self).last = id;
  }
  if (name === "assign" && isObject(values[0])) assignAll(to, values[0], values.slice(1), id);
  if (name === "defineProperty" && isObject(values[0])) to.objects.write(values[0], values[1] as PropertyKey, id);
  if (!isObject(value) || to.objects.of(value) !== null) {
    entryRead(to, foreign, name, id);
    return;
  }
  const record = to.objects.record(value);
  record.state = id;
  record.last = id;
  if (Array.isArray(value)) elementsAfter(to, foreign, value, name, record);
  else if (types.isMap(value) || types.isSet(value)) entriesAfter(to, value, values[0], record, events[0] ?? 0);
}

function mutate(
  to: TraceRuntime,
  foreign: ForeignCall,
  self: object,
  name: string,
  id: EventId,
  lengthBefore: number,
): void {
  const { values, events } = foreign;
  const record = to.objects.record(self);
  if (types.isMap(self) || types.isSet(self) || types.isWeakMap(self) || types.isWeakSet(self)) {
    record.entries ??= new Map();
    if (name === "clear") record.entries.clear();
    else record.entries.set(values[0], id);
    record.last = id;
    return;
  }
  if (name === "push") {
    values.forEach((_, i) => {
      record.properties.set(String(lengthBefore + i), events[i] || id);
    });
    record.last = id;
    return;
  }
  if (Array.isArray(self) && (name === "shift" || name === "unshift")) {
    const by = name === "shift" ? -1 : values.length;
    const moved = [...record.properties].map(([key, event]): [PropertyKey, EventId] => [moveKey(key, by), event]);
    record.properties.clear();
    for (const [key, event] of moved) record.properties.set(key, event);
    if (name === "unshift") for (const [i, event] of events.entries()) record.properties.set(String(i), event || id);
    record.last = id;
    return;
  }
  if (name === "pop") {
    record.last = id;
    return;
  }
  to.objects.replace(self, id);
}

function moveKey(key: PropertyKey, by: number): PropertyKey {
  return typeof key === "string" && /^\d+$/.test(key) ? String(Number(key) + by) : key;
}

function assignAll(to: TraceRuntime, target: object, sources: readonly unknown[], id: EventId): void {
  for (const source of sources) {
    if (!isObject(source) || types.isProxy(source)) continue;
    for (const key of Object.keys(source)) to.objects.write(target, key, to.objects.written(source, key) || id);
  }
}

/** `map.get(key)` depends on the write of that entry. */
function entryRead(to: TraceRuntime, { self, values, event, events }: ForeignCall, name: string, id: EventId): void {
  if (name !== "get" && name !== "has") return;
  const written = to.objects.of(self)?.entries?.get(values[0]);
  if (written === undefined) return;
  to.events.refine(id, [written, event, ...events].filter(Boolean));
}

/** The elements of an array that native code made of another one. */
function elementsAfter(
  to: TraceRuntime,
  foreign: ForeignCall,
  value: readonly unknown[],
  name: string,
  record: ObjectRecord,
): void {
  const { self, values, results, kept } = foreign;
  const set = (index: number, event: EventId) => {
    if (event !== 0) record.properties.set(String(index), event);
  };
  if (Array.isArray(self)) {
    if (name === "map" && results.length === value.length) for (const [i, event] of results.entries()) set(i, event);
    else if (name === "filter" && kept.length === value.length)
      for (const [i, from] of kept.entries()) set(i, to.objects.written(self, from));
    else if (name === "slice") {
      const start = typeof values[0] === "number" ? Math.trunc(values[0]) : 0;
      const from = start < 0 ? Math.max(0, self.length + start) : start;
      for (let i = 0; i < value.length; i++) set(i, to.objects.written(self, from + i));
    } else if (name === "concat" || name === "flat") {
      const parts = name === "flat" ? self : [self, ...values];
      let at = 0;
      for (const part of parts) {
        const list = Array.isArray(part) ? part : [part];
        for (let i = 0; i < list.length; i++) set(at++, Array.isArray(part) ? to.objects.written(part, i) : 0);
      }
    }
    return;
  }
  const [source] = values;
  if (!isObject(source) || types.isProxy(source)) return;
  if (name === "values" || name === "entries") {
    Object.keys(source).forEach((key, i) => {
      const written = to.objects.written(source, key);
      if (name === "values") set(i, written);
      else if (written !== 0 && Array.isArray(value[i])) to.objects.record(value[i]).properties.set("1", written);
    });
  } else if (name === "from" && values.length === 1 && Array.isArray(source))
    for (let i = 0; i < value.length; i++) set(i, to.objects.written(source, i));
}

/** `new Map([[key, value]])`, `new Set(list)`. */
function entriesAfter(
  to: TraceRuntime,
  value: Map<unknown, unknown> | Set<unknown>,
  source: unknown,
  record: ObjectRecord,
  event: EventId,
): void {
  if (!Array.isArray(source)) return;
  record.entries = new Map();
  for (const [i, entry] of source.entries()) {
    const isPair = types.isMap(value) && Array.isArray(entry);
    const key: unknown = isPair ? entry[0] : entry;
    const written = isPair ? to.objects.written(entry, 1) : to.objects.written(source, i);
    record.entries.set(key, written || event);
  }
}

/** What a callback of native code got: an element of the receiver, the last result, or all that the call was given. */
export function foreignArgument(
  to: Pick<TraceRuntime, "objects">,
  foreign: ForeignCall,
  index: number,
  value: unknown,
): Parents {
  const { self, key, values, events, results, rounds, selfEvent } = foreign;
  const name = String(key);
  if (Array.isArray(self)) {
    const isReduce = name.startsWith("reduce");
    if (isReduce && index === 0)
      return results.at(-1) ?? (values.length > 1 ? (events[1] ?? 0) : to.objects.written(self, 0));
    const place = isReduce ? 1 : 0;
    const round = rounds - 1 + (isReduce && values.length < 2 ? 1 : 0);
    const at = name === "reduceRight" || name.startsWith("findLast") ? self.length - 1 - round : round;
    if (index === place && Object.is(self[at], value)) return to.objects.written(self, at) || selfEvent;
    if (index === place + 1 && value === at) return selfEvent;
  }
  const given = values.findIndex((each) => each === value && each !== undefined);
  if (given !== -1 && typeof values[given] !== "function") return events[given] ?? 0;
  const all = [...to.objects.states(value), selfEvent, ...to.objects.states(self), ...events];
  return [...new Set(all)].filter(Boolean);
}
