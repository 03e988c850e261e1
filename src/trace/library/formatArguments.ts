import { toBigInt, type Value } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import { libraryRead } from "../dependence/track.ts";
import type { Machine } from "../machine.ts";
import { pointerToInteger } from "../memory/flatAddress.ts";
import { readFloat64, readInt32, readInt64, readPointer32, readPointer64 } from "../memory/read.ts";
import { badArgument } from "./bytes.ts";

/** Where `printf` and `scanf` take their variadic arguments from, in order. */
export type FormatArguments = {
  /** The argument's integer; the caller reduces it to the width of the directive. */
  integer(bits: number, directive: string): bigint;
  float(directive: string, long: boolean): number;
  pointer(directive: string): number;
};

/** Arguments of the call itself, with the types that it passes. Widths may differ from the directive's; kinds may not. */
export function passedArguments(
  machine: Machine,
  site: number,
  name: string,
  types: readonly ScalarType[],
  values: readonly Value[],
): FormatArguments {
  let index = 0;
  const next = (directive: string): { type: ScalarType; value: Value } => {
    const at = index++;
    if (at >= values.length) badArgument(`${name} has no argument for ${directive}`, site);
    return { type: types[at]!, value: values[at]! };
  };
  const mismatch = (directive: string, type: ScalarType): never =>
    badArgument(
      `${name} has ${type.kind === "float" ? "a floating-point" : `a ${type.kind}`} argument for ${directive}`,
      site,
    );
  return {
    integer(_bits, directive) {
      const { type, value } = next(directive);
      if (type.kind === "float") return mismatch(directive, type);
      return type.kind === "pointer" ? BigInt(pointerToInteger(machine.memory, value as number)) : toBigInt(value);
    },
    float(directive) {
      const { type, value } = next(directive);
      return type.kind === "float" ? (value as number) : mismatch(directive, type);
    },
    pointer(directive) {
      const { type, value } = next(directive);
      if (type.kind === "pointer") return value as number;
      // A plain 0 for NULL is common and harmless.
      return value === 0 ? 0 : mismatch(directive, type);
    },
  };
}

/** A block of arguments as lowering lays them out for `va_list`: each at a multiple of 8 bytes. */
export function blockArguments(machine: Machine, site: number, block: number): FormatArguments {
  let place = block;
  const { memory } = machine;
  const take = <T>(size: number, read: (at: number) => T): T => {
    const value = read(place);
    libraryRead(machine, place, size);
    place += Math.ceil(size / 8) * 8;
    return value;
  };
  return {
    integer: (bits) =>
      bits > 32
        ? take(8, (at) => toBigInt(readInt64(memory, at, 0, site)))
        : take(4, (at) => BigInt(readInt32(memory, at, 0, site))),
    float: (_directive, long) => take(long ? 16 : 8, (at) => readFloat64(memory, at, 0, site)),
    pointer: () =>
      take(memory.pointerBytes, (at) =>
        memory.pointerBytes === 8 ? readPointer64(memory, at, 0, site) : readPointer32(memory, at, 0, site),
      ),
  };
}
