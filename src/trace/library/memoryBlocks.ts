import type { Value } from "../../ir/scalarValue.ts";
import { libraryCopies } from "../dependence/track.ts";
import type { Machine } from "../machine.ts";
import { copyObject, fillObject, moveObject } from "../memory/copy.ts";
import { libraryWrote } from "../observation.ts";
import { openString, readBytes, sizeNumber } from "./bytes.ts";

/** `<string.h>`: the `mem…` functions. */

function memcpy(machine: Machine, site: number, to: number, from: number, size: Value): number {
  copyObject(machine.memory, to, from, sizeNumber(size), site);
  libraryCopies(machine, to, from, sizeNumber(size));
  libraryWrote(machine, to, sizeNumber(size));
  return to;
}

function memmove(machine: Machine, site: number, to: number, from: number, size: Value): number {
  moveObject(machine.memory, to, from, sizeNumber(size), site);
  libraryCopies(machine, to, from, sizeNumber(size));
  libraryWrote(machine, to, sizeNumber(size));
  return to;
}

function memset(machine: Machine, site: number, to: number, byte: number, size: Value): number {
  fillObject(machine.memory, to, byte & 255, sizeNumber(size), site);
  libraryWrote(machine, to, sizeNumber(size));
  return to;
}

/** The difference of the first bytes that differ, as glibc gives it. */
function memcmp(machine: Machine, site: number, left: number, right: number, size: Value): number {
  const a = readBytes(machine, left, sizeNumber(size), site);
  const b = readBytes(machine, right, sizeNumber(size), site);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

/** Reads byte by byte, as C11 7.24.5.1 wants: what follows the match need not exist. */
function memchr(machine: Machine, site: number, block: number, byte: number, size: Value): number {
  const max = sizeNumber(size);
  const { at } = openString(machine, block, max, site);
  for (let i = 0; i < max; i++) if (machine.memory.bytes[at(i)] === (byte & 255)) return block + i;
  return 0;
}

export const memoryBlocks = { memcpy, memmove, memset, memcmp, memchr };
