import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { types } from "node:util";
import { threadId } from "node:worker_threads";
import { control, directoryVariable, type RecorderSettings, settingsFile } from "./logFormat.ts";
import { createLogWriter, type LogWriter } from "./logWriter.ts";

/** Functions that the instrumented code calls, as globals `tf$L` and so on; each returns its argument. */
export type Wrappers = { readonly [name: `tf$${string}`]: (...args: never[]) => unknown };

type Path = { readonly number: number; readonly enter: number; calls: number; kept: number };

export type Recorder = {
  readonly wrappers: Wrappers;
  /** A test begins. */
  test(name: string): void;
  /** Writes what there is, and how often each path was taken so far: a thread may end without another word. */
  flush(): void;
};

const firstCapacity = 1 << 14;
const lastCapacity = 1 << 21;
/** Tests beyond these share a bit: two paths may then count as one. */
const signatureBits = 40;
/** Kinds of arguments are part of the signature, three bits each: they say what a function is called with. */
const typeBits = 12;
const maxPaths = 512;
const noPrivates: readonly never[] = [];

/**
 * Buffers events and hands them on when a chunk is full. A call whose path has been seen `quota` times is cut out of
 * the buffer when it ends, unless something new happened inside of it. The wrappers are the innermost
 * loop of somebody else's program, so their state is in local variables.
 */
export function createRecorder(writer: LogWriter, quota: number): Recorder {
  let capacity = firstCapacity;
  let sites = new Uint32Array(capacity);
  const values: unknown[] = new Array(capacity).fill(undefined);
  let count = 0;
  let frames = 0;
  let depth = -1;
  const frameNumber: number[] = [];
  const frameEnter: number[] = [];
  const frameStart: number[] = [];
  const frameLow: number[] = [];
  const frameHigh: number[] = [];
  const frameTypes: number[] = [];
  const frameKeep: boolean[] = [];
  const frameHeld: number[] = [];
  const paths = new Map<number, Map<number, Path>>();
  const allPaths: Path[] = [];
  const held: unknown[] = [];
  let heldCount = 0;

  function push(site: number, value: unknown): void {
    if (count === capacity) makeRoom();
    sites[count] = site;
    values[count++] = value;
  }

  /** Larger until it is large; then what is there is written, and the calls that are under way stay. */
  function makeRoom(): void {
    if (capacity < lastCapacity && !writer.full) {
      capacity *= 2;
      const larger = new Uint32Array(capacity);
      larger.set(sites);
      sites = larger;
      values.length = capacity;
      return;
    }
    flush();
  }

  function flush(): void {
    writer.write(sites, values, count);
    forget(0);
    for (let at = 0; at <= depth; at++) {
      frameStart[at] = 0;
      frameKeep[at] = true;
    }
  }

  /** Objects must not live longer because they were logged. */
  function forget(from: number): void {
    values.fill(undefined, from, count);
    count = from;
  }

  function bit(number: number, way: boolean): void {
    if (depth < 0) return;
    const at = (number * 2 + (way ? 1 : 0)) % signatureBits;
    if (at < 30) frameLow[depth]! |= 1 << at;
    else frameHigh[depth]! |= 1 << (at - 30);
  }

  function open(enter: number, number: number, keep: boolean): void {
    depth++;
    frameNumber[depth] = number;
    frameEnter[depth] = enter;
    frameStart[depth] = count;
    frameLow[depth] = 0;
    frameHigh[depth] = 0;
    frameTypes[depth] = 0;
    frameKeep[depth] = keep;
    frameHeld[depth] = heldCount;
  }

  /** Frames above it ended without a word: the stack was full. */
  function unwindTo(number: number): boolean {
    let at = depth;
    while (at >= 0 && frameNumber[at] !== number) at--;
    if (at < 0) return false;
    while (depth > at) {
      push(control.exit, frameNumber[depth]);
      depth--;
      if (depth >= 0) frameKeep[depth] = true;
    }
    return true;
  }

  /** A frame that waited goes on, perhaps in a `catch` or `finally`, where nothing else says so. */
  function ensure(number: number): void {
    if (depth >= 0 && frameNumber[depth] === number) return;
    if (unwindTo(number)) return;
    push(control.resume, number);
    open(0, number, true);
  }

  function pathOf(enter: number, low: number, high: number, kinds: number): Path | null {
    let known = paths.get(enter);
    if (known === undefined) {
      known = new Map();
      paths.set(enter, known);
    }
    const key = (low >>> 0) + ((high << typeBits) + kinds) * 2 ** 30;
    let path = known.get(key);
    if (path === undefined) {
      if (known.size >= maxPaths) return null;
      path = { number: allPaths.length, enter, calls: 0, kept: 0 };
      allPaths.push(path);
      known.set(key, path);
    }
    return path;
  }

  /** The call is over; true if its events are kept and the state of its object is wanted. */
  function leave(number: number): boolean {
    ensure(number);
    const enter = frameEnter[depth]!;
    const path = enter === 0 ? null : pathOf(enter, frameLow[depth]!, frameHigh[depth]!, frameTypes[depth]!);
    if (path !== null) path.calls++;
    const known = path === null ? enter !== 0 : quota > 0 && path.kept >= quota;
    heldCount = frameHeld[depth]!;
    if (known && !frameKeep[depth]!) {
      forget(frameStart[depth]!);
      depth--;
      push(control.elided, path === null ? -1 : path.number);
      return false;
    }
    depth--;
    if (depth >= 0) frameKeep[depth] = true;
    if (path !== null) path.kept++;
    push(control.exit, number);
    push(control.signature, path === null ? -1 : path.number);
    if (depth < 0 && count > 1 << 16) flush();
    return true;
  }

  function state(value: unknown): void {
    push(control.state, value);
    if (types.isProxy(value)) return;
    if (Array.isArray(value)) {
      push(control.length, value.length);
      for (let at = 0; at < value.length && at < 64; at++) {
        const descriptor = Object.getOwnPropertyDescriptor(value, at);
        push(control.element, descriptor === undefined || !("value" in descriptor) ? undefined : descriptor.value);
      }
    } else if (types.isMap(value)) push(control.size, Reflect.apply(mapSize, value, noPrivates));
    else if (types.isSet(value)) push(control.size, Reflect.apply(setSize, value, noPrivates));
  }

  /** Own data properties only: nothing of the program runs. */
  function snapshot(self: unknown, names: readonly string[] = noPrivates, privates: readonly unknown[] = noPrivates) {
    if (typeof self !== "object" || self === null || self === globalThis || types.isProxy(self)) return;
    push(control.object, self);
    privates.forEach((value, at) => {
      push(control.key, names[at]);
      state(value);
    });
    if (Array.isArray(self) || ArrayBuffer.isView(self)) return;
    for (const key of Object.getOwnPropertyNames(self).slice(0, 64)) {
      const descriptor = Object.getOwnPropertyDescriptor(self, key);
      if (descriptor === undefined || !("value" in descriptor)) continue;
      push(control.key, key);
      state(descriptor.value);
    }
  }

  const wrappers = {
    tf$L(site: number, value: unknown): unknown {
      if (count === capacity) makeRoom();
      sites[count] = site;
      values[count++] = value;
      return value;
    },
    tf$A(site: number, value: unknown): unknown {
      push(site, value);
      frameTypes[depth] = (frameTypes[depth]! * 8 + typeCode(value)) % (1 << typeBits);
      return value;
    },
    tf$V(site: number, value: unknown, number: number): unknown {
      push(site, value);
      bit(number, value !== undefined && value !== null && value !== false && value !== 0 && value !== "");
      return value;
    },
    tf$B(site: number, value: unknown, number: number): unknown {
      const way = !!value;
      push(site, way);
      bit(number, way);
      return value;
    },
    tf$H(object: unknown): unknown {
      held[heldCount++] = object;
      return object;
    },
    tf$G(site: number, value: unknown, number?: number): unknown {
      const object = held[--heldCount];
      held[heldCount] = undefined;
      push(site, value);
      if (Array.isArray(object) && !types.isProxy(object)) push(control.length, object.length);
      if (number !== undefined) bit(number, !!value);
      return value;
    },
    tf$E(enter: number): number {
      const number = ++frames;
      open(enter, number, false);
      push(control.enter, number);
      push(enter, undefined);
      return number;
    },
    tf$T(number: number, error: unknown): unknown {
      ensure(number);
      bit(signatureBits >> 1, true);
      push(control.throws, error);
      return error;
    },
    tf$X: leave,
    tf$O: snapshot,
    tf$I: (value: unknown): boolean => (typeof value === "object" && value !== null) || typeof value === "function",
    tf$C(site: number, number: number, error?: unknown): void {
      ensure(number);
      push(site, error);
    },
    tf$K: ensure,
    tf$P(number: number, value?: unknown): unknown {
      ensure(number);
      push(control.suspend, number);
      depth--;
      for (let at = 0; at <= depth; at++) frameKeep[at] = true;
      return value;
    },
    tf$R(site: number, number: number, value: unknown, test?: number): unknown {
      ensure(number);
      push(site, value);
      if (test !== undefined) bit(test, !!value);
      return value;
    },
  };

  return {
    wrappers,
    test: (name) => push(control.test, name),
    flush() {
      flush();
      writer.summarise(allPaths.map(({ enter, calls, kept }) => ({ enter, calls, kept })));
    },
  };
}

function typeCode(value: unknown): number {
  switch (typeof value) {
    case "number":
      return 1;
    case "string":
      return 2;
    case "boolean":
      return 3;
    case "function":
      return 4;
    case "object":
      return value === null ? 0 : Array.isArray(value) ? 5 : 6;
    default:
      return value === undefined ? 0 : 7;
  }
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get!;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get!;

const key = Symbol.for("tracefold.recorder");

/** The recorder of this global scope, made at first use; null where nothing is to be recorded. */
export function installRecorder(): Recorder | null {
  const scope = globalThis as { [key]?: Recorder };
  if (scope[key] !== undefined) return scope[key];
  const directory = process.env[directoryVariable];
  const settings = directory === undefined ? null : readSettings(directory);
  if (directory === undefined || settings === null) return null;
  const logs = join(directory, "logs");
  mkdirSync(logs, { recursive: true });
  // Worker threads and contexts of one process each have a log.
  let path: string;
  let attempt = 0;
  do path = join(logs, `${process.pid}-${threadId}-${attempt++}.tflog`);
  while (existsSync(path));
  const recorder = createRecorder(createLogWriter(path, settings.maxBytes), settings.quota);
  Object.defineProperty(globalThis, key, { value: recorder, configurable: true });
  for (const [name, value] of Object.entries(recorder.wrappers))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  process.on("exit", () => recorder.flush());
  // An interrupted process has run up to there. Other listeners decide what happens next; without any, the default does.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const ended = (): void => {
      recorder.flush();
      if (process.listenerCount(signal) > 1) return;
      process.removeListener(signal, ended);
      process.kill(process.pid, signal);
    };
    process.on(signal, ended);
  }
  return recorder;
}

export function readSettings(directory: string): RecorderSettings | null {
  const path = join(directory, settingsFile);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as RecorderSettings) : null;
}
