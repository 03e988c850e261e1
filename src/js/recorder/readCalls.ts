import { control, sitesPerFile } from "./logFormat.ts";
import type { LogEvent } from "./readLog.ts";
import { isObject, type Recorded, type RecordedObject } from "./recorded.ts";

/** What happened during a call, in order. */
export type LogItem =
  /** A site of the call's own file. `length`: of the array that the element is in. */
  | { readonly kind: "value"; readonly site: number; readonly value: Recorded; length: number | null }
  | { readonly kind: "call"; readonly call: LoggedCall }
  /** A call whose path is known by its signature; -1: there were too many paths. */
  | { readonly kind: "elided"; readonly signature: number };

/** An object's own properties at the end of a call; elements of arrays, up to 64, and sizes of Maps and Sets. */
export type ObjectState = {
  readonly object: RecordedObject;
  readonly properties: ReadonlyMap<string, PropertyState>;
};

export type PropertyState = {
  readonly value: Recorded;
  length: number | null;
  readonly elements: Recorded[];
  size: number | null;
};

export type CallOutcome =
  | { readonly kind: "returned" }
  | { readonly kind: "threw"; readonly error: Recorded }
  /** The log ends, or the frame waits for ever. */
  | { readonly kind: "pending" };

export type LoggedCall = {
  /** File and site of the function's `enter`. */
  readonly file: number;
  readonly enter: number;
  readonly parent: LoggedCall | null;
  readonly test: string | null;
  /** The test that the first of the calls around it was made in, or that call itself. */
  readonly origin: string;
  items: LogItem[];
  /** The frame waited at least once: other calls' events lay between its own. */
  waited: boolean;
  outcome: CallOutcome;
  signature: number;
  state: ObjectState | null;
};

/** Calls of a log in the order in which they end, so a call comes after those that it made. One closure: a stack machine. */
export function* readCalls(events: Iterable<LogEvent>): Generator<LoggedCall> {
  const stack: LoggedCall[] = [];
  const frames = new Map<number, LoggedCall>();
  let test: string | null = null;
  let thrown: { readonly error: Recorded } | null = null;
  let ended: LoggedCall | null = null;
  let entered: number | null = null;
  let state: { object: RecordedObject; properties: Map<string, PropertyState> } | null = null;
  let key: string | null = null;
  let property: PropertyState | null = null;

  function enter(site: number, number: number): void {
    const parent = stack.at(-1) ?? null;
    const call: LoggedCall = {
      file: Math.floor(site / sitesPerFile),
      enter: site % sitesPerFile,
      parent,
      test,
      origin: parent?.origin ?? test ?? String(site),
      items: [],
      waited: false,
      outcome: { kind: "pending" },
      signature: -1,
      state: null,
    };
    parent?.items.push({ kind: "call", call });
    frames.set(number, call);
    stack.push(call);
  }

  for (const { site, value } of events) {
    // What a call ends with follows its exit; whatever else comes says that it is complete.
    if (ended !== null && !followsExit(site)) {
      yield ended;
      ended = null;
      state = null;
      property = null;
    }
    const top = stack.at(-1);
    if (site >= sitesPerFile) {
      if (entered !== null) enter(site, entered);
      else top?.items.push({ kind: "value", site: site % sitesPerFile, value, length: null });
      entered = null;
      continue;
    }
    switch (site) {
      case control.enter:
        entered = value as number;
        break;
      case control.throws:
        thrown = { error: value };
        break;
      case control.exit: {
        const call = frames.get(value as number);
        if (call === undefined) break;
        frames.delete(value as number);
        if (ended !== null) yield ended;
        while (stack.length > 0 && stack.includes(call)) if (stack.pop() === call) break;
        call.outcome = thrown === null ? { kind: "returned" } : { kind: "threw", error: thrown.error };
        thrown = null;
        ended = call;
        state = null;
        break;
      }
      case control.signature:
        if (ended !== null) ended.signature = value as number;
        break;
      case control.suspend:
        if (top !== undefined) {
          top.waited = true;
          stack.pop();
        }
        break;
      case control.resume: {
        const call = frames.get(value as number);
        if (call !== undefined) stack.push(call);
        break;
      }
      case control.elided:
        top?.items.push({ kind: "elided", signature: value as number });
        break;
      case control.test:
        test = String(value);
        break;
      case control.object:
        if (isObject(value) && ended !== null) {
          state = { object: value, properties: new Map() };
          ended.state = state;
        }
        break;
      case control.key:
        key = String(value);
        break;
      case control.state:
        property = { value, length: null, elements: [], size: null };
        if (state !== null && key !== null) state.properties.set(key, property);
        break;
      case control.element:
        property?.elements.push(value);
        break;
      case control.size:
        if (property !== null) property.size = value as number;
        break;
      case control.length:
        if (ended !== null && property !== null) property.length = value as number;
        else noteLength(top, value as number);
        break;
    }
  }
  if (ended !== null) yield ended;
}

function followsExit(site: number): boolean {
  return site < sitesPerFile && (site === control.signature || (site >= control.object && site <= control.size));
}

function noteLength(call: LoggedCall | undefined, length: number): void {
  const last = call?.items.at(-1);
  if (last?.kind === "value") last.length = length;
}
