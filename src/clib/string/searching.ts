import { type Entry, operations } from "../entry.ts";
import { reads, string } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";

/** `<string.h>`: the functions that look for something in a string. */

const operation = operations("string.h");

/** The number of leading bytes that are (not) in the set. */
export function span(content: Uint8Array, set: Uint8Array, inside: boolean): number {
  let length = 0;
  while (length < content.length && set.includes(content[length]!) === inside) length++;
  return length;
}

const both = [reads("string", string), reads("set", string)];

export const searching: readonly Entry[] = [
  operation({
    prototype: "char *strchr(const char *string, int byte)",
    memory: [reads("string", string)],
    run: (host, at: Pointer, byte: number) => {
      const content = host.readString(at);
      if ((byte & 255) === 0) return at + content.length;
      const index = content.indexOf(byte & 255);
      return index === -1 ? 0 : at + index;
    },
  }),
  operation({
    prototype: "char *strrchr(const char *string, int byte)",
    memory: [reads("string", string)],
    run: (host, at: Pointer, byte: number) => {
      const content = host.readString(at);
      if ((byte & 255) === 0) return at + content.length;
      const index = content.lastIndexOf(byte & 255);
      return index === -1 ? 0 : at + index;
    },
  }),
  operation({
    prototype: "char *strstr(const char *string, const char *part)",
    memory: [reads("string", string), reads("part", string)],
    run: (host, at: Pointer, part: Pointer) => {
      const index = Buffer.from(host.readString(at)).indexOf(host.readString(part));
      return index === -1 ? 0 : at + index;
    },
  }),
  operation({
    prototype: "size_t strspn(const char *string, const char *set)",
    memory: both,
    run: (host, at: Pointer, set: Pointer) => span(host.readString(at), host.readString(set), true),
  }),
  operation({
    prototype: "size_t strcspn(const char *string, const char *set)",
    memory: both,
    run: (host, at: Pointer, set: Pointer) => span(host.readString(at), host.readString(set), false),
  }),
  operation({
    prototype: "char *strpbrk(const char *string, const char *set)",
    memory: both,
    run: (host, at: Pointer, set: Pointer) => {
      const content = host.readString(at);
      const length = span(content, host.readString(set), false);
      return length === content.length ? 0 : at + length;
    },
  }),
  operation({
    prototype: "char *strchrnul(const char *string, int byte)",
    memory: [reads("string", string)],
    run: (host, at: Pointer, byte: number) => {
      const content = host.readString(at);
      const index = content.indexOf(byte & 255);
      return at + ((byte & 255) === 0 || index === -1 ? content.length : index);
    },
  }),
  operation({
    prototype: "char *strcasestr(const char *string, const char *part)",
    memory: [reads("string", string), reads("part", string)],
    run: (host, at: Pointer, part: Pointer) => {
      const lower = (text: Pointer) => Buffer.from(host.readString(text).map(lowerCase));
      const index = lower(at).indexOf(lower(part));
      return index === -1 ? 0 : at + index;
    },
  }),
];

function lowerCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}
