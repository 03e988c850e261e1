import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { type Entry, type OperationEntry, operations, type Pointer, pointer } from "../entry.ts";
import { errnoMessage } from "../errno.ts";
import { type Host, sizeNumber } from "../host.ts";
import { bytes, format, pointee, reads, remembers, string, unbounded, writes } from "../memoryUse.ts";
import { blockArguments, type FormatArguments, formatPrint, passedArguments } from "./formatPrint.ts";
import { outputFor, type Stream, writeStream } from "./streams.ts";

const operation = operations("stdio.h");

function formatted(host: Host, at: Pointer, args: FormatArguments): Uint8Array {
  return formatPrint(host, host.readString(at), args);
}

/** -1 if the stream cannot be written. */
function print(host: Host, stream: Stream | null, content: Uint8Array): number {
  if (stream === null || !stream.mode.writes) return -1;
  host.printed(stream, writeStream(stream, content), content);
  return content.length;
}

function printToString(host: Host, to: Pointer, content: Uint8Array): number {
  host.writeString(to, content);
  return content.length;
}

/** Writes at most `size` bytes including the terminating zero; returns the full length. */
function printBounded(host: Host, to: Pointer, size: ScalarValue, content: Uint8Array): number {
  const room = sizeNumber(size);
  if (room > 0) host.writeString(to, content.subarray(0, Math.min(content.length, room - 1)));
  return content.length;
}

const notWritable = { EBADF: "the stream is not open for writing" } as const;

const texts = [reads("format", string), reads("...", format)];
const listed = [reads("format", string), reads("list", unbounded)];

const toStreams: readonly OperationEntry[] = [
  operation({
    prototype: "int printf(const char *format, ...)",
    memory: texts,
    run: (host, fmt: Pointer, ...values: ScalarValue[]) =>
      print(host, host.state.streams.stdout, formatted(host, fmt, passedArguments(host, 1, values))),
  }),
  operation({
    prototype: "int fprintf(FILE *stream, const char *format, ...)",
    memory: texts,
    errno: notWritable,
    run: (host, stream: Pointer, fmt: Pointer, ...values: ScalarValue[]) =>
      print(host, outputFor(host, stream), formatted(host, fmt, passedArguments(host, 2, values))),
  }),
  operation({
    prototype: "int vprintf(const char *format, __builtin_va_list list)",
    memory: listed,
    run: (host, fmt: Pointer, list: Pointer) =>
      print(host, host.state.streams.stdout, formatted(host, fmt, blockArguments(host, list))),
  }),
  operation({
    prototype: "int vfprintf(FILE *stream, const char *format, __builtin_va_list list)",
    memory: listed,
    errno: notWritable,
    run: (host, stream: Pointer, fmt: Pointer, list: Pointer) =>
      print(host, outputFor(host, stream), formatted(host, fmt, blockArguments(host, list))),
  }),
];

const toMemory: readonly OperationEntry[] = [
  operation({
    prototype: "int sprintf(char *to, const char *format, ...)",
    memory: [...texts, writes("to", unbounded)],
    run: (host, to: Pointer, fmt: Pointer, ...values: ScalarValue[]) =>
      printToString(host, to, formatted(host, fmt, passedArguments(host, 2, values))),
  }),
  operation({
    prototype: "int snprintf(char *to, size_t size, const char *format, ...)",
    memory: [...texts, writes("to", bytes("size"))],
    run: (host, to: Pointer, size: ScalarValue, fmt: Pointer, ...values: ScalarValue[]) =>
      printBounded(host, to, size, formatted(host, fmt, passedArguments(host, 3, values))),
  }),
  operation({
    prototype: "int vsprintf(char *to, const char *format, __builtin_va_list list)",
    memory: [...listed, writes("to", unbounded)],
    run: (host, to: Pointer, fmt: Pointer, list: Pointer) =>
      printToString(host, to, formatted(host, fmt, blockArguments(host, list))),
  }),
  operation({
    prototype: "int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list)",
    memory: [...listed, writes("to", bytes("size"))],
    run: (host, to: Pointer, size: ScalarValue, fmt: Pointer, list: Pointer) =>
      printBounded(host, to, size, formatted(host, fmt, blockArguments(host, list))),
  }),
];

/** Allocates a block for the text; `remembers`: no parameter points to it. */
function printToBlock(host: Host, to: Pointer, content: Uint8Array): number {
  const block = host.allocate(content.length + 1, "heap");
  host.writeString(block, content);
  host.writeScalar(to, pointer, block);
  return content.length;
}

const toBlocks: readonly OperationEntry[] = [
  operation({
    prototype: "int asprintf(char **to, const char *format, ...)",
    memory: [...texts, writes("to", pointee), remembers],
    run: (host, to: Pointer, fmt: Pointer, ...values: ScalarValue[]) =>
      printToBlock(host, to, formatted(host, fmt, passedArguments(host, 2, values))),
  }),
  operation({
    prototype: "int vasprintf(char **to, const char *format, __builtin_va_list list)",
    memory: [...listed, writes("to", pointee), remembers],
    run: (host, to: Pointer, fmt: Pointer, list: Pointer) =>
      printToBlock(host, to, formatted(host, fmt, blockArguments(host, list))),
  }),
];

function putCharacter(name: string): OperationEntry {
  return operation({
    prototype: `int ${name}(int character, FILE *stream)`,
    errno: notWritable,
    run: (host, character: number, stream: Pointer) =>
      print(host, outputFor(host, stream), Uint8Array.of(character)) === -1 ? -1 : character & 255,
  });
}

const plain: readonly OperationEntry[] = [
  operation({
    prototype: "int puts(const char *string)",
    memory: [reads("string", string)],
    run: (host, at: Pointer) => {
      const content = host.readString(at);
      const line = new Uint8Array(content.length + 1);
      line.set(content);
      line[content.length] = 10;
      return print(host, host.state.streams.stdout, line);
    },
  }),
  operation({
    prototype: "int putchar(int character)",
    run: (host, character: number) => {
      print(host, host.state.streams.stdout, Uint8Array.of(character));
      return character & 255;
    },
  }),
  putCharacter("fputc"),
  putCharacter("putc"),
  operation({
    prototype: "int fputs(const char *string, FILE *stream)",
    memory: [reads("string", string)],
    errno: notWritable,
    run: (host, at: Pointer, stream: Pointer) => {
      const target = outputFor(host, stream);
      return print(host, target, host.readString(at).slice()) === -1 ? -1 : 1;
    },
  }),
  operation({
    prototype: "size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)",
    memory: [reads("from", bytes("size", "count"))],
    errno: notWritable,
    source: "environment",
    run: (host, from: Pointer, size: ScalarValue, count: ScalarValue, stream: Pointer) => {
      const total = sizeNumber(size) * sizeNumber(count);
      const target = outputFor(host, stream);
      if (target === null || total === 0) return 0;
      print(host, target, host.readBytes(from, total).slice());
      return count;
    },
  }),
  operation({
    prototype: "void perror(const char *string)",
    memory: [reads("string", string)],
    run: (host, at: Pointer) => {
      const prefix = at === 0 ? new Uint8Array(0) : host.readString(at).slice();
      const message = `${prefix.length === 0 ? "" : ": "}${errnoMessage(host.errno())}\n`;
      print(host, host.state.streams.stderr, Buffer.concat([prefix, Buffer.from(message)]));
      return undefined;
    },
  }),
];

export const printing: readonly Entry[] = [...toStreams, ...toMemory, ...toBlocks, ...plain];
