import { readFileSync } from "node:fs";
import { block, type LogSummary, magic, tag, version } from "./logFormat.ts";
import type { Recorded, RecordedObject, RecordedSymbol, RecordedText } from "./recorded.ts";

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
