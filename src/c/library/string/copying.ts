import type { ScalarValue } from "../../../ir/scalarValue.ts";
import type { Term } from "../../../logic/term.ts";
import { type Entry, operations, type Pointer } from "../entry.ts";
import { byteLimit, type Host, type SymbolicCall, sizeNumber, writeString } from "../host.ts";
import { bytes, copies, reads, string, stringOf, unbounded, writes } from "../memoryUse.ts";

const operation = operations("string.h");

/** Returns the string's length. */
function copy(host: Host, to: Pointer, from: Pointer, name: string): number {
  const content = host.readString(from).slice();
  if (Math.abs(to - from) <= content.length) host.undefined(`${name} copies between places that overlap`);
  host.writeString(to, content);
  host.copied(to, from, content.length + 1);
  return content.length;
}

function append(host: Host, to: Pointer, from: Pointer, max: number): Pointer {
  const { length } = host.readString(to);
  const content = host.readString(from, max).slice();
  host.writeString(to + length, content);
  host.copied(to + length, from, content.length);
  return to;
}

/** Pads the rest with zeros. Returns the string's length. */
function copyPadded(host: Host, to: Pointer, from: Pointer, size: ScalarValue): number {
  if (size >= 2 ** 31) host.undefined(`a length of ${size} is larger than any object`);
  const content = new Uint8Array(Number(size));
  const text = host.readString(from, content.length);
  const { length } = text;
  content.set(text);
  host.writeBytes(to, content);
  host.copied(to, from, length);
  return length;
}

function padded(call: SymbolicCall, to: Term, from: Term, size: Term): boolean {
  const content = call.readString(from);
  if (content === null || size.kind !== "int" || size.value > byteLimit) return false;
  return call.writeBytes(to, Number(size.value), (i) => content[i] ?? 0);
}

export const copying: readonly Entry[] = [
  operation({
    prototype: "char *strcpy(char *to, const char *from)",
    memory: [copies("to", "from", string)],
    returns: "to",
    run: (host, to: Pointer, from: Pointer) => {
      copy(host, to, from, "strcpy");
      return to;
    },
  }),
  operation({
    prototype: "char *stpcpy(char *to, const char *from)",
    memory: [copies("to", "from", string)],
    run: (host, to: Pointer, from: Pointer) => to + copy(host, to, from, "stpcpy"),
  }),
  operation({
    prototype: "char *stpncpy(char *to, const char *from, size_t size)",
    memory: [reads("from", stringOf("size")), writes("to", bytes("size"))],
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => to + copyPadded(host, to, from, size),
    effect: padded,
  }),
  operation({
    prototype: "char *strncpy(char *to, const char *from, size_t size)",
    memory: [reads("from", stringOf("size")), writes("to", bytes("size"))],
    returns: "to",
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => {
      copyPadded(host, to, from, size);
      return to;
    },
    effect: padded,
  }),
  operation({
    prototype: "char *strcat(char *to, const char *from)",
    memory: [reads("to", string), reads("from", string), writes("to", unbounded)],
    returns: "to",
    run: (host, to: Pointer, from: Pointer) => append(host, to, from, Number.POSITIVE_INFINITY),
    effect: (call, to: Term, from: Term) => {
      const [start, end] = [call.readString(to), call.readString(from)];
      return start !== null && end !== null && writeString(call, to, [...start, ...end]);
    },
  }),
  operation({
    prototype: "char *strncat(char *to, const char *from, size_t size)",
    memory: [reads("to", string), reads("from", stringOf("size")), writes("to", unbounded)],
    returns: "to",
    run: (host, to: Pointer, from: Pointer, size: ScalarValue) => append(host, to, from, sizeNumber(size)),
  }),
];
