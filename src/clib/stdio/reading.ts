import type { Value } from "../../ir/scalarValue.ts";
import { type Entry, type OperationEntry, type OperationFields, operations } from "../entry.ts";
import type { Host } from "../host.ts";
import { bytes, format, reads, string, unbounded, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";
import { streamCharacters, stringCharacters } from "./characterSource.ts";
import { passedArguments } from "./formatArguments.ts";
import { formatScan } from "./formatScan.ts";
import { readCharacter } from "./streams.ts";

/** `<stdio.h>`: input from what `--stdin` gives. */

const operation = operations("stdio.h");
const fromStdin = (entry: OperationFields): OperationEntry => operation({ ...entry, source: "environment" });

function requireInput(host: Host, stream: Pointer): void {
  if (host.streamAt(stream) === "stdin") return;
  host.undefined(stream === 0 ? "the stream is a null pointer" : "the stream is not an input stream");
}

/** Up to `max` bytes, a newline included if `keepNewline`; null at the end of the input. */
function readLine(host: Host, max: number, keepNewline: boolean): Uint8Array | null {
  const line: number[] = [];
  while (line.length < max) {
    const c = readCharacter(host.state.streams);
    if (c === -1) {
      if (line.length === 0) return null;
      break;
    }
    if (c === 10 && !keepNewline) break;
    line.push(c);
    if (c === 10) break;
  }
  return Uint8Array.from(line);
}

function getCharacter(name: string): OperationEntry {
  return fromStdin({
    prototype: `int ${name}(FILE *stream)`,
    run: (host, stream: Pointer) => {
      requireInput(host, stream);
      return readCharacter(host.state.streams);
    },
  });
}

function scan(host: Host, fmt: Pointer, fixed: number, values: readonly Value[]): number {
  const directives = host.readString(fmt).slice();
  return formatScan(host, directives, streamCharacters(host.state.streams), passedArguments(host, fixed, values));
}

const outOfRange = { ERANGE: "a number is out of its type's range" } as const;
const scanned = [reads("format", string), writes("...", format)];

export const reading: readonly Entry[] = [
  fromStdin({ prototype: "int getchar(void)", run: ({ state }) => readCharacter(state.streams) }),
  getCharacter("fgetc"),
  getCharacter("getc"),
  fromStdin({
    prototype: "int ungetc(int character, FILE *stream)",
    run: (host, character: number, stream: Pointer) => {
      requireInput(host, stream);
      if (character === -1) return -1;
      host.state.streams.pushedBack.push(character & 255);
      host.state.streams.inputEnded = false;
      return character & 255;
    },
  }),
  fromStdin({
    prototype: "char *fgets(char *to, int size, FILE *stream)",
    memory: [writes("to", bytes("size"))],
    run: (host, to: Pointer, size: number, stream: Pointer) => {
      requireInput(host, stream);
      if (size <= 0) return 0;
      const line = size === 1 ? new Uint8Array(0) : readLine(host, size - 1, true);
      if (line === null) return 0;
      host.writeString(to, line);
      return to;
    },
  }),
  fromStdin({
    prototype: "char *gets(char *to)",
    memory: [writes("to", unbounded)],
    run: (host, to: Pointer) => {
      const line = readLine(host, Number.POSITIVE_INFINITY, false);
      if (line === null) return 0;
      host.writeString(to, line);
      return to;
    },
  }),
  fromStdin({
    prototype: "int feof(FILE *stream)",
    run: ({ state }) => (state.streams.inputEnded ? 1 : 0),
  }),
  fromStdin({ prototype: "int ferror(FILE *stream)", run: () => 0 }),
  fromStdin({
    prototype: "int scanf(const char *format, ...)",
    memory: scanned,
    errno: outOfRange,
    run: (host, fmt: Pointer, ...values: Value[]) => scan(host, fmt, 1, values),
  }),
  fromStdin({
    prototype: "int fscanf(FILE *stream, const char *format, ...)",
    memory: scanned,
    errno: outOfRange,
    run: (host, stream: Pointer, fmt: Pointer, ...values: Value[]) => {
      requireInput(host, stream);
      return scan(host, fmt, 2, values);
    },
  }),
  operation({
    prototype: "int sscanf(const char *string, const char *format, ...)",
    memory: [reads("string", string), ...scanned],
    errno: outOfRange,
    run: (host, at: Pointer, fmt: Pointer, ...values: Value[]) => {
      const directives = host.readString(fmt).slice();
      const source = stringCharacters(host.readString(at).slice());
      return formatScan(host, directives, source, passedArguments(host, 2, values));
    },
  }),
];
