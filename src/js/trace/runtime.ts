import { type CallRecord, foreignCall, kindOfFunction, promiseOf } from "./calls.ts";
import { isObject, peek } from "./objects.ts";
import type { TraceFrame, Waiting } from "./statementRuntime.ts";
import type { EventId } from "./store.ts";
import { Spread, ValueRuntime } from "./valueRuntime.ts";

type Indexed = Record<PropertyKey, unknown>;

/** The object that instrumented code calls: it does what the source says, and notes the events. */
export class TraceRuntime extends ValueRuntime {
  call(site: number, callee: unknown, event: EventId, ...pairs: readonly unknown[]): unknown {
    return this.invokePairs(site, callee, event, undefined, 0, nameOf(callee), pairs, false);
  }

  callWith(
    site: number,
    callee: unknown,
    event: EventId,
    self: unknown,
    selfEvent: EventId,
    ...pairs: readonly unknown[]
  ): unknown {
    return this.invokePairs(site, callee, event, self, selfEvent, nameOf(callee), pairs, false);
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
      this.failing(site, object, [event, keyEvent]);
      throw this.nothingToRead(object, key);
    }
    const before = this.entered;
    const callee = isObject(object) ? (object as Indexed)[key] : this.readPrimitive(object, key);
    const written = isObject(object) ? (this.objects.of(object)?.properties.get(key) ?? 0) : 0;
    const called = this.entered === before ? written || keyEvent : this.r;
    return this.invokePairs(site, callee, called, object, event, key, pairs, false);
  }

  callBy(
    site: number,
    object: unknown,
    event: EventId,
    key: string,
    get: (object: unknown) => unknown,
    ...pairs: readonly unknown[]
  ): unknown {
    return this.invokePairs(site, get(object), 0, object, event, key, pairs, false);
  }

  construct(site: number, callee: unknown, event: EventId, ...pairs: readonly unknown[]): unknown {
    return this.invokePairs(site, callee, event, undefined, 0, nameOf(callee), pairs, true);
  }

  beforeSuper(site: number, ...pairs: readonly unknown[]): readonly unknown[] {
    const { values, events } = this.unpack(pairs);
    const event = this.event(site, undefined, 0);
    this.given = { values, events, event, frame: null };
    return values;
  }

  afterSuper<T>(site: number, made: T): T {
    const given = this.given;
    this.given = null;
    // The arguments are still there: the class is not followed.
    if (given !== null)
      this.objects.appear(made, this.event(site, made, [given.event, ...given.events].filter(Boolean)));
    return made;
  }

  protected unpack(pairs: readonly unknown[]): { readonly values: unknown[]; readonly events: EventId[] } {
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

  protected invokePairs(
    site: number,
    callee: unknown,
    event: EventId,
    self: unknown,
    selfEvent: EventId,
    key: PropertyKey,
    pairs: readonly unknown[],
    isNew: boolean,
  ): unknown {
    const { values, events } = this.unpack(pairs);
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
      const id = this.failing(site, callee, [event, selfEvent]);
      const error = this.typeError(
        `${this.textOf(site) ?? String(key)} is not a ${isNew ? "constructor" : "function"}`,
      );
      this.noteThrow(error, id, null);
      throw error;
    }
    if (kindOfFunction(callee) !== "own")
      return foreignCall(this, { site, callee, event, self, selfEvent, key, values, events, isNew });
    const id = this.event(site, undefined, selfEvent, event);
    const call: CallRecord = { values, events, event: id, frame: null };
    const saved = this.enterForeign(null);
    this.given = call;
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
      this.leave(saved);
      if (thrown !== 0) this.rejects(thrown);
    }
    this.returned(site, call, value, isNew);
    return value;
  }

  protected returned(site: number, call: CallRecord, value: unknown, isNew: boolean): void {
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
    this.frame = frame;
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

function nameOf(callee: unknown): string {
  const name = isObject(callee) ? peek(callee, "name") : undefined;
  return typeof name === "string" ? name : "";
}
