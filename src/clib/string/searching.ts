import { type Entry, operations } from "../entry.ts";
import { reads, remembers, string, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";

/** `<string.h>`: the functions that look for something in a string. */

const operation = operations("string.h");

/** The number of leading bytes that are (not) in the set. */
function span(content: Uint8Array, set: Uint8Array, inside: boolean): number {
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
    prototype: "char *strtok(char *string, const char *set)",
    memory: [reads("string", string), reads("set", string), writes("string", string), remembers],
    run: (host, at: Pointer, set: Pointer) => {
      const { state } = host;
      if (at === 0) host.goesOn();
      host.stops();
      let place = at === 0 ? state.tokenPlace : at;
      if (place === 0) return 0;
      const separators = host.readString(set).slice();
      place += span(host.readString(place), separators, true);
      const rest = host.readString(place);
      if (rest.length === 0) {
        state.tokenPlace = 0;
        return 0;
      }
      const length = span(rest, separators, false);
      if (length === rest.length) state.tokenPlace = 0;
      else {
        host.writeBytes(place + length, new Uint8Array(1));
        state.tokenPlace = place + length + 1;
      }
      return place;
    },
  }),
];
