import type { Value } from "../../ir/scalarValue.ts";
import { libraryCopied } from "../dependence/track.ts";
import type { Machine } from "../machine.ts";
import { badArgument, openString, readString, sizeNumber, writeBytes, writeString } from "./bytes.ts";

/** `<string.h>`: the `str…` functions. Comparisons give the difference of the first bytes that differ, as glibc does. */

function strlen(machine: Machine, site: number, string: number): number {
  return readString(machine, string, site).length;
}

function strnlen(machine: Machine, site: number, string: number, max: Value): number {
  return readString(machine, string, site, sizeNumber(max)).length;
}

/** Byte by byte, so that only what is compared must exist. */
function compare(
  machine: Machine,
  site: number,
  left: number,
  right: number,
  max: number,
  fold: (byte: number) => number,
): number {
  const { bytes } = machine.memory;
  const a = openString(machine, left, max, site);
  const b = openString(machine, right, max, site);
  for (let i = 0; i < max; i++) {
    const x = fold(bytes[a.at(i)]!);
    const y = fold(bytes[b.at(i)]!);
    if (x !== y) return x - y;
    if (x === 0) break;
  }
  return 0;
}

const same = (byte: number) => byte;
const lower = (byte: number) => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

function strcmp(machine: Machine, site: number, left: number, right: number): number {
  return compare(machine, site, left, right, Number.POSITIVE_INFINITY, same);
}

function strncmp(machine: Machine, site: number, left: number, right: number, max: Value): number {
  return compare(machine, site, left, right, sizeNumber(max), same);
}

function strcasecmp(machine: Machine, site: number, left: number, right: number): number {
  return compare(machine, site, left, right, Number.POSITIVE_INFINITY, lower);
}

function strncasecmp(machine: Machine, site: number, left: number, right: number, max: Value): number {
  return compare(machine, site, left, right, sizeNumber(max), lower);
}

function strcpy(machine: Machine, site: number, to: number, from: number): number {
  const bytes = readString(machine, from, site).slice();
  refuseOverlap(to, from, bytes.length + 1, "strcpy", site);
  writeString(machine, to, bytes, site);
  libraryCopied(machine, to, from, bytes.length + 1);
  return to;
}

function stpcpy(machine: Machine, site: number, to: number, from: number): number {
  const bytes = readString(machine, from, site).slice();
  refuseOverlap(to, from, bytes.length + 1, "stpcpy", site);
  writeString(machine, to, bytes, site);
  libraryCopied(machine, to, from, bytes.length + 1);
  return to + bytes.length;
}

function strncpy(machine: Machine, site: number, to: number, from: number, max: Value): number {
  const bytes = new Uint8Array(checkedLength(max, site));
  const string = readString(machine, from, site, bytes.length);
  bytes.set(string);
  writeBytes(machine, to, bytes, site);
  libraryCopied(machine, to, from, string.length);
  return to;
}

function strcat(machine: Machine, site: number, to: number, from: number): number {
  const { length } = readString(machine, to, site);
  writeString(machine, to + length, readString(machine, from, site).slice(), site);
  return to;
}

function strncat(machine: Machine, site: number, to: number, from: number, max: Value): number {
  const { length } = readString(machine, to, site);
  writeString(machine, to + length, readString(machine, from, site, sizeNumber(max)).slice(), site);
  return to;
}

function refuseOverlap(to: number, from: number, size: number, name: string, site: number): void {
  if (Math.abs(to - from) < size) badArgument(`${name} copies between places that overlap`, site);
}

function checkedLength(max: Value, site: number): number {
  if (max >= 2 ** 31) badArgument(`a length of ${max} is larger than any object`, site);
  return Number(max);
}

function strchr(machine: Machine, site: number, string: number, byte: number): number {
  const bytes = readString(machine, string, site);
  if ((byte & 255) === 0) return string + bytes.length;
  const index = bytes.indexOf(byte & 255);
  return index === -1 ? 0 : string + index;
}

function strrchr(machine: Machine, site: number, string: number, byte: number): number {
  const bytes = readString(machine, string, site);
  if ((byte & 255) === 0) return string + bytes.length;
  const index = bytes.lastIndexOf(byte & 255);
  return index === -1 ? 0 : string + index;
}

function strstr(machine: Machine, site: number, string: number, part: number): number {
  const bytes = readString(machine, string, site);
  const index = Buffer.from(bytes).indexOf(readString(machine, part, site));
  return index === -1 ? 0 : string + index;
}

/** The number of leading bytes that are (not) in the set. */
function span(bytes: Uint8Array, set: Uint8Array, inside: boolean): number {
  let length = 0;
  while (length < bytes.length && set.includes(bytes[length]!) === inside) length++;
  return length;
}

function strspn(machine: Machine, site: number, string: number, set: number): number {
  return span(readString(machine, string, site), readString(machine, set, site), true);
}

function strcspn(machine: Machine, site: number, string: number, set: number): number {
  return span(readString(machine, string, site), readString(machine, set, site), false);
}

function strpbrk(machine: Machine, site: number, string: number, set: number): number {
  const bytes = readString(machine, string, site);
  const length = span(bytes, readString(machine, set, site), false);
  return length === bytes.length ? 0 : string + length;
}

function strtok(machine: Machine, site: number, string: number, set: number): number {
  let place = string === 0 ? machine.tokenPlace : string;
  if (place === 0) return 0;
  const separators = readString(machine, set, site).slice();
  place += span(readString(machine, place, site), separators, true);
  const rest = readString(machine, place, site);
  if (rest.length === 0) {
    machine.tokenPlace = 0;
    return 0;
  }
  const length = span(rest, separators, false);
  if (length === rest.length) machine.tokenPlace = 0;
  else {
    writeBytes(machine, place + length, new Uint8Array(1), site);
    machine.tokenPlace = place + length + 1;
  }
  return place;
}

export const strings = {
  strlen,
  strnlen,
  strcmp,
  strncmp,
  strcasecmp,
  strncasecmp,
  strcpy,
  stpcpy,
  strncpy,
  strcat,
  strncat,
  strchr,
  strrchr,
  strstr,
  strspn,
  strcspn,
  strpbrk,
  strtok,
};
