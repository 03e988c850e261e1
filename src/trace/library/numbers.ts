import { fitsInteger, fromBigInt, toBigInt, type Value, wrapInteger } from "../../ir/scalarValue.ts";
import type { Machine } from "../machine.ts";
import { writeInt64, writePointer32 } from "../memory/write.ts";
import { libraryWrote } from "../observation.ts";
import { undefinedRun } from "../problem.ts";
import { badArgument, readString } from "./bytes.ts";
import { scanFloat, scanInteger } from "./scanNumber.ts";

/** `<stdlib.h>`: numbers from strings, and absolute values. */

function longBits(machine: Machine): number {
  return machine.memory.pointerBytes === 8 ? 64 : 32;
}

/** Out of range gives the nearest value of the type, as C says for `strtol`. */
function clamp(value: bigint, bits: number, signed: boolean): Value {
  if (fitsInteger(value, bits, signed)) return fromBigInt(value);
  const width = BigInt(bits);
  if (!signed) return fromBigInt((1n << width) - 1n);
  return fromBigInt(value < 0n ? -(1n << (width - 1n)) : (1n << (width - 1n)) - 1n);
}

function parse(
  machine: Machine,
  site: number,
  string: number,
  end: number,
  base: number,
  bits: number,
  signed: boolean,
): Value {
  if (base < 0 || base === 1 || base > 36) badArgument(`the base ${base} is not between 2 and 36`, site);
  const { value, negative, length } = scanInteger(readString(machine, string, site), base);
  if (end !== 0) storePointer(machine, end, string + length, site);
  if (signed) return clamp(negative ? -value : value, bits, true);
  // The magnitude must fit; a minus sign then negates it modulo 2^bits.
  if (!fitsInteger(value, bits, false)) return clamp(value, bits, false);
  return wrapInteger(negative ? -value : value, bits, false);
}

export function storePointer(machine: Machine, to: number, pointer: number, site: number): void {
  const { memory } = machine;
  if (memory.pointerBytes === 8) writeInt64(memory, to, 0, pointer, site);
  else writePointer32(memory, to, 0, pointer, site);
  libraryWrote(machine, to, memory.pointerBytes);
}

/** glibc's `atoi` is `(int)strtol(…, 10)`. */
function atoi(machine: Machine, site: number, string: number): Value {
  const long = parse(machine, site, string, 0, 10, longBits(machine), true);
  return wrapInteger(toBigInt(long), 32, true);
}

function strtod(machine: Machine, site: number, string: number, end: number): number {
  const { value, length } = scanFloat(readString(machine, string, site));
  if (end !== 0) storePointer(machine, end, string + length, site);
  return value;
}

function absolute(value: Value, bits: number, site: number): Value {
  if (value >= 0) return value;
  const result = -toBigInt(value);
  if (!fitsInteger(result, bits, true)) undefinedRun({ kind: "negation-overflow", operand: value }, site);
  return fromBigInt(result);
}

export const numbers = {
  atoi,
  atol: (machine: Machine, site: number, string: number) =>
    parse(machine, site, string, 0, 10, longBits(machine), true),
  atoll: (machine: Machine, site: number, string: number) => parse(machine, site, string, 0, 10, 64, true),
  atof: (machine: Machine, site: number, string: number) => strtod(machine, site, string, 0),
  strtod,
  strtol: (machine: Machine, site: number, string: number, end: number, base: number) =>
    parse(machine, site, string, end, base, longBits(machine), true),
  strtoul: (machine: Machine, site: number, string: number, end: number, base: number) =>
    parse(machine, site, string, end, base, longBits(machine), false),
  strtoll: (machine: Machine, site: number, string: number, end: number, base: number) =>
    parse(machine, site, string, end, base, 64, true),
  strtoull: (machine: Machine, site: number, string: number, end: number, base: number) =>
    parse(machine, site, string, end, base, 64, false),
  abs: (_: Machine, site: number, value: Value) => absolute(value, 32, site),
  labs: (machine: Machine, site: number, value: Value) => absolute(value, longBits(machine), site),
  llabs: (_: Machine, site: number, value: Value) => absolute(value, 64, site),
};
