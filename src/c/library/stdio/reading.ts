import type { ScalarValue } from "../../../ir/scalarValue.ts";
import {
  type Entry,
  type OperationEntry,
  type OperationFields,
  operations,
  type Pointer,
  pointer,
  signedInteger,
} from "../entry.ts";
import { type Host, sizeNumber } from "../host.ts";
import { bytes, format, pointee, reads, remembers, string, unbounded, writes } from "../memoryUse.ts";
import { blockArguments, type FormatArguments, passedArguments } from "./formatPrint.ts";
import { formatScan, StreamCharacters, stringCharacters } from "./formatScan.ts";
import { inputFor, readCharacter, readProblem, type Stream, streamFor } from "./streams.ts";

/** `<stdio.h>`: input from files and from `--stdin`. */

const operation = operations("stdio.h");
const fromStream = (entry: OperationFields): OperationEntry => operation({ ...entry, source: "environment" });

export const notReadable = {
  EBADF: "the stream is not open for reading",
  EISDIR: "the stream is a folder",
} as const;

/** Reads with `take` and records the origin of the bytes; -1 if the stream cannot be read. */
function taking<T>(host: Host, stream: Stream, take: () => T): T {
  const at = stream.position;
  const result = take();
  if (stream.position > at) host.taken(stream, at, stream.position - at);
  return result;
}

function nextCharacter(host: Host, stream: Stream | null): number {
  return stream === null ? -1 : taking(host, stream, () => readCharacter(stream));
}

/** Standard input, which `freopen` and `fclose` may have changed. */
function standardInput(host: Host): Stream | null {
  const { stdin } = host.state.streams;
  return readProblem(stdin) === null ? stdin : null;
}

/** Up to `max` bytes, with the delimiter if `keep`; null at the end of the input. */
export function readUntil(
  host: Host,
  stream: Stream,
  delimiter: number,
  max: number,
  keep: boolean,
): Uint8Array | null {
  return taking(host, stream, () => {
    const line: number[] = [];
    while (line.length < max) {
      const c = readCharacter(stream);
      if (c === -1) {
        if (line.length === 0) return null;
        break;
      }
      if (c === delimiter && !keep) break;
      line.push(c);
      if (c === delimiter) break;
    }
    return Uint8Array.from(line);
  });
}

function getCharacter(name: string): OperationEntry {
  return fromStream({
    prototype: `int ${name}(FILE *stream)`,
    errno: notReadable,
    run: (host, stream: Pointer) => nextCharacter(host, inputFor(host, stream)),
  });
}

function scan(host: Host, stream: Stream | null, fmt: Pointer, args: FormatArguments): number {
  const format = host.readString(fmt);
  if (stream === null) return -1;
  return taking(host, stream, () => formatScan(host, format, new StreamCharacters(stream), args));
}

function scanString(host: Host, at: Pointer, fmt: Pointer, args: FormatArguments): number {
  const format = host.readString(fmt);
  return formatScan(host, format, stringCharacters(host.readString(at).slice()), args);
}

const outOfRange = { ERANGE: "a number is out of its type's range" } as const;
const scanned = [reads("format", string), writes("...", format)];
/** The list holds the addresses. */
const scannedList = [reads("format", string), reads("list", unbounded), { kind: "remembers" }] as const;

const characters: readonly Entry[] = [
  fromStream({ prototype: "int getchar(void)", run: (host) => nextCharacter(host, standardInput(host)) }),
  getCharacter("fgetc"),
  getCharacter("getc"),
  fromStream({
    prototype: "int ungetc(int character, FILE *stream)",
    run: (host, character: number, pointer: Pointer) => {
      const stream = streamFor(host, pointer);
      if (character === -1 || !stream.mode.reads) return -1;
      stream.pushedBack.push(character & 255);
      stream.ended = false;
      return character & 255;
    },
  }),
  fromStream({
    prototype: "char *fgets(char *to, int size, FILE *stream)",
    memory: [writes("to", bytes("size"))],
    errno: notReadable,
    run: (host, to: Pointer, size: number, pointer: Pointer) => {
      if (size <= 0) return 0;
      if (size === 1) {
        streamFor(host, pointer);
        host.writeString(to, new Uint8Array(0));
        return to;
      }
      const stream = inputFor(host, pointer);
      const line = stream === null ? null : readUntil(host, stream, 10, size - 1, true);
      if (line === null) return 0;
      host.writeString(to, line);
      return to;
    },
  }),
  fromStream({
    prototype: "char *gets(char *to)",
    memory: [writes("to", unbounded)],
    run: (host, to: Pointer) => {
      const stream = standardInput(host);
      const line = stream === null ? null : readUntil(host, stream, 10, Number.POSITIVE_INFINITY, false);
      if (line === null) return 0;
      host.writeString(to, line);
      return to;
    },
  }),
  fromStream({
    prototype: "size_t fread(void *to, size_t size, size_t count, FILE *stream)",
    memory: [writes("to", bytes("size", "count"))],
    errno: notReadable,
    run: (host, to: Pointer, size: ScalarValue, count: ScalarValue, pointer: Pointer) => {
      const total = sizeNumber(size) * sizeNumber(count);
      const stream = inputFor(host, pointer);
      if (stream === null || total === 0) return 0;
      const read = readUntil(host, stream, -1, total, true);
      if (read === null) return 0;
      host.writeBytes(to, read);
      return Math.floor(read.length / sizeNumber(size));
    },
  }),
];

const scanning: readonly Entry[] = [
  fromStream({
    prototype: "int scanf(const char *format, ...)",
    memory: scanned,
    errno: outOfRange,
    run: (host, fmt: Pointer, ...values: ScalarValue[]) =>
      scan(host, standardInput(host), fmt, passedArguments(host, 1, values)),
  }),
  fromStream({
    prototype: "int fscanf(FILE *stream, const char *format, ...)",
    memory: scanned,
    errno: { ...outOfRange, ...notReadable },
    run: (host, stream: Pointer, fmt: Pointer, ...values: ScalarValue[]) =>
      scan(host, inputFor(host, stream), fmt, passedArguments(host, 2, values)),
  }),
  operation({
    prototype: "int sscanf(const char *string, const char *format, ...)",
    memory: [reads("string", string), ...scanned],
    errno: outOfRange,
    run: (host, at: Pointer, fmt: Pointer, ...values: ScalarValue[]) =>
      scanString(host, at, fmt, passedArguments(host, 2, values)),
  }),
  fromStream({
    prototype: "int vscanf(const char *format, __builtin_va_list list)",
    memory: scannedList,
    run: (host, fmt: Pointer, list: Pointer) => scan(host, standardInput(host), fmt, blockArguments(host, list)),
  }),
  fromStream({
    prototype: "int vfscanf(FILE *stream, const char *format, __builtin_va_list list)",
    memory: scannedList,
    errno: notReadable,
    run: (host, stream: Pointer, fmt: Pointer, list: Pointer) =>
      scan(host, inputFor(host, stream), fmt, blockArguments(host, list)),
  }),
  operation({
    prototype: "int vsscanf(const char *string, const char *format, __builtin_va_list list)",
    memory: [reads("string", string), ...scannedList],
    errno: outOfRange,
    run: (host, at: Pointer, fmt: Pointer, list: Pointer) => scanString(host, at, fmt, blockArguments(host, list)),
  }),
];

export const reading: readonly Entry[] = [...characters, ...scanning];

/** `<stdio.h>`: lines in growing blocks. */

/** glibc's initial size. */
const firstRoom = 120;

function getDelimited(host: Host, line: Pointer, size: Pointer, delimiter: number, from: Pointer): number {
  if (line === 0 || size === 0) {
    host.setErrno("EINVAL");
    return -1;
  }
  const sizeType = signedInteger(host.pointerBytes === 8 ? 64 : 32);
  const stream = inputFor(host, from);
  if (stream === null) return -1;
  let block = host.readScalar(line, pointer) as Pointer;
  let room = block === 0 ? 0 : sizeNumber(host.readScalar(size, sizeType));
  const grow = (needed: number) => {
    if (needed <= room) return;
    room = needed;
    if (block === 0) block = host.allocate(room, "heap");
    else {
      host.blockSize(block, "getline");
      block = host.reallocate(block, room);
    }
    host.writeScalar(line, pointer, block);
    host.writeScalar(size, sizeType, room);
  };
  if (room === 0) grow(firstRoom);
  const content = readUntil(host, stream, delimiter & 255, Number.POSITIVE_INFINITY, true);
  if (content === null) return -1;
  const needed = content.length + 1;
  if (needed > room) grow(Math.max(needed, 2 * room));
  host.writeString(block, content);
  return content.length;
}

const grown = {
  memory: [reads("line", pointee), reads("size", pointee), writes("line", pointee), writes("size", pointee), remembers],
  errno: { EINVAL: "the pointer to the line or to its size is null", ...notReadable },
  source: "environment",
} as const;

export const lines: readonly Entry[] = [
  operation({
    ...grown,
    prototype: "ssize_t getline(char **line, size_t *size, FILE *stream)",
    run: (host, line: Pointer, size: Pointer, stream: Pointer) => getDelimited(host, line, size, 10, stream),
  }),
  operation({
    ...grown,
    prototype: "ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)",
    run: getDelimited,
  }),
];
