import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { types } from "node:util";
import { block, type LogSummary, longestString, magic, payloadBits, tag, version } from "./logFormat.ts";

export type LogWriter = {
  /** Nothing more is written: the limit is reached. */
  readonly full: boolean;
  write(sites: Uint32Array, values: readonly unknown[], count: number): void;
  summarise(signatures: LogSummary["signatures"]): void;
};

/**
 * Encodes events: two words each, four for a double. Strings and classes of objects are named once, before their first
 * use. The tables of names grow as values are encoded.
 */
export function createLogWriter(path: string, maxBytes: number): LogWriter {
  const file = openSync(path, "w");
  let written = 0;
  let full = false;
  const strings = new Map<string, number>();
  const symbols = new Map<symbol, number>();
  const objects = new WeakMap<object, number>();
  let objectCount = 0;
  let newStrings: string[] = [];
  /** Pairs: object, string number of its class. */
  let newObjects: number[] = [];

  function append(type: number, body: Uint8Array): void {
    const header = Buffer.alloc(16);
    header.writeUInt32LE(magic, 0);
    header.writeUInt32LE(version, 4);
    header.writeUInt32LE(type, 8);
    header.writeUInt32LE(body.byteLength, 12);
    writeSync(file, header);
    writeSync(file, body);
    written += header.byteLength + body.byteLength;
  }

  function stringNumber(text: string): number {
    let known = strings.get(text);
    if (known === undefined) {
      known = strings.size;
      strings.set(text, known);
      newStrings.push(text);
    }
    return known;
  }

  function objectNumber(object: object): number {
    let known = objects.get(object);
    if (known === undefined) {
      known = objectCount++;
      objects.set(object, known);
      newObjects.push(known, stringNumber(describe(object)));
    }
    return known;
  }

  function symbolNumber(symbol: symbol): number {
    let known = symbols.get(symbol);
    if (known === undefined) {
      known = stringNumber(`${symbols.size}:${symbol.description ?? ""}`);
      symbols.set(symbol, known);
    }
    return known;
  }

  const scratch = new DataView(new ArrayBuffer(8));

  function encode(value: unknown, words: number[]): void {
    switch (typeof value) {
      case "undefined":
        words.push(tag.undefined);
        return;
      case "boolean":
        words.push(value ? tag.true : tag.false);
        return;
      case "number":
        // Zigzag: small numbers of either sign fit beside the tag.
        if (Number.isInteger(value) && !Object.is(value, -0) && Math.abs(value) < 2 ** (payloadBits - 1))
          words.push((value >= 0 ? value * 2 : -value * 2 - 1) * 16 + tag.int);
        else {
          scratch.setFloat64(0, value);
          words.push(tag.double, scratch.getUint32(0), scratch.getUint32(4));
        }
        return;
      case "string":
        if (value.length <= longestString) words.push(stringNumber(value) * 16 + tag.string);
        else words.push(stringNumber(shorten(value)) * 16 + tag.longString);
        return;
      case "bigint":
        words.push(stringNumber(String(value)) * 16 + tag.bigint);
        return;
      case "symbol":
        words.push(symbolNumber(value) * 16 + tag.symbol);
        return;
      case "function":
        words.push(objectNumber(value) * 16 + tag.function);
        return;
      case "object":
        words.push(value === null ? tag.null : objectNumber(value) * 16 + tag.object);
    }
  }

  return {
    get full() {
      return full;
    },
    write(sites, values, count) {
      if (full || count === 0) return;
      const words: number[] = [];
      for (let at = 0; at < count; at++) {
        words.push(sites[at]!);
        encode(values[at], words);
      }
      if (newStrings.length > 0) append(block.strings, Buffer.from(JSON.stringify(newStrings)));
      if (newObjects.length > 0) append(block.objects, bytesOf(newObjects));
      append(block.events, bytesOf(words));
      newStrings = [];
      newObjects = [];
      full = written > maxBytes;
    },
    summarise(signatures) {
      const summary: LogSummary = { signatures, stopped: full };
      append(block.summary, Buffer.from(JSON.stringify(summary)));
    },
  };
}

function bytesOf(words: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer);
}

function shorten(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.slice(0, 40)}\u2026 ${text.length} ${hash}`;
}

/** The name of an object's class, from own data properties: getters and proxies of the program must not run. */
function describe(object: object): string {
  if (types.isProxy(object)) return "Proxy";
  if (typeof object === "function") return ownString(object, "name") ?? "";
  if (types.isNativeError(object))
    return `${ownString(object, "name") ?? className(object)}: ${ownString(object, "message") ?? ""}`;
  return className(object);
}

function className(object: object): string {
  for (let at = Object.getPrototypeOf(object) as object | null; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return "Proxy";
    const constructor = Object.getOwnPropertyDescriptor(at, "constructor");
    if (constructor === undefined || typeof constructor.value !== "function") continue;
    return types.isProxy(constructor.value) ? "Proxy" : (ownString(constructor.value, "name") ?? "");
  }
  return "null";
}

function ownString(object: object, key: string): string | null {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  return typeof descriptor?.value === "string" ? descriptor.value.slice(0, 200) : null;
}
