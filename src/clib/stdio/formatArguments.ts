import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Host } from "../host.ts";
import type { Pointer } from "../pointer.ts";
import { double, int, pointer, signedInteger } from "../scalarTypes.ts";

/** Where `printf` and `scanf` take their variadic arguments from, in order. */
export type FormatArguments = {
  /** The argument's integer; the caller reduces it to the width of the directive. */
  integer(bits: number, directive: string): bigint;
  float(directive: string, long: boolean): number;
  pointer(directive: string): Pointer;
  /** The next argument of the call, by its number among all of them; 0 where they are in memory. */
  next(): number;
};

/**
 * Arguments of the call itself behind the `fixed` ones that have a name. Their widths may differ from the directive's;
 * their kinds may not.
 */
export function passedArguments(host: Host, fixed: number, values: readonly ScalarValue[]): FormatArguments {
  const { name, arguments: passed } = host.call();
  let index = 0;
  const next = (directive: string): { type: ScalarType; value: ScalarValue } => {
    const at = index++;
    if (at >= values.length) host.undefined(`${name} has no argument for ${directive}`);
    return { type: passed[fixed + at]!.type, value: values[at]! };
  };
  const mismatch = (directive: string, type: ScalarType): never => {
    const kind = type.kind === "float" ? "a floating-point" : `a ${type.kind}`;
    return host.undefined(`${name} has ${kind} argument for ${directive}`);
  };
  return {
    next: () => fixed + index,
    integer(_bits, directive) {
      const { type, value } = next(directive);
      if (type.kind === "float") return mismatch(directive, type);
      return toBigInt(type.kind === "pointer" ? host.pointerToInteger(value as Pointer) : value);
    },
    float(directive) {
      const { type, value } = next(directive);
      return type.kind === "float" ? (value as number) : mismatch(directive, type);
    },
    pointer(directive) {
      const { type, value } = next(directive);
      if (type.kind === "pointer") return value as Pointer;
      // A plain 0 for NULL is common and harmless.
      return value === 0 ? 0 : mismatch(directive, type);
    },
  };
}

/** A block of arguments as lowering lays them out for `va_list`: each at a multiple of 8 bytes. */
export function blockArguments(host: Host, block: Pointer): FormatArguments {
  let place = block;
  const take = (size: number, type: ScalarType): ScalarValue => {
    const value = host.readScalar(place, type);
    place += Math.ceil(size / 8) * 8;
    return value;
  };
  return {
    next: () => 0,
    integer: (bits) => toBigInt(bits > 32 ? take(8, signedInteger(64)) : take(4, int)),
    float: (_directive, long) => take(long ? 16 : 8, double) as number,
    pointer: () => take(host.pointerBytes, pointer) as Pointer,
  };
}
