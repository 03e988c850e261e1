import { fitsInteger, fromBigInt, type ScalarValue, toBigInt, wrapInteger } from "../../ir/scalarValue.ts";
import type { Term } from "../../logic/term.ts";
import { type Entry, type OperationEntry, operations } from "../entry.ts";
import { type Host, longBits } from "../host.ts";
import { pointee, reads, string, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";
import { pointer } from "../scalarTypes.ts";
import { type FloatWidth, scanFloat, scanInteger } from "./scanNumber.ts";

/** `<stdlib.h>`: numbers from strings, and absolute values. */

const operation = operations("stdlib.h");
const ofWidest = operations("inttypes.h");

/** The bits of a type whose size may depend on the data model. */
type Width = (host: Host) => number;
const fixed = (bits: number): Width => {
  return () => bits;
};

/** Out of range gives the nearest value of the type, as C says for `strtol`. */
function clamp(host: Host, value: bigint, bits: number, signed: boolean): ScalarValue {
  if (fitsInteger(value, bits, signed)) return fromBigInt(value);
  host.setErrno("ERANGE");
  const width = BigInt(bits);
  if (!signed) return fromBigInt((1n << width) - 1n);
  return fromBigInt(value < 0n ? -(1n << (width - 1n)) : (1n << (width - 1n)) - 1n);
}

function parseInteger(host: Host, at: Pointer, end: Pointer, base: number, bits: number, signed: boolean): ScalarValue {
  if (base < 0 || base === 1 || base > 36) host.undefined(`the base ${base} is not between 2 and 36`);
  const { value, negative, length } = scanInteger(host.readString(at), base);
  if (end !== 0) host.writeScalar(end, pointer, at + length);
  if (signed) return clamp(host, negative ? -value : value, bits, true);
  // The magnitude must fit; a minus sign then negates it modulo 2^bits.
  if (!fitsInteger(value, bits, false)) return clamp(host, value, bits, false);
  return wrapInteger(negative ? -value : value, bits, false);
}

function parseFloat(host: Host, at: Pointer, end: Pointer, width: FloatWidth = "double"): number {
  const { value, length, inRange } = scanFloat(host.readString(at), width);
  if (end !== 0) host.writeScalar(end, pointer, at + length);
  if (!inRange) host.setErrno("ERANGE");
  return value;
}

const outOfRange = { ERANGE: "the number is out of the type's range" } as const;

/** `strtol` and its relatives. */
function converter(
  type: string,
  name: string,
  bits: Width,
  signed: boolean,
  ofHeader: typeof operation = operation,
): OperationEntry {
  return ofHeader({
    prototype: `${type} ${name}(const char *string, char **end, int base)`,
    memory: [reads("string", string), writes("end", pointee)],
    errno: outOfRange,
    run: (host, at: Pointer, end: Pointer, base: number) => parseInteger(host, at, end, base, bits(host), signed),
  });
}

/** `atoi` and its relatives: in glibc a narrowed `strtol(…, 10)`, which sets `errno` too. */
function shortConverter(type: string, name: string, parsed: Width, bits: Width): OperationEntry {
  return operation({
    prototype: `${type} ${name}(const char *string)`,
    memory: [reads("string", string)],
    errno: outOfRange,
    run: (host, at: Pointer) =>
      wrapInteger(toBigInt(parseInteger(host, at, 0, 10, parsed(host), true)), bits(host), true),
  });
}

/** `strtod` and its relatives. */
function floatConverter(type: string, name: string, width: FloatWidth): OperationEntry {
  return operation({
    prototype: `${type} ${name}(const char *string, char **end)`,
    memory: [reads("string", string), writes("end", pointee)],
    errno: outOfRange,
    run: (host, at: Pointer, end: Pointer) => parseFloat(host, at, end, width),
  });
}

function absolute(type: string, name: string, bits: Width, ofHeader: typeof operation = operation): OperationEntry {
  return ofHeader({
    prototype: `${type} ${name}(${type} number)`,
    run: (host, value: ScalarValue) => {
      if (value >= 0) return value;
      const result = -toBigInt(value);
      if (!fitsInteger(result, bits(host), true)) host.negationOverflow(value);
      return fromBigInt(result);
    },
    value: ({ terms, resultBits, require }, value: Term) => {
      if (resultBits === null) return null;
      // The most negative value has no absolute value.
      require(terms.ne(value, terms.int(-(1n << BigInt(resultBits - 1)))), "signed-overflow");
      return terms.ite(terms.ge(value, terms.int(0n)), value, terms.neg(value));
    },
  });
}

export const numbers: readonly Entry[] = [
  shortConverter("int", "atoi", longBits, fixed(32)),
  shortConverter("long", "atol", longBits, longBits),
  shortConverter("long long", "atoll", fixed(64), fixed(64)),
  operation({
    prototype: "double atof(const char *string)",
    memory: [reads("string", string)],
    errno: outOfRange,
    run: (host, at: Pointer) => parseFloat(host, at, 0),
  }),
  converter("long", "strtol", longBits, true),
  converter("unsigned long", "strtoul", longBits, false),
  converter("long long", "strtoll", fixed(64), true),
  converter("unsigned long long", "strtoull", fixed(64), false),
  converter("intmax_t", "strtoimax", fixed(64), true, ofWidest),
  converter("uintmax_t", "strtoumax", fixed(64), false, ofWidest),
  floatConverter("double", "strtod", "double"),
  floatConverter("float", "strtof", "float"),
  floatConverter("long double", "strtold", "double"),
  absolute("int", "abs", fixed(32)),
  absolute("long", "labs", longBits),
  absolute("long long", "llabs", fixed(64)),
  absolute("intmax_t", "imaxabs", fixed(64), ofWidest),
];
