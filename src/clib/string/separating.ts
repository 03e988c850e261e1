import { type Entry, operations } from "../entry.ts";
import type { Host } from "../host.ts";
import { pointee, reads, remembers, string, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";
import { pointer } from "../scalarTypes.ts";
import { span } from "./searching.ts";

/** `<string.h>`: the functions that cut a string into pieces. */

const operation = operations("string.h");

/** The next piece from `from` on, 0 where there is none; where to look for the one behind it, and whether there may be one. */
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
      if (at === 0) host.goesOn();
      host.stops();
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
