import { isObject, peek } from "./objects.ts";
import { applyOperator } from "./operators.ts";
import { StatementRuntime } from "./statementRuntime.ts";
import type { EventId } from "./store.ts";

/** A member that is read and then written: its object is computed once. */
type Place = { readonly object: unknown; readonly key: PropertyKey; readonly event: EventId; readonly old: unknown };

/** The elements of `...value`, with their events. */
export class Spread {
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

/** Events of values: variables, operators, literals and members of objects. */
export class ValueRuntime extends StatementRuntime {
  /** An object of the program's realm. */
  protected sample: object | null = null;

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
    const event = this.event(site, value, [a, b, ...states].filter(Boolean));
    this.assertions.lastOperation.note(event, operator, left, a, right, b);
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

  /** `list` is a new array of the program: test runners run programs in realms of their own. */
  array(site: number, list: unknown[], ...parts: readonly unknown[]): unknown[] {
    this.sample = list;
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

  object(site: number, made: Indexed, ...parts: readonly unknown[]): object {
    this.sample = made;
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
      values.map((each, i) => this.element(value, i, each) || source),
    );
  }

  field(
    site: number,
    value: unknown,
    whole: unknown,
    event: EventId,
    path: readonly (string | number)[] | null,
  ): EventId {
    return this.taken(site, value, whole, event || 0, path);
  }

  exported(name: string, value: unknown, event: EventId): void {
    if (isObject(value)) return;
    this.exportedValues.set(name, [...(this.exportedValues.get(name) ?? []), { value, event }]);
  }

  /** The event of an imported primitive value: the only export of that name with that value. */
  imported(name: string, value: unknown): EventId {
    if (isObject(value)) return 0;
    const found = (this.exportedValues.get(name) ?? []).filter((each) => Object.is(each.value, value));
    return found.length === 1 ? (found[0]?.event ?? 0) : 0;
  }

  // Members.

  get(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId): unknown {
    if (object === null || object === undefined) {
      this.failing(site, object, [event, keyEvent]);
      throw this.nothingToRead(object, key);
    }
    const before = this.entered;
    const saved = this.enterForeign(null);
    let value: unknown;
    try {
      value = isObject(object) ? (object as Indexed)[key] : this.readPrimitive(object, key);
    } catch (error) {
      this.noteThrow(error, this.failing(site, error, [event]), this.assertions.matcher(site, object, key, [], []));
      throw error;
    } finally {
      this.leave(saved);
    }
    this.got(site, object, event, key, keyEvent, value, before);
    if (isObject(object)) this.assertions.follow(object, key, value);
    return value;
  }

  protected got(
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
    const instead = value === undefined && returned === 0 ? this.objects.instead(object, key) : [];
    const data = [source === 0 ? event : source, keyEvent, ...instead].filter(Boolean);
    this.event(site, value, data, source === 0 ? 0 : event || 0);
  }

  nothingToRead(object: null | undefined, key: PropertyKey): Error {
    return this.typeError(`Cannot read properties of ${object} (reading '${String(key)}')`);
  }

  /** An error of the program's own realm. */
  typeError(message: string): Error {
    const maker =
      this.sample === null ? null : (peek(this.sample, "constructor") as { readonly constructor?: unknown });
    const Evaluate = maker?.constructor as FunctionConstructor | undefined;
    const Maker = (Evaluate === undefined ? TypeError : Evaluate("return TypeError")()) as typeof TypeError;
    return new Maker(message);
  }

  /** An operation that is about to throw: its operands are the reasons. */
  protected failing(site: number, value: unknown, parents: readonly EventId[]): EventId {
    const id = this.event(site, value, parents.filter(Boolean));
    this.lastThrow = { error: undefined, record: { event: id, assertion: null, inner: null, results: [] } };
    return id;
  }

  getBy(site: number, object: unknown, event: EventId, key: string, get: (object: unknown) => unknown): unknown {
    const before = this.entered;
    const value = get(object);
    this.got(site, object, event, key, 0, value, before);
    return value;
  }

  put(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId, value: unknown, by: EventId) {
    if (object === null || object === undefined) this.failing(site, object, [event]);
    (object as Indexed)[key] = value;
    return this.wrote(site, object, event, key, keyEvent, value, by);
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
    if (object === null || object === undefined) this.failing(site, object, [event]);
    setSloppily(object, key, value);
    return this.wrote(site, object, event, key, keyEvent, value, by);
  }

  protected wrote<T>(
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
    this.execution = this.executions.add(site, before, this.depth + 1, this.events.last);
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
    return this.changed(site, place, result, event);
  }

  changeSloppy(site: number, place: Place, operator: string, value: unknown, event: EventId): unknown {
    const result = applyOperator(operator, place.old, value);
    setSloppily(place.object, place.key, result);
    return this.changed(site, place, result, event);
  }

  fill(site: number, place: Place, value: unknown, event: EventId): unknown {
    (place.object as Indexed)[place.key] = value;
    return this.changed(site, place, value, event);
  }

  fillSloppy(site: number, place: Place, value: unknown, event: EventId): unknown {
    setSloppily(place.object, place.key, value);
    return this.changed(site, place, value, event);
  }

  protected changed<T>(site: number, place: Place, value: T, event: EventId): T {
    const id = this.event(site, value, [event, place.event].filter(Boolean));
    this.objects.write(place.object, place.key, id);
    return value;
  }

  count(site: number, place: Place, by: 1 | -1, isPrefix: boolean): unknown {
    const [before, result] = counted(place.old, by);
    (place.object as Indexed)[place.key] = result;
    this.changed(site, place, result, 0);
    return isPrefix ? result : before;
  }

  countSloppy(site: number, place: Place, by: 1 | -1, isPrefix: boolean): unknown {
    const [before, result] = counted(place.old, by);
    setSloppily(place.object, place.key, result);
    this.changed(site, place, result, 0);
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
    this.wrote(site, object, event, key, keyEvent, result, 0);
    return result;
  }

  removeSloppy(site: number, object: unknown, event: EventId, key: PropertyKey, keyEvent: EventId): boolean {
    const result = removeSloppily(object, key);
    this.wrote(site, object, event, key, keyEvent, result, 0);
    return result;
  }
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
