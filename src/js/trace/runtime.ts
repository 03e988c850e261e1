import { types } from "node:util";
import { type Assertion, Assertions } from "./assertions.ts";
import { type CallRecord, type ForeignCall, foreignArgument, foreignCall, kindOfFunction, promiseOf } from "./calls.ts";
import { isObject, ObjectEvents, peek } from "./objects.ts";
import { applyOperator } from "./operators.ts";
import { isAsyncFunction } from "./runtimeName.ts";
import { type EventId, EventStore, ExecutionStore, type Parents } from "./store.ts";

/** One activation of a followed function. */
export type TraceFrame = {
  /** The condition that decided that the current statement runs. */
  c: EventId;
  readonly caller: number;
  readonly depth: number;
  readonly flags: number;
  readonly call: CallRecord | null;
  readonly foreign: ForeignCall | null;
  result: EventId;
  promise: object | null;
  /** Conditions that could have left the function, and did not. */
  passed: EventId[];
  defaults: ReadonlyMap<number, EventId> | null;
};

type Waiting = { readonly value: unknown; readonly site: number; readonly event: EventId; readonly frame: TraceFrame };

/** A member that is read and then written: its object is computed once. */
type Place = { readonly object: unknown; readonly key: PropertyKey; readonly event: EventId; readonly old: unknown };

class Spread {
  readonly #isSpread = true;
  readonly values: readonly unknown[];
  readonly events: readonly EventId[];
  constructor(values: readonly unknown[], events: readonly EventId[]) {
    this.values = values;
    this.events = events;
  }

  /** Asks no proxy. */
  static is(value: unknown): value is Spread {
    return typeof value === "object" && value !== null && #isSpread in value;
  }
}

const setSloppily = new Function("object", "key", "value", "object[key] = value") as (
  object: unknown,
  key: PropertyKey,
  value: unknown,
) => void;
const removeSloppily = new Function("object", "key", "return delete object[key]") as (
  object: unknown,
  key: PropertyKey,
) => boolean;

type Indexed = Record<PropertyKey, unknown>;

/** Where and why an error was thrown. */
export type ThrowRecord = { readonly event: EventId; readonly assertion: Assertion | null };

/** The object that instrumented code calls: it does what the source says, and notes the events. */
export class TraceRuntime {
  /** The event of the last value. */
  r: EventId = 0;
  /** The last value that a branch tested. */
  v: unknown = undefined;
  readonly hole = Symbol("hole");
  readonly rest = Symbol("rest");
  readonly accessor = Symbol("accessor");
  readonly events: EventStore;
  readonly executions: ExecutionStore;
  readonly objects = new ObjectEvents();
  readonly assertions = new Assertions();
  readonly throws = new WeakMap<object, ThrowRecord>();
  lastThrow: { readonly error: unknown; readonly record: ThrowRecord } | null = null;
  readonly waiting = new Set<Waiting>();
  /** The last event of a generator that has just yielded. */
  yielded: EventId = 0;
  foreign: ForeignCall | null = null;
  /** The number of entered functions. */
  entered = 0;
  /** The condition and the execution that new events belong to. */
  control: EventId = 0;
  execution = 0;
  depth = 0;
  /** The function whose statement runs. */
  #frame: TraceFrame | null = null;
  #given: CallRecord | null = null;
  #defaults: Map<number, EventId> | null = null;
  /** Calls that have not returned; 0 for code that the event loop started. */
  #active = 0;
  readonly #exports = new Map<string, { readonly value: unknown; readonly event: EventId }[]>();
  /** The source text of a site, for messages; null if it is unknown. */
  readonly #textOf: (site: number) => string | null;

  constructor(textOf: (site: number) => string | null = () => null, mostEvents?: number) {
    this.#textOf = textOf;
    this.events = new EventStore(mostEvents);
    this.executions = new ExecutionStore(mostEvents);
  }

  event(site: number, value: unknown, data: Parents = 0, identity: EventId = 0, control = this.control): EventId {
    this.r = this.events.add(site, this.execution, value, data, control, identity);
    return this.r;
  }

  /** An event of another execution; the last value stays the same. */
  #eventAt(execution: number, site: number, value: unknown, data: Parents, control: EventId): EventId {
    return this.events.add(site, execution, value, data, control, 0);
  }

  // Statements and functions.

  module(site: number): TraceFrame {
    return this.#newFrame(site, 0, null, null);
  }

  #newFrame(_site: number, flags: number, call: CallRecord | null, foreign: ForeignCall | null): TraceFrame {
    const isCalled = call !== null || foreign !== null || this.#active > 0;
    const frame: TraceFrame = {
      c: call?.event ?? foreign?.control ?? (isCalled ? this.control : 0),
      caller: isCalled ? this.execution : 0,
      depth: isCalled ? this.depth + 1 : 0,
      flags,
      call,
      foreign,
      result: 0,
      promise: null,
      passed: [],
      defaults: this.#defaults,
    };
    this.#defaults = null;
    return frame;
  }

  enter(site: number, flags: number): TraceFrame {
    const call = this.#given;
    this.#given = null;
    this.entered++;
    const frame = this.#newFrame(site, flags, call, call === null ? this.foreign : null);
    if (call !== null) call.frame = frame;
    else if (this.foreign !== null) this.foreign.rounds++;
    this.control = frame.c;
    return frame;
  }

  at(site: number, frame: TraceFrame, control?: EventId): void {
    if (control !== undefined) frame.c = control;
    this.control = frame.c;
    this.depth = frame.depth;
    this.#frame = frame;
    this.execution = this.executions.add(site, frame.caller, frame.depth);
  }

  parameter(frame: TraceFrame, index: number, value: unknown, site: number): EventId {
    const parents = this.#argument(frame, index, value);
    const isDefault = frame.defaults?.has(index) === true;
    return isDefault ? this.#inHead(site, value, parents) : this.event(site, value, parents);
  }

  /** A default is a value of the function's head, not of the call. */
  #inHead(site: number, value: unknown, parents: Parents): EventId {
    const before = this.execution;
    this.execution = this.executions.add(site, before, this.depth + 1);
    const event = this.event(site, value, parents);
    this.execution = before;
    return event;
  }

  #argument(frame: TraceFrame, index: number, value: unknown): Parents {
    const { call, foreign, defaults } = frame;
    const byDefault = defaults?.get(index);
    if (byDefault !== undefined) return byDefault;
    if (call !== null) {
      if (index >= call.values.length) return call.event;
      return Object.is(call.values[index], value) ? call.events[index] || call.event : call.event;
    }
    return foreign === null ? 0 : foreignArgument(this, foreign, index, value);
  }

  fieldParameter(
    frame: TraceFrame,
    index: number,
    value: unknown,
    site: number,
    path: readonly (string | number)[] | null,
  ): EventId {
    const given = frame.call?.values[index];
    const from =
      frame.call === null ? this.#argument(frame, index, given) : frame.call.events[index] || frame.call.event;
    const isDefault = frame.call !== null && value !== undefined && path !== null && takenAt(given, path) === undefined;
    return isDefault ? this.#inHead(site, value, from) : this.#taken(site, value, given, from, path);
  }

  restParameter(frame: TraceFrame, index: number, value: unknown, site: number): EventId {
    const given = frame.call?.events.slice(index) ?? [];
    const event = this.event(site, value, given.length > 0 ? given : (frame.call?.event ?? 0));
    if (isObject(value)) {
      const record = this.objects.replace(value, event);
      given.forEach((each, i) => {
        record.properties.set(String(i), each || event);
      });
    }
    return event;
  }

  ownArguments(frame: TraceFrame, list: object): void {
    const record = this.objects.record(list);
    record.state = frame.call?.event ?? 0;
    frame.call?.events.forEach((each, i) => {
      if (each !== 0) record.properties.set(String(i), each);
    });
  }

  byDefault(index: number, value: unknown, event: EventId): unknown {
    this.#defaults ??= new Map();
    this.#defaults.set(index, event);
    return value;
  }

  returns(site: number, value: unknown, event: EventId, frame: TraceFrame): unknown {
    frame.result = this.event(site, value, event);
    if (frame.promise !== null) this.objects.replace(frame.promise, frame.result);
    if (frame.foreign !== null) {
      const { foreign } = frame;
      foreign.results.push(frame.result);
      if (value) foreign.kept.push(foreign.rounds - 1);
    }
    return value;
  }

  test(site: number, value: unknown, event: EventId, frame: TraceFrame): unknown {
    frame.c = this.event(site, value, event);
    this.control = frame.c;
    return value;
  }

  /** A condition that could have left was not met: what follows depends on it. */
  passed(frame: TraceFrame): void {
    frame.passed.push(frame.c);
    this.control = frame.c;
  }

  left(site: number, frame: TraceFrame, before: EventId): void {
    const tests = frame.passed.filter((each) => each > before).slice(-mostPassed);
    frame.passed = frame.passed.filter((each) => each <= before);
    const last = tests.at(-1) ?? frame.c;
    if (last !== before) frame.c = this.#eventAt(this.events.executionOf(last), site, skipped, tests, frame.c);
    this.control = frame.c;
  }

  round(site: number, items: unknown, source: EventId, index: number, value: unknown, frame: TraceFrame): EventId {
    const states = this.objects.states(items);
    const element = this.#element(items, index, value);
    const parents = element !== 0 ? [element] : [source, ...states, this.yielded].filter((each) => each !== 0);
    this.yielded = 0;
    const event = this.event(site, value, parents, source);
    frame.c = event;
    this.control = event;
    return event;
  }

  ended(site: number, items: unknown, source: EventId, frame: TraceFrame, before: EventId): void {
    if (frame.passed.some((each) => each > before)) return;
    const parents = [source, ...this.objects.states(items)].filter(Boolean);
    const execution = frame.c > before ? this.events.executionOf(frame.c) : this.execution;
    frame.c = this.#eventAt(execution, site, skipped, parents, before);
  }

  skip(old: EventId, frame: TraceFrame): EventId {
    if (frame.c === 0 || old >= frame.c) return old ?? 0;
    const { events } = this;
    return this.#eventAt(events.executionOf(frame.c), events.siteOf(frame.c), skipped, old || 0, frame.c);
  }

  skipMember(base: () => unknown, path: readonly string[], key: string | null, frame: TraceFrame): void {
    if (frame.c === 0) return;
    let object: unknown;
    try {
      object = base();
    } catch (error) {
      // A variable that is not initialised yet.
      if (error instanceof Error && error.name !== "ReferenceError") throw error;
      return;
    }
    for (const each of path) object = peek(object, each);
    if (!isObject(object)) return;
    const record = this.objects.record(object);
    const old = key === null ? record.last || record.state : this.objects.written(object, key);
    if (old >= frame.c) return;
    const { events } = this;
    const event = this.#eventAt(events.executionOf(frame.c), events.siteOf(frame.c), skipped, old, frame.c);
    if (key === null) record.last = event;
    else record.properties.set(key, event);
  }

  thrown(site: number, error: unknown, event: EventId): unknown {
    const id = this.event(site, error, [event, ...this.objects.states(error)].filter(Boolean));
    this.noteThrow(error, id, null);
    return error;
  }

  noteThrow(error: unknown, event: EventId, assertion: Assertion | null): void {
    const record = { event, assertion };
    this.#rejects(event);
    if (isObject(error)) {
      if (this.throws.has(error)) return;
      this.throws.set(error, record);
    }
    this.lastThrow = { error, record };
  }

  /** An async function that throws rejects its promise, unless it catches the error and returns something later. */
  #rejects(event: EventId): void {
    const frame = this.#frame;
    if (frame === null || (frame.flags & isAsyncFunction) === 0) return;
    frame.result = event;
    if (frame.promise !== null) this.objects.replace(frame.promise, event);
  }

  /** An error of the language itself, such as a variable that does not exist: the last statement threw it. */
  noteUnknown(error: unknown): void {
    if (!isObject(error) || this.throws.has(error) || this.execution === 0) return;
    const pending = this.lastThrow !== null && this.lastThrow.error === undefined ? this.lastThrow.record.event : 0;
    const isOfStatement = this.events.executionOf(pending) === this.execution;
    const site = this.executions.siteOf(this.execution);
    this.noteThrow(error, isOfStatement ? pending : this.event(site, error, this.r), null);
  }

  caught(site: number, error: unknown, frame: TraceFrame, before: EventId): EventId {
    const known = isObject(error) ? this.throws.get(error) : undefined;
    const last = known ?? (this.lastThrow !== null && !isObject(error) ? this.lastThrow.record : undefined);
    this.at(site, frame, before);
    const event = this.event(site, error, last?.event ?? 0);
    frame.c = event;
    this.control = event;
    return event;
  }

  settle(frame: TraceFrame): void {
    this.control = frame.c;
    this.depth = frame.depth;
  }

  // Values.

  read<T>(value: T, event: EventId): T {
    this.r = event || 0;
    return value;
  }

  use(event: EventId): EventId {
    this.r = event || 0;
    return this.r;
  }

  assign(site: number, value: unknown, event: EventId): EventId {
    return this.event(site, value, event || 0);
  }

  assignLazily(site: number, old: EventId, value: unknown): EventId {
    return this.event(site, value, old === this.r ? old : [this.r, old]);
  }

  unary<T>(site: number, value: T, event: EventId): T {
    this.event(site, value, event || 0);
    return value;
  }

  binary(site: number, operator: string, left: unknown, a: EventId, right: unknown, b: EventId): unknown {
    const value = applyOperator(operator, left, right);
    const states = operator === "in" || operator === "instanceof" ? this.objects.states(right) : [];
    this.event(site, value, [a, b, ...states].filter(Boolean));
    return value;
  }

  branch(site: number, value: unknown, event: EventId): EventId {
    const test = this.event(site, value, event || 0);
    this.control = test;
    this.r = event || 0;
    this.v = value;
    return test;
  }

  join<T>(site: number, value: T, test: EventId): T {
    const event = this.event(site, value, this.r, 0, test);
    this.control = this.events.controlOf(test);
    this.r = event;
    return value;
  }

  text(value: unknown, event: EventId): string {
    const text = `${value as string}`;
    this.r =
      this.objects.of(value) === null
        ? event || 0
        : this.event(-1, text, [event, ...this.objects.states(value)].filter(Boolean));
    return text;
  }

  template(site: number, ...parts: readonly (string | EventId)[]): string {
    let text = "";
    const parents: EventId[] = [];
    for (let i = 0; i < parts.length; i += 3) {
      text += `${parts[i]}${parts[i + 1] ?? ""}`;
      const event = parts[i + 2];
      if (typeof event === "number" && event !== 0) parents.push(event);
    }
    this.event(site, text, parents);
    return text;
  }

  made<T>(site: number, value: T): T {
    const event = this.event(site, value, 0);
    if (isObject(value)) this.objects.replace(value, event);
    return value;
  }

  array(site: number, ...parts: readonly unknown[]): unknown[] {
    const list: unknown[] = [];
    const events: EventId[] = [];
    for (let i = 0; i < parts.length; i += 2) {
      const value = parts[i];
      if (Spread.is(value)) {
        for (const [j, each] of value.values.entries()) {
          events[list.length] = value.events[j] ?? 0;
          list.push(each);
        }
      } else {
        if (value === this.hole) list.length++;
        else {
          events[list.length] = (parts[i + 1] as EventId) || 0;
          list.push(value);
        }
      }
    }
    const event = this.event(site, list, events.filter(Boolean));
    const record = this.objects.replace(list, event);
    events.forEach((each, i) => {
      if (each) record.properties.set(String(i), each);
    });
    this.r = event;
    return list;
  }

  object(site: number, ...parts: readonly unknown[]): object {
    const made: Indexed = {};
    const events = new Map<PropertyKey, EventId>();
    for (let i = 0; i < parts.length; i += 3) {
      const [key, value, event] = [parts[i] as PropertyKey, parts[i + 1], (parts[i + 2] as EventId) || 0];
      if (key === this.rest) {
        for (const each of Reflect.ownKeys(value as object)) {
          define(made, each, (value as Indexed)[each]);
          events.set(each, this.objects.written(value, each) || event);
        }
      } else if (key === this.accessor) {
        for (const each of Reflect.ownKeys(value as object)) defineAccessor(made, each, value as object);
      } else {
        define(made, key, value);
        events.set(typeof key === "number" ? String(key) : key, event);
      }
    }
    const all = [...events.values()].filter(Boolean);
    const event = this.event(site, made, all);
    const record = this.objects.replace(made, event);
    for (const [key, each] of events) if (each !== 0) record.properties.set(key, each);
    this.r = event;
    return made;
  }

  key(value: unknown): PropertyKey {
    return typeof value === "symbol" ? value : `${value as string}`;
  }

  /** `{ ...value }` at the time when it is evaluated. */
  copy(value: unknown, event: EventId): object {
    const copied = { ...(value as object) };
    const record = this.objects.replace(copied, event || 0);
    for (const key of Reflect.ownKeys(copied))
      record.properties.set(key, this.objects.written(value, key) || event || 0);
    this.r = event || 0;
    return copied;
  }

  spread(value: unknown, event: EventId): Spread {
    const values = [...(value as Iterable<unknown>)];
    const states = [event, this.yielded, ...this.objects.states(value)].filter(Boolean);
    const source = states.length < 2 ? (states[0] ?? 0) : this.event(-1, value, states);
    return new Spread(
      values,
      values.map((each, i) => this.#element(value, i, each) || source),
    );
  }

  /** The event of an element that iteration gave. */
  #element(items: unknown, index: number, value: unknown): EventId {
    if (Array.isArray(items)) return this.objects.written(items, index);
    const entries = this.objects.of(items)?.entries;
    if (entries == null) return 0;
    return entries.get(types.isMap(items) && Array.isArray(value) ? value[0] : value) ?? 0;
  }

  field(
    site: number,
    value: unknown,
    whole: unknown,
    event: EventId,
    path: readonly (string | number)[] | null,
  ): EventId {
    return this.#taken(site, value, whole, event || 0, path);
  }

  #taken(
    site: number,
    value: unknown,
    whole: unknown,
    from: Parents,
    path: readonly (string | number)[] | null,
  ): EventId {
    let object = whole;
    let written: EventId = 0;
    for (const key of path ?? []) {
      written = this.objects.written(object, key) || written;
      object = peek(object, key);
    }
    const source = typeof from === "number" ? from : (from[0] ?? 0);
    if (written !== 0) return this.event(site, value, written, source);
    const states = path === null ? this.objects.states(whole) : [];
    const all = typeof from === "number" ? [from, ...states] : [...from, ...states];
    const id = this.event(site, value, all.filter(Boolean));
    if (path === null && isObject(value)) this.#copyRest(value, whole, id);
    return id;
  }

  /** `const { a, ...rest } = whole`: the rest keeps the events of its properties. */
  #copyRest(rest: object, whole: unknown, event: EventId): void {
    if (this.objects.of(rest) !== null) return;
    const record = this.objects.replace(rest, event);
    if (Array.isArray(rest) || !isObject(whole)) return;
    for (const key of Reflect.ownKeys(rest)) {
      const written = this.objects.written(whole, key);
      if (written !== 0) record.properties.set(key, written);
    }
  }

  exported(name: string, value: unknown, event: EventId): void {
    if (isObject(value)) return;
    this.#exports.set(name, [...(this.#exports.get(name) ?? []), { value, event }]);
  }

  /** The event of an imported primitive value: the only export of that name with that value. */
  imported(name: string, value: unknown): EventId {
    if (isObject(value)) return 0;
    const found = (this.#exports.get(name) ?? []).filter((each) => Object.is(each.value, value));
    return found.length === 1 ? (found[0]?.event ?? 0) : 0;
  }

  // Members.

  get(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId): unknown {
    if (object === null || object === undefined) this.#failing(site, object, [event, keyEvent]);
    const before = this.entered;
    const saved = this.#enterForeign(null);
    let value: unknown;
    try {
      value = (object as Indexed)[key];
    } catch (error) {
      this.noteThrow(error, this.#failing(site, error, [event]), this.assertions.matcher(site, object, key, [], []));
      throw error;
    } finally {
      this.#leave(saved);
    }
    this.#got(site, object, event, key, keyEvent, value, before);
    if (isObject(object)) this.assertions.follow(object, key, value);
    return value;
  }

  #got(
    site: number,
    object: unknown,
    event: EventId,
    key: PropertyKey,
    keyEvent: EventId,
    value: unknown,
    before: number,
  ): void {
    const returned = this.entered === before ? 0 : this.r;
    const written = isObject(object) ? this.objects.written(object, key) : 0;
    const source = returned || written;
    const data = [source === 0 ? event : source, keyEvent].filter(Boolean);
    this.event(site, value, data, source === 0 ? 0 : event || 0);
  }

  /** An operation that is about to throw: its operands are the reasons. */
  #failing(site: number, value: unknown, parents: readonly EventId[]): EventId {
    const id = this.event(site, value, parents.filter(Boolean));
    this.lastThrow = { error: undefined, record: { event: id, assertion: null } };
    return id;
  }

  getBy(site: number, object: unknown, event: EventId, key: string, get: (object: unknown) => unknown): unknown {
    const before = this.entered;
    const value = get(object);
    this.#got(site, object, event, key, 0, value, before);
    return value;
  }

  put(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId, value: unknown, by: EventId) {
    if (object === null || object === undefined) this.#failing(site, object, [event]);
    (object as Indexed)[key] = value;
    return this.#wrote(site, object, event, key, keyEvent, value, by);
  }

  putSloppy(
    site: number,
    object: unknown,
    event: EventId,
    key: PropertyKey,
    keyEvent: EventId,
    value: unknown,
    by: EventId,
  ): unknown {
    if (object === null || object === undefined) this.#failing(site, object, [event]);
    setSloppily(object, key, value);
    return this.#wrote(site, object, event, key, keyEvent, value, by);
  }

  #wrote<T>(
    site: number,
    object: unknown,
    event: EventId,
    key: PropertyKey,
    keyEvent: EventId,
    value: T,
    by: EventId,
  ): T {
    const id = this.event(site, value, [by, keyEvent].filter(Boolean), event || 0);
    this.objects.write(object, key, id);
    this.r = id;
    return value;
  }

  written(object: unknown, key: PropertyKey, event: EventId): void {
    this.objects.write(object, key, event || 0);
  }

  initial<T>(site: number, object: unknown, key: string, value: T, event: EventId): T {
    const before = this.execution;
    this.execution = this.executions.add(site, before, this.depth + 1);
    this.objects.write(object, key, this.event(site, value, event || 0));
    this.execution = before;
    return value;
  }

  place(object: unknown, event: EventId, key: PropertyKey, _keyEvent: EventId): Place {
    const old = (object as Indexed)[key];
    const written = this.objects.written(object, key);
    this.r = written || event || 0;
    return { object, key, event: this.r, old };
  }

  change(site: number, place: Place, operator: string, value: unknown, event: EventId): unknown {
    const result = applyOperator(operator, place.old, value);
    (place.object as Indexed)[place.key] = result;
    return this.#changed(site, place, result, event);
  }

  changeSloppy(site: number, place: Place, operator: string, value: unknown, event: EventId): unknown {
    const result = applyOperator(operator, place.old, value);
    setSloppily(place.object, place.key, result);
    return this.#changed(site, place, result, event);
  }

  fill(site: number, place: Place, value: unknown, event: EventId): unknown {
    (place.object as Indexed)[place.key] = value;
    return this.#changed(site, place, value, event);
  }

  fillSloppy(site: number, place: Place, value: unknown, event: EventId): unknown {
    setSloppily(place.object, place.key, value);
    return this.#changed(site, place, value, event);
  }

  #changed<T>(site: number, place: Place, value: T, event: EventId): T {
    const id = this.event(site, value, [event, place.event].filter(Boolean));
    this.objects.write(place.object, place.key, id);
    return value;
  }

  count(site: number, place: Place, by: 1 | -1, isPrefix: boolean): unknown {
    const [before, result] = counted(place.old, by);
    (place.object as Indexed)[place.key] = result;
    this.#changed(site, place, result, 0);
    return isPrefix ? result : before;
  }

  countSloppy(site: number, place: Place, by: 1 | -1, isPrefix: boolean): unknown {
    const [before, result] = counted(place.old, by);
    setSloppily(place.object, place.key, result);
    this.#changed(site, place, result, 0);
    return isPrefix ? result : before;
  }

  putBy(
    site: number,
    object: unknown,
    event: EventId,
    key: string,
    get: (object: unknown) => unknown,
    set: (object: unknown, value: unknown) => unknown,
    operator: string,
    value: unknown,
    by: EventId,
  ): unknown {
    const old = operator === "" ? undefined : get(object);
    const result = operator === "" ? value : applyOperator(operator, old, value);
    set(object, result);
    const before = operator === "" ? 0 : this.objects.written(object, key);
    const id = this.event(site, result, [by, before].filter(Boolean), event || 0);
    this.objects.write(object, key, id);
    this.r = id;
    return result;
  }

  countBy(
    site: number,
    object: unknown,
    event: EventId,
    key: string,
    get: (object: unknown) => unknown,
    set: (object: unknown, value: unknown) => unknown,
    by: 1 | -1,
    isPrefix: boolean,
  ): unknown {
    const [before, result] = counted(get(object), by);
    set(object, result);
    const id = this.event(site, result, this.objects.written(object, key), event || 0);
    this.objects.write(object, key, id);
    this.r = id;
    return isPrefix ? result : before;
  }

  remove(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId): boolean {
    const result = delete (object as Indexed)[key];
    this.#wrote(site, object, event, key, keyEvent, result, 0);
    return result;
  }

  removeSloppy(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId): boolean {
    const result = removeSloppily(object, key);
    this.#wrote(site, object, event, key, keyEvent, result, 0);
    return result;
  }

  // Calls.

  call(site: number, callee: unknown, event: EventId, ...pairs: readonly unknown[]): unknown {
    return this.#invoke(site, callee, event, undefined, 0, nameOf(callee), pairs, false);
  }

  callWith(
    site: number,
    callee: unknown,
    event: EventId,
    self: unknown,
    selfEvent: EventId,
    ...pairs: readonly unknown[]
  ): unknown {
    return this.#invoke(site, callee, event, self, selfEvent, nameOf(callee), pairs, false);
  }

  callMember(
    site: number,
    object: unknown,
    event: EventId,
    key: PropertyKey,
    keyEvent: EventId,
    ...pairs: readonly unknown[]
  ): unknown {
    if (object === null || object === undefined) {
      this.#failing(site, object, [event, keyEvent]);
      return (object as unknown as Indexed)[key];
    }
    const before = this.entered;
    const callee = (object as Indexed)[key];
    const written = isObject(object) ? (this.objects.of(object)?.properties.get(key) ?? 0) : 0;
    const called = this.entered === before ? written || keyEvent : this.r;
    return this.#invoke(site, callee, called, object, event, key, pairs, false);
  }

  callBy(
    site: number,
    object: unknown,
    event: EventId,
    key: string,
    get: (object: unknown) => unknown,
    ...pairs: readonly unknown[]
  ): unknown {
    return this.#invoke(site, get(object), 0, object, event, key, pairs, false);
  }

  construct(site: number, callee: unknown, event: EventId, ...pairs: readonly unknown[]): unknown {
    return this.#invoke(site, callee, event, undefined, 0, nameOf(callee), pairs, true);
  }

  beforeSuper(site: number, ...pairs: readonly unknown[]): readonly unknown[] {
    const { values, events } = this.#unpack(pairs);
    const event = this.event(site, undefined, 0);
    this.#given = { values, events, event, frame: null };
    return values;
  }

  afterSuper<T>(site: number, made: T): T {
    const given = this.#given;
    this.#given = null;
    // Nobody took the arguments: the class is not followed.
    if (given !== null)
      this.objects.appear(made, this.event(site, made, [given.event, ...given.events].filter(Boolean)));
    return made;
  }

  #unpack(pairs: readonly unknown[]): { readonly values: unknown[]; readonly events: EventId[] } {
    const values: unknown[] = [];
    const events: EventId[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const value = pairs[i];
      if (Spread.is(value)) {
        for (const [j, each] of value.values.entries()) {
          values.push(each);
          events.push(value.events[j] ?? 0);
        }
      } else {
        values.push(value);
        events.push((pairs[i + 1] as EventId) || 0);
      }
    }
    return { values, events };
  }

  #invoke(
    site: number,
    callee: unknown,
    event: EventId,
    self: unknown,
    selfEvent: EventId,
    key: PropertyKey,
    pairs: readonly unknown[],
    isNew: boolean,
  ): unknown {
    const { values, events } = this.#unpack(pairs);
    return this.invoke(site, callee, event || 0, self, selfEvent || 0, key, values, events, isNew);
  }

  /** Calls a function; its arguments and its result are events. */
  invoke(
    site: number,
    callee: unknown,
    event: EventId,
    self: unknown,
    selfEvent: EventId,
    key: PropertyKey,
    values: unknown[],
    events: EventId[],
    isNew: boolean,
  ): unknown {
    if (typeof callee !== "function") {
      const id = this.#failing(site, callee, [event, selfEvent]);
      const error = new TypeError(
        `${this.#textOf(site) ?? String(key)} is not a ${isNew ? "constructor" : "function"}`,
      );
      this.noteThrow(error, id, null);
      throw error;
    }
    if (kindOfFunction(callee) !== "own")
      return foreignCall(this, { site, callee, event, self, selfEvent, key, values, events, isNew });
    const id = this.event(site, undefined, [event, selfEvent].filter(Boolean));
    const call: CallRecord = { values, events, event: id, frame: null };
    const saved = this.#enterForeign(null);
    this.#given = call;
    this.control = id;
    let thrown: EventId = 0;
    let value: unknown;
    try {
      value = isNew ? Reflect.construct(callee, values) : Reflect.apply(callee, self, values);
    } catch (error) {
      this.noteUnknown(error);
      thrown = isObject(error) ? (this.throws.get(error)?.event ?? 0) : 0;
      throw error;
    } finally {
      this.#leave(saved);
      if (thrown !== 0) this.#rejects(thrown);
    }
    this.#returned(site, call, value, isNew);
    return value;
  }

  #returned(site: number, call: CallRecord, value: unknown, isNew: boolean): void {
    const { frame } = call;
    if (frame === null) {
      this.objects.appear(value, this.event(site, value, [call.event, ...call.events].filter(Boolean)));
      return;
    }
    // A function that ends without a return: the conditions that it passed are the reason.
    const result = frame.result || (isNew ? call.event : frame.c);
    const id = this.event(site, value, result);
    if (promiseOf(value) !== null && isObject(value)) {
      frame.promise = value;
      this.objects.replace(value, frame.result || id);
    } else this.objects.appear(value, id);
  }

  /** Remembers the state around code that may call followed functions. */
  #enterForeign(foreign: ForeignCall | null): Saved {
    const saved: Saved = {
      given: this.#given,
      foreign: this.foreign,
      control: this.control,
      execution: this.execution,
      depth: this.depth,
      defaults: this.#defaults,
      frame: this.#frame,
    };
    this.#given = null;
    this.#defaults = null;
    this.foreign = foreign;
    this.#active++;
    return saved;
  }

  #leave(saved: Saved): void {
    this.#active--;
    this.#given = saved.given;
    this.#defaults = saved.defaults;
    this.foreign = saved.foreign;
    this.control = saved.control;
    this.execution = saved.execution;
    this.depth = saved.depth;
    this.#frame = saved.frame;
  }

  inForeign<T>(foreign: ForeignCall, work: () => T): T {
    const saved = this.#enterForeign(foreign);
    try {
      return work();
    } finally {
      this.#leave(saved);
    }
  }

  // Promises and generators.

  awaiting(site: number, value: unknown, event: EventId, frame: TraceFrame): Waiting {
    const token: Waiting = { value, site, event: this.event(site, value, event || 0), frame };
    const promise = promiseOf(value);
    if (promise !== null) {
      this.waiting.add(token);
      const done = () => {
        this.waiting.delete(token);
      };
      Promise.prototype.then.call(promise, done, done);
    }
    return token;
  }

  awaited(token: Waiting, value: unknown): unknown {
    this.waiting.delete(token);
    const { site, frame, value: waited } = token;
    this.control = frame.c;
    this.depth = frame.depth;
    this.#frame = frame;
    this.execution = this.events.executionOf(token.event);
    const parts = this.objects.of(waited)?.waitsFor ?? null;
    const elements = parts?.map((each) => this.objects.states(each)[0] ?? 0) ?? [];
    const id = this.event(site, value, [...this.objects.states(waited), ...elements, token.event].filter(Boolean));
    if (parts !== null && Array.isArray(value)) {
      const record = this.objects.replace(value, id);
      elements.forEach((each, i) => {
        if (each !== 0) record.properties.set(String(i), each);
      });
    } else this.objects.appear(value, id);
    this.r = id;
    return value;
  }

  yielding<T>(site: number, value: T, event: EventId): T {
    this.yielded = this.event(site, value, event || 0);
    this.foreign?.results.push(this.yielded);
    return value;
  }

  resumed<T>(site: number, value: T, frame: TraceFrame): T {
    this.control = frame.c;
    this.depth = frame.depth;
    this.event(site, value, 0);
    return value;
  }
}

type Saved = {
  readonly given: CallRecord | null;
  readonly foreign: ForeignCall | null;
  readonly control: EventId;
  readonly execution: number;
  readonly depth: number;
  readonly defaults: Map<number, EventId> | null;
  readonly frame: TraceFrame | null;
};

/** The value of an event for something that was not done. */
export const skipped = Symbol("skipped");

const mostPassed = 20;

function takenAt(whole: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((object, key) => peek(object, key), whole);
}

function nameOf(callee: unknown): string {
  const name = isObject(callee) ? peek(callee, "name") : undefined;
  return typeof name === "string" ? name : "";
}

function counted(old: unknown, by: 1 | -1): readonly [unknown, unknown] {
  let value = old as number;
  const before = by === 1 ? value++ : value--;
  return [before, value];
}

function define(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A getter and a setter of one name are one property. */
function defineAccessor(object: object, key: PropertyKey, from: object): void {
  const half = Object.getOwnPropertyDescriptor(from, key);
  if (half === undefined) return;
  const old = Object.getOwnPropertyDescriptor(object, key);
  const both: PropertyDescriptor = { enumerable: true, configurable: true };
  const [get, set] = [half.get ?? old?.get, half.set ?? old?.set];
  if (get !== undefined) both.get = get;
  if (set !== undefined) both.set = set;
  Object.defineProperty(object, key, both);
}
