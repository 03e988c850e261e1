import { libraryRead } from "../dependence/track.ts";
import type { Machine } from "../machine.ts";
import { locateRead, locateWrite, uninitialised } from "../memory/locate.ts";
import { fieldReadable, objectFields } from "../memory/memory.ts";
import { objectIdOf, offsetOf } from "../memory/pointer.ts";
import { libraryWrote } from "../observation.ts";
import { undefinedRun } from "../problem.ts";

/** Access to the program's memory for library functions; every bad access is undefined behaviour at the call. */

/** Initialised bytes at a pointer: a view, valid until memory is allocated or written. */
export function readBytes(machine: Machine, pointer: number, size: number, site: number): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  const at = locateRead(machine.memory, pointer, 0, size, site);
  requireInitialised(machine, pointer, at, size, site);
  libraryRead(machine, pointer, size);
  return machine.memory.bytes.subarray(at, at + size);
}

function requireInitialised(machine: Machine, pointer: number, at: number, size: number, site: number): void {
  const { shadowBytes } = machine.memory;
  for (let i = 0; i < size; i++) if (shadowBytes[at + i] !== 0) uninitialised(pointer, i, 1, site);
}

/** The bytes of a string without its terminating zero, which must be there unless `max` bytes come first. */
export function readString(
  machine: Machine,
  pointer: number,
  site: number,
  max = Number.POSITIVE_INFINITY,
): Uint8Array {
  if (max === 0) return new Uint8Array(0);
  const { memory } = machine;
  const at = locateRead(memory, pointer, 0, 1, site);
  const rest = memory.objects[objectIdOf(pointer) * objectFields + fieldReadable]! - offsetOf(pointer);
  const limit = Math.min(rest, max);
  const end = memory.bytes.subarray(at, at + limit).indexOf(0);
  requireInitialised(machine, pointer, at, end === -1 ? limit : end + 1, site);
  if (end === -1 && limit < max) {
    undefinedRun({ kind: "bad-access", access: "read", pointer, delta: rest, size: 1 }, site);
  }
  libraryRead(machine, pointer, end === -1 ? limit : end + 1);
  return memory.bytes.subarray(at, at + (end === -1 ? limit : end));
}

/** Single bytes of an object that need not be a whole string: the linear address of byte `i`, which is checked. */
export function openString(
  machine: Machine,
  pointer: number,
  max: number,
  site: number,
): { readonly at: (i: number) => number } {
  const { memory } = machine;
  if (max === 0) return { at: () => 0 };
  const start = locateRead(memory, pointer, 0, 1, site);
  const rest = memory.objects[objectIdOf(pointer) * objectFields + fieldReadable]! - offsetOf(pointer);
  return {
    at(i) {
      if (i >= rest) undefinedRun({ kind: "bad-access", access: "read", pointer, delta: i, size: 1 }, site);
      if (memory.shadowBytes[start + i] !== 0) uninitialised(pointer, i, 1, site);
      libraryRead(machine, pointer + i, 1);
      return start + i;
    },
  };
}

export function writeBytes(machine: Machine, pointer: number, bytes: Uint8Array, site: number): void {
  if (bytes.length === 0) return;
  const at = locateWrite(machine.memory, pointer, 0, bytes.length, site);
  machine.memory.bytes.set(bytes, at);
  machine.memory.shadowBytes.fill(0, at, at + bytes.length);
  libraryWrote(machine, pointer, bytes.length);
}

/** With a terminating zero. */
export function writeString(machine: Machine, pointer: number, bytes: Uint8Array, site: number): void {
  const terminated = new Uint8Array(bytes.length + 1);
  terminated.set(bytes);
  writeBytes(machine, pointer, terminated, site);
}

/** A size or count argument as a number; beyond every object's size its exact value does not matter. */
export function sizeNumber(size: number | bigint): number {
  return typeof size === "number" ? size : Number.MAX_SAFE_INTEGER;
}

export function badArgument(message: string, site: number): never {
  return undefinedRun({ kind: "library", what: "library-argument", message }, site);
}
