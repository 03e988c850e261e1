import type { Value } from "../../ir/scalarValue.ts";
import { libraryCleared, libraryCopied, libraryCopies } from "../dependence/track.ts";
import type { Machine } from "../machine.ts";
import { fillObject } from "../memory/copy.ts";
import { allocate, allocateZeroed, heapSize, reallocate, release } from "../memory/heap.ts";
import { kindHeap, kindStack } from "../memory/memory.ts";
import { libraryWrote } from "../observation.ts";
import { readString, sizeNumber, writeString } from "./bytes.ts";

/** `<stdlib.h>`: allocation, as glibc does it. Requests that no machine could meet give a null pointer. */

function isHopeless(machine: Machine, size: Value): boolean {
  return size >= (machine.memory.pointerBytes === 8 ? 2 ** 47 : 2 ** 31);
}

function malloc(machine: Machine, site: number, size: Value): number {
  return isHopeless(machine, size) ? 0 : allocate(machine.memory, Number(size), kindHeap, site);
}

function alloca(machine: Machine, site: number, size: Value): number {
  return allocate(machine.memory, sizeNumber(size), kindStack, site);
}

function calloc(machine: Machine, site: number, count: Value, size: Value): number {
  const total = BigInt(count) * BigInt(size);
  if (isHopeless(machine, total)) return 0;
  const result = allocateZeroed(machine.memory, Number(total), site);
  libraryCleared(machine, result, Number(total));
  return result;
}

function realloc(machine: Machine, site: number, pointer: number, size: Value): number {
  if (pointer === 0) return malloc(machine, site, size);
  const old = heapSize(machine.memory, pointer, "realloc", site);
  if (size === 0) {
    release(machine.memory, pointer);
    return 0;
  }
  if (isHopeless(machine, size)) return 0;
  const result = reallocate(machine.memory, pointer, Number(size), site);
  libraryCopies(machine, result, pointer, Math.min(old, Number(size)));
  libraryWrote(machine, result, Math.min(old, Number(size)));
  return result;
}

function free(machine: Machine, site: number, pointer: number): undefined {
  if (pointer === 0) return;
  heapSize(machine.memory, pointer, "free", site);
  release(machine.memory, pointer);
}

function strndup(machine: Machine, site: number, string: number, max: Value): number {
  const bytes = readString(machine, string, site, sizeNumber(max)).slice();
  const result = allocate(machine.memory, bytes.length + 1, kindHeap, site);
  writeString(machine, result, bytes, site);
  libraryCopied(machine, result, string, bytes.length);
  return result;
}

function strdup(machine: Machine, site: number, string: number): number {
  const bytes = readString(machine, string, site).slice();
  const result = allocate(machine.memory, bytes.length + 1, kindHeap, site);
  writeString(machine, result, bytes, site);
  libraryCopied(machine, result, string, bytes.length);
  return result;
}

/** Made by lowering for large initialisers. */
function $zero(machine: Machine, site: number, pointer: number, size: Value): undefined {
  fillObject(machine.memory, pointer, 0, Number(size), site);
  libraryWrote(machine, pointer, Number(size));
}

export const allocation = { malloc, alloca, calloc, realloc, free, strdup, strndup, $zero };
