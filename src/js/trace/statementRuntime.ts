import { types } from "node:util";
import { type Assertion, Assertions } from "./assertions.ts";
import { type CallRecord, type ForeignCall, foreignArgument } from "./calls.ts";
import { isObject, ObjectEvents, peek } from "./objects.ts";
import { endless, isAsyncFunction } from "./runtimeName.ts";
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

export type Waiting = {
  readonly value: unknown;
  readonly site: number;
  readonly event: EventId;
  readonly frame: TraceFrame;
};

/** Where and why an error was thrown. */
export type ThrowRecord = {
  readonly event: EventId;
  readonly assertion: Assertion | null;
  /** The error that a callback threw before, and that the failed check was about. */
  readonly inner: LastThrow | null;
  /** What the callbacks of the failed check returned. */
  readonly results: readonly EventId[];
};

export type LastThrow = { readonly error: unknown; readonly record: ThrowRecord };

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

/** The last events of a test that does not end, and so many of its statements, show what goes on. */
const mostLast = 2000;
const mostReasons = 12;

/** Events of statements, functions and exceptions. */
export class StatementRuntime {
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
  lastThrow: LastThrow | null = null;
  readonly waiting = new Set<Waiting>();
  /** The last event of a generator that has just yielded. */
  yielded: EventId = 0;
  foreign: ForeignCall | null = null;
  /** The number of entered functions. */
  entered = 0;
  /** After so many statements the test ends with an error. */
  mostExecutions = Number.POSITIVE_INFINITY;
  /** The condition and the execution that new events belong to. */
  control: EventId = 0;
  execution = 0;
  depth = 0;
  /** The function whose statement runs. */
  protected frame: TraceFrame | null = null;
  protected given: CallRecord | null = null;
  protected defaults: Map<number, EventId> | null = null;
  /** Calls that have not returned; 0 for code that the event loop started. */
  protected active = 0;
  protected readonly exportedValues = new Map<string, { readonly value: unknown; readonly event: EventId }[]>();
  /** The source text of a site, for messages; null if it is unknown. */
  readonly textOf: (site: number) => string | null;

  constructor(textOf: (site: number) => string | null = () => null, mostEvents?: number) {
    this.textOf = textOf;
    this.events = new EventStore(mostEvents);
    this.executions = new ExecutionStore(mostEvents);
  }

  event(site: number, value: unknown, data: Parents = 0, identity: EventId = 0, control = this.control): EventId {
    this.r = this.events.add(site, this.execution, value, data, control, identity);
    return this.r;
  }

  /** An event of another execution; the last value stays the same. */
  protected eventAt(execution: number, site: number, value: unknown, data: Parents, control: EventId): EventId {
    return this.events.add(site, execution, value, data, control, 0);
  }

  // Statements and functions.

  /** Reads a property of a string, number or other primitive value: its methods are those of the program's realm. */
  protected readPrimitive: (value: unknown, key: PropertyKey) => unknown = (value, key) =>
    (value as never)[key as never];

  module(site: number, readPrimitive: (value: unknown, key: PropertyKey) => unknown): TraceFrame {
    this.readPrimitive = readPrimitive;
    return this.newFrame(site, 0, null, null);
  }

  protected newFrame(_site: number, flags: number, call: CallRecord | null, foreign: ForeignCall | null): TraceFrame {
    const isCalled = call !== null || foreign !== null || this.active > 0;
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
      defaults: this.defaults,
    };
    this.defaults = null;
    return frame;
  }

  enter(site: number, flags: number): TraceFrame {
    const call = this.given;
    this.given = null;
    this.entered++;
    const frame = this.newFrame(site, flags, call, call === null ? this.foreign : null);
    if (call !== null) call.frame = frame;
    else if (this.foreign !== null) this.foreign.rounds++;
    this.control = frame.c;
    return frame;
  }

  at(site: number, frame: TraceFrame, control?: EventId): void {
    const inside = frame.c;
    if (control !== undefined) frame.c = control;
    this.control = frame.c;
    this.depth = frame.depth;
    this.frame = frame;
    this.execution = this.executions.add(site, frame.caller, frame.depth, this.events.last);
    if (this.execution > this.mostExecutions) this.giveUp(site, inside);
  }

  /** A test that does not end can only be ended by an error: its reasons are the last rounds of what goes on. */
  protected giveUp(site: number, inside: EventId): never {
    const error = new Error(endless);
    error.name = "";
    const reasons = new Map<number, EventId>();
    const { last } = this.events;
    for (let event = last; event > last - mostLast && reasons.size < mostReasons; event--) {
      const statement = this.executions.siteOf(this.events.executionOf(event));
      if (statement !== site && !reasons.has(statement)) reasons.set(statement, event);
    }
    // It is part of no statement: it read none of these values.
    const event = this.eventAt(0, site, error, [inside, ...reasons.values()].filter(Boolean), 0);
    this.noteThrow(error, event, null);
    throw error;
  }

  parameter(frame: TraceFrame, index: number, value: unknown, site: number): EventId {
    const parents = this.argument(frame, index, value);
    const isDefault = frame.defaults?.has(index) === true;
    return isDefault ? this.inHead(site, value, parents) : this.event(site, value, parents);
  }

  /** A default is a value of the function's head, not of the call. */
  protected inHead(site: number, value: unknown, parents: Parents): EventId {
    const before = this.execution;
    this.execution = this.executions.add(site, before, this.depth + 1, this.events.last);
    const event = this.event(site, value, parents);
    this.execution = before;
    return event;
  }

  protected argument(frame: TraceFrame, index: number, value: unknown): Parents {
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
      frame.call === null ? this.argument(frame, index, given) : frame.call.events[index] || frame.call.event;
    const isDefault = frame.call !== null && value !== undefined && path !== null && takenAt(given, path) === undefined;
    return isDefault ? this.inHead(site, value, from) : this.taken(site, value, given, from, path);
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
    this.defaults ??= new Map();
    this.defaults.set(index, event);
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
    if (last !== before) frame.c = this.eventAt(this.events.executionOf(last), site, skipped, tests, frame.c);
    this.control = frame.c;
  }

  round(site: number, items: unknown, source: EventId, index: number, value: unknown, frame: TraceFrame): EventId {
    const states = this.objects.states(items);
    const element = this.element(items, index, value);
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
    frame.c = this.eventAt(execution, site, skipped, parents, before);
  }

  skip(old: EventId, frame: TraceFrame): EventId {
    if (frame.c === 0 || old >= frame.c) return old ?? 0;
    const { events } = this;
    return this.eventAt(events.executionOf(frame.c), events.siteOf(frame.c), skipped, old || 0, frame.c);
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
    const event = this.eventAt(events.executionOf(frame.c), events.siteOf(frame.c), skipped, old, frame.c);
    if (key === null) record.last = event;
    else record.properties.set(key, event);
  }

  thrown(site: number, error: unknown, event: EventId): unknown {
    const id = this.event(site, error, [event, ...this.objects.states(error)].filter(Boolean));
    this.noteThrow(error, id, null);
    return error;
  }

  noteThrow(
    error: unknown,
    event: EventId,
    assertion: Assertion | null,
    inner: LastThrow | null = null,
    results: readonly EventId[] = [],
  ): void {
    const record: ThrowRecord = { event, assertion, inner, results };
    this.rejects(event);
    if (isObject(error)) {
      if (this.throws.has(error)) return;
      this.throws.set(error, record);
    }
    this.lastThrow = { error, record };
  }

  /** An async function that throws rejects its promise, unless it catches the error and returns something later. */
  protected rejects(event: EventId): void {
    const frame = this.frame;
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

  /** The event of an element that iteration gave. */
  protected element(items: unknown, index: number, value: unknown): EventId {
    if (Array.isArray(items)) return this.objects.written(items, index);
    const entries = this.objects.of(items)?.entries;
    if (entries == null) return 0;
    return entries.get(types.isMap(items) && Array.isArray(value) ? value[0] : value) ?? 0;
  }

  protected taken(
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
    if (path === null && isObject(value)) this.copyRest(value, whole, id);
    return id;
  }

  /** `const { a, ...rest } = whole`: the rest keeps the events of its properties. */
  protected copyRest(rest: object, whole: unknown, event: EventId): void {
    if (this.objects.of(rest) !== null) return;
    const record = this.objects.replace(rest, event);
    if (Array.isArray(rest) || !isObject(whole)) return;
    for (const key of Reflect.ownKeys(rest)) {
      const written = this.objects.written(whole, key);
      if (written !== 0) record.properties.set(key, written);
    }
  }

  /** Remembers the state around code that may call followed functions. */
  protected enterForeign(foreign: ForeignCall | null): Saved {
    const saved: Saved = {
      given: this.given,
      foreign: this.foreign,
      control: this.control,
      execution: this.execution,
      depth: this.depth,
      defaults: this.defaults,
      frame: this.frame,
    };
    this.given = null;
    this.defaults = null;
    this.foreign = foreign;
    this.active++;
    return saved;
  }

  protected leave(saved: Saved): void {
    this.active--;
    this.given = saved.given;
    this.defaults = saved.defaults;
    this.foreign = saved.foreign;
    this.control = saved.control;
    this.execution = saved.execution;
    this.depth = saved.depth;
    this.frame = saved.frame;
  }

  inForeign<T>(foreign: ForeignCall, work: () => T): T {
    const saved = this.enterForeign(foreign);
    try {
      return work();
    } finally {
      this.leave(saved);
    }
  }
}
