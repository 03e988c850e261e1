import { readFileSync } from "node:fs";
import { block, control, type LogSummary, magic, sitesPerFile, tag, version } from "./logFormat.ts";

/**
 * A value as the log has it. Primitive values are themselves; what has an identity is one object here for each object
 * there, so `===` compares them as the program would.
 */
export type Recorded =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | RecordedObject
  | RecordedSymbol
  | RecordedText;

export type RecordedObject = {
  readonly kind: "object" | "function";
  /** Within one process's log. */
  readonly number: number;
  /** Name of the class; `TypeError: message` of an error, the name of a function. */
  readonly className: string;
};

export type RecordedSymbol = { readonly kind: "symbol"; readonly description: string };

/** A string that was too long to keep. Equal descriptions are equal strings. */
export type RecordedText = { readonly kind: "text"; readonly description: string; readonly length: number };

export function isObject(value: Recorded): value is RecordedObject {
  return typeof value === "object" && value !== null && (value.kind === "object" || value.kind === "function");
}

/** `site`: below `sitesPerFile` a `control` code, else file and site. */
export type LogEvent = { readonly site: number; readonly value: Recorded };

export type ProcessLog = {
  /** Events in the order in which they happened, read once. */
  readonly events: Iterable<LogEvent>;
  /** Null: the process ended before it could write it. */
  readonly summary: LogSummary | null;
  /** Bytes at the end that are no complete block. */
  readonly cutOff: number;
};

type Block = { readonly type: number; readonly body: Buffer };

/** Reads one process's log as far as it goes. Everything in it is data: nothing is evaluated. */
export function readLog(path: string): ProcessLog {
  const bytes = readFileSync(path);
  const blocks: Block[] = [];
  let at = 0;
  while (at + 16 <= bytes.length) {
    if (bytes.readUInt32LE(at) !== magic || bytes.readUInt32LE(at + 4) !== version) break;
    const length = bytes.readUInt32LE(at + 12);
    if (at + 16 + length > bytes.length) break;
    blocks.push({ type: bytes.readUInt32LE(at + 8), body: bytes.subarray(at + 16, at + 16 + length) });
    at += 16 + length;
  }
  const last = blocks.findLast((one) => one.type === block.summary);
  return {
    events: { [Symbol.iterator]: () => readEvents(blocks) },
    summary: last === undefined ? null : (JSON.parse(last.body.toString("utf8")) as LogSummary),
    cutOff: bytes.length - at,
  };
}

function* readEvents(blocks: readonly Block[]): Generator<LogEvent> {
  const names = createNames();
  for (const { type, body } of blocks) {
    if (type === block.strings) names.addStrings(JSON.parse(body.toString("utf8")) as string[]);
    else if (type === block.objects) names.addObjects(body);
    else if (type === block.events) {
      for (let at = 0; at + 8 <= body.length; ) {
        const site = body.readUInt32LE(at);
        const word = body.readUInt32LE(at + 4);
        at += 8;
        if ((word & 15) !== tag.double) yield { site, value: names.decode(word) };
        else {
          const bits = Buffer.alloc(8);
          bits.writeUInt32BE(body.readUInt32LE(at), 0);
          bits.writeUInt32BE(body.readUInt32LE(at + 4), 4);
          at += 8;
          yield { site, value: bits.readDoubleBE(0) };
        }
      }
    }
  }
}

function createNames() {
  const strings: string[] = [];
  const classes = new Map<number, string>();
  const objects = new Map<number, RecordedObject>();
  const symbols = new Map<number, RecordedSymbol>();
  const texts = new Map<number, RecordedText>();

  function object(kind: "object" | "function", number: number): RecordedObject {
    let known = objects.get(number);
    if (known === undefined) {
      known = { kind, number, className: classes.get(number) ?? "" };
      objects.set(number, known);
    }
    return known;
  }

  function intern<T>(map: Map<number, T>, number: number, make: (text: string) => T): T {
    let known = map.get(number);
    if (known === undefined) {
      known = make(strings[number] ?? "");
      map.set(number, known);
    }
    return known;
  }

  return {
    addStrings(more: readonly string[]): void {
      for (const text of more) strings.push(text);
    },
    addObjects(body: Buffer): void {
      for (let at = 0; at + 8 <= body.length; at += 8)
        classes.set(body.readUInt32LE(at), strings[body.readUInt32LE(at + 4)] ?? "");
    },
    decode(word: number): Recorded {
      const payload = word >>> 4;
      switch (word & 15) {
        case tag.null:
          return null;
        case tag.false:
          return false;
        case tag.true:
          return true;
        case tag.int:
          return payload % 2 === 0 ? payload / 2 : -(payload + 1) / 2;
        case tag.string:
          return strings[payload] ?? "";
        case tag.longString:
          return intern(texts, payload, (text) => ({
            kind: "text",
            description: text,
            length: Number(/ (\d+) \w+$/.exec(text)?.[1] ?? 0),
          }));
        case tag.bigint:
          return BigInt(strings[payload] ?? "0");
        case tag.symbol:
          return intern(symbols, payload, (text) => ({ kind: "symbol", description: text }));
        case tag.object:
          return object("object", payload);
        case tag.function:
          return object("function", payload);
        default:
          return undefined;
      }
    },
  };
}

/** The events of a call, in order. */
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

/** Calls of a log in the order in which they end, so a call comes after those that it made. */
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
