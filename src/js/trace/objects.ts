import { types } from "node:util";
import type { EventId } from "./store.ts";

/** What is known about the contents of an object. */
export type ObjectRecord = {
  /** The event that made it, or that changed all of it. */
  state: EventId;
  /** The last change of anything in it. */
  last: EventId;
  readonly properties: Map<PropertyKey, EventId>;
  /** Entries of maps and sets. */
  entries: Map<unknown, EventId> | null;
  /** For `Promise.all` and the like: what it waits for. */
  waitsFor: readonly unknown[] | null;
};

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

const mostInstead = 4;

/** Events of the contents of objects. Nothing here runs code of the program. */
export class ObjectEvents {
  readonly #records = new WeakMap<object, ObjectRecord>();

  of(value: unknown): ObjectRecord | null {
    return isObject(value) ? (this.#records.get(value) ?? null) : null;
  }

  record(object: object): ObjectRecord {
    let record = this.#records.get(object);
    if (record === undefined) {
      record = { state: 0, last: 0, properties: new Map(), entries: null, waitsFor: null };
      this.#records.set(object, record);
    }
    return record;
  }

  /** The event that produced a property; 0 if it is unknown. */
  written(object: unknown, key: PropertyKey): EventId {
    const record = this.of(object);
    if (record === null) return 0;
    const own = record.properties.get(keyOf(key)) ?? 0;
    if (key === "length" || key === "size") return Math.max(own, record.state, record.last);
    return own === 0 ? record.state : own;
  }

  /** The last writes of other properties: what was written there was not written under a missing key. */
  instead(object: unknown, key: PropertyKey): readonly EventId[] {
    const record = this.of(object);
    if (record === null || record.properties.has(keyOf(key))) return [];
    return [...record.properties.values()].sort((a, b) => b - a).slice(0, mostInstead);
  }

  write(object: unknown, key: PropertyKey, event: EventId): void {
    if (!isObject(object)) return;
    const record = this.record(object);
    record.properties.set(keyOf(key), event);
    record.last = event;
  }

  /** All of the object was made or changed by one event. */
  replace(object: object, event: EventId): ObjectRecord {
    const record = this.record(object);
    record.state = event;
    record.last = event;
    record.properties.clear();
    record.entries = null;
    return record;
  }

  /** The first event of an object that came from code that is not followed. */
  appear(value: unknown, event: EventId): void {
    if (isObject(value) && !this.#records.has(value)) this.record(value).state = event;
  }

  /** The events of the contents: the last change and the making. */
  states(value: unknown): readonly EventId[] {
    const record = this.of(value);
    if (record === null) return [];
    return record.last === 0 || record.last === record.state ? [record.state] : [record.last, record.state];
  }
}

function keyOf(key: PropertyKey): PropertyKey {
  return typeof key === "number" ? String(key) : key;
}

/** The value of a property that can be read without running code; undefined otherwise. */
export function peek(object: unknown, key: PropertyKey): unknown {
  if (typeof object === "string") return typeof key === "symbol" ? undefined : (object as never)[key as never];
  for (let at = object, depth = 0; isObject(at) && depth < 8; at = Object.getPrototypeOf(at), depth++) {
    if (types.isProxy(at)) return undefined;
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}
