import type { ScalarValue } from "../../../ir/scalarValue.ts";
import type { Term } from "../../../logic/term.ts";
import { type Entry, operations, type Pointer } from "../entry.ts";
import { errnoMessage } from "../errno.ts";
import { type Host, sizeNumber } from "../host.ts";
import { reads, string, stringOf } from "../memoryUse.ts";

/** `<string.h>`: lengths and comparisons; the result is the difference of the first differing bytes, as in glibc. */

const operation = operations("string.h");
const strings = operations("strings.h");

const same = (byte: number) => byte;
const lower = (byte: number) => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

/** Byte by byte, so that only the compared bytes must exist. */
function compare(host: Host, left: Pointer, right: Pointer, max: number, fold: (byte: number) => number): number {
  for (let i = 0; i < max; i++) {
    const a = fold(host.readByte(left + i));
    const b = fold(host.readByte(right + i));
    if (a !== b) {
      host.decided(left + i, right + i);
      return a - b;
    }
    if (a === 0) break;
  }
  return 0;
}

/** The same for known strings. */
function difference(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i <= Math.min(a.length, b.length); i++) {
    const d = (a[i] ?? 0) - (b[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

const whole = [reads("left", string), reads("right", string)];
const start = [reads("left", stringOf("size")), reads("right", stringOf("size"))];

export const comparing: readonly Entry[] = [
  operation({
    prototype: "size_t strlen(const char *string)",
    memory: [reads("string", string)],
    run: (host, at: Pointer) => host.readString(at).length,
    value: (call, at: Term) => {
      const content = call.readString(at);
      return content === null ? null : call.terms.int(content.length);
    },
  }),
  operation({
    prototype: "size_t strnlen(const char *string, size_t size)",
    memory: [reads("string", stringOf("size"))],
    run: (host, at: Pointer, size: ScalarValue) => host.readString(at, sizeNumber(size)).length,
  }),
  operation({
    prototype: "int strcmp(const char *left, const char *right)",
    memory: whole,
    run: (host, left: Pointer, right: Pointer) => compare(host, left, right, Number.POSITIVE_INFINITY, same),
    value: (call, left: Term, right: Term) => {
      const [a, b] = [call.readString(left), call.readString(right)];
      return a === null || b === null ? null : call.terms.int(difference(a, b));
    },
  }),
  operation({
    prototype: "int strncmp(const char *left, const char *right, size_t size)",
    memory: start,
    run: (host, left: Pointer, right: Pointer, size: ScalarValue) => compare(host, left, right, sizeNumber(size), same),
  }),
  strings({
    prototype: "int strcasecmp(const char *left, const char *right)",
    memory: whole,
    run: (host, left: Pointer, right: Pointer) => compare(host, left, right, Number.POSITIVE_INFINITY, lower),
  }),
  strings({
    prototype: "int strncasecmp(const char *left, const char *right, size_t size)",
    memory: start,
    run: (host, left: Pointer, right: Pointer, size: ScalarValue) =>
      compare(host, left, right, sizeNumber(size), lower),
  }),
  // Only the C locale exists.
  operation({
    prototype: "int strcoll(const char *left, const char *right)",
    memory: whole,
    run: (host, left: Pointer, right: Pointer) => compare(host, left, right, Number.POSITIVE_INFINITY, same),
  }),
];

/** Each text is created once and keeps its address. */
function errorText(host: Host, number: number): Pointer {
  const known = host.state.errorTexts.get(number);
  if (known !== undefined) return known;
  const text = Buffer.from(errnoMessage(number), "latin1");
  const made = host.newObject(text.length + 1);
  host.writeString(made, text);
  host.state.errorTexts.set(number, made);
  return made;
}

export const errorTexts: readonly Entry[] = [
  operation({
    prototype: "char *strerror(int number)",
    source: "environment",
    run: errorText,
  }),
];
