import { nth } from "../../../base/checked.ts";
import { type Entry, operations, type Pointer, pointer } from "../entry.ts";
import type { Host } from "../host.ts";
import { pointee, reads, remembers, string, writes } from "../memoryUse.ts";

const operation = operations("string.h");

/** The number of leading bytes that are in the set (`inside`), or not in it. */
export function span(content: Uint8Array, set: Uint8Array, inside: boolean): number {
  let length = 0;
  while (length < content.length && set.includes(nth(content, length)) === inside) length++;
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

/** `<string.h>`: functions that split a string. */

/** The next token from `from` on (0 if none), where to look for the following one, and whether there may be one. */
type Token = { readonly token: Pointer; readonly rest: Pointer; readonly isLast: boolean };

function nextToken(host: Host, from: Pointer, set: Pointer): Token {
  const separators = host.readString(set).slice();
  const token = from + span(host.readString(from), separators, true);
  const content = host.readString(token);
  if (content.length === 0) return { token: 0, rest: token, isLast: true };
  const length = span(content, separators, false);
  if (length === content.length) return { token, rest: token + length, isLast: true };
  host.writeBytes(token + length, new Uint8Array(1));
  return { token, rest: token + length + 1, isLast: false };
}

export const separating: readonly Entry[] = [
  operation({
    prototype: "char *strtok(char *string, const char *set)",
    memory: [reads("string", string), reads("set", string), writes("string", string), remembers],
    run: (host, at: Pointer, set: Pointer) => {
      const { state } = host;
      if (at === 0) host.continuesEarlierCall();
      host.mayBeContinued();
      const from = at === 0 ? state.tokenPlace : at;
      if (from === 0) return 0;
      const { token, rest, isLast } = nextToken(host, from, set);
      state.tokenPlace = isLast ? 0 : rest;
      return token;
    },
  }),
  operation({
    prototype: "char *strtok_r(char *string, const char *set, char **rest)",
    memory: [
      reads("string", string),
      reads("set", string),
      writes("string", string),
      reads("rest", pointee),
      writes("rest", pointee),
      remembers,
    ],
    run: (host, at: Pointer, set: Pointer, place: Pointer) => {
      const from = at === 0 ? (host.readScalar(place, pointer) as Pointer) : at;
      const { token, rest } = nextToken(host, from, set);
      host.writeScalar(place, pointer, rest);
      return token;
    },
  }),
  operation({
    prototype: "char *strsep(char **place, const char *set)",
    memory: [reads("place", pointee), reads("set", string), writes("place", pointee), remembers],
    run: (host, place: Pointer, set: Pointer) => {
      const from = host.readScalar(place, pointer) as Pointer;
      if (from === 0) return 0;
      const separators = host.readString(set).slice();
      const content = host.readString(from);
      const length = span(content, separators, false);
      const isLast = length === content.length;
      if (!isLast) host.writeBytes(from + length, new Uint8Array(1));
      host.writeScalar(place, pointer, isLast ? 0 : from + length + 1);
      return from;
    },
  }),
];
