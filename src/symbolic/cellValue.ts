import { assertNever } from "../base/errors.ts";
import { completeSize, type ScalarType } from "../ir/type.ts";
import { isWithin, rangeOf } from "../logic/range.ts";
import type { Term } from "../logic/term.ts";
import { convertValue, isPlain } from "./convertValue.ts";
import { type Region, unsignedType } from "./region.ts";
import type { TranslationScope } from "./scope.ts";

/**
 * What memory holds and what an access sees differ where the access has another type than the region. Bits are the
 * common language: an unsigned integer. Floats have no bits here, and neither have addresses of a 32-bit model.
 */

const noBits = "the bytes of a value that has no number in the logic";

/** An element of a region, read at a type of the same size. */
export function readCell(scope: TranslationScope, value: Term, region: Region, type: ScalarType): Term {
  const held = region.type;
  if (region.bitField !== undefined || sameKind(held, type)) {
    if (type.kind === "bool" && region.bitField === undefined) return readTruth(scope, value);
    return held.kind === "int" && type.kind === "int" ? convertValue(scope, value, held, type) : value;
  }
  const bits = bitsOf(scope, value, held);
  return bits === null ? scope.approximate(noBits, type) : fromBits(scope, bits, type);
}

/** The element after a write at a type of the same size. */
export function writeCell(scope: TranslationScope, value: Term, type: ScalarType, region: Region): Term {
  const { terms } = scope.symbols;
  const held = region.type;
  if (region.bitField !== undefined) {
    if (held.kind !== "int") return value;
    return terms.wrap(value, region.bitField.width, held.signed, scope.symbols.range);
  }
  if (sameKind(held, type)) {
    return held.kind === "int" && type.kind === "int" ? convertValue(scope, value, type, held) : value;
  }
  const bits = bitsOf(scope, value, type);
  return bits === null ? scope.approximate(noBits, held) : cellFromBits(scope, bits, held);
}

/** `size` bytes from byte `part` on, read at a type of that size. */
export function readPart(scope: TranslationScope, value: Term, region: Region, part: number, type: ScalarType): Term {
  const { terms, program } = scope.symbols;
  const bits = bitsOf(scope, value, region.type);
  if (bits === null) return scope.approximate(noBits, type);
  return fromBits(scope, slice(terms, bits, part, completeSize(type, program.pointerBytes)), type);
}

export function writePart(
  scope: TranslationScope,
  old: Term,
  region: Region,
  part: number,
  value: Term,
  type: ScalarType,
): Term {
  const { terms, program } = scope.symbols;
  const whole = bitsOf(scope, old, region.type);
  const bits = bitsOf(scope, value, type);
  if (whole === null || bits === null) return scope.approximate(noBits, region.type);
  const size = completeSize(type, program.pointerBytes);
  const change = terms.sub(bits, slice(terms, whole, part, size));
  return cellFromBits(scope, terms.add(whole, terms.scale(1n << BigInt(8 * part), change)), region.type);
}

/** Elements that lie side by side, read as one scalar. */
export function joinCells(scope: TranslationScope, values: readonly Term[], region: Region, type: ScalarType): Term {
  const { terms, program } = scope.symbols;
  const width = BigInt(8 * completeSize(region.type, program.pointerBytes));
  let joined = terms.int(0n);
  for (const [i, value] of values.entries()) {
    const bits = bitsOf(scope, value, region.type);
    if (bits === null) return scope.approximate(noBits, type);
    joined = terms.add(joined, terms.scale(1n << (width * BigInt(i)), bits));
  }
  return fromBits(scope, joined, type);
}

/** One scalar as the elements that it is written over. */
export function splitCells(
  scope: TranslationScope,
  value: Term,
  type: ScalarType,
  region: Region,
  count: number,
): Term[] {
  const { terms, program } = scope.symbols;
  const size = completeSize(region.type, program.pointerBytes);
  const bits = bitsOf(scope, value, type);
  return Array.from({ length: count }, (_, i) =>
    bits === null
      ? scope.approximate(noBits, region.type)
      : cellFromBits(scope, slice(terms, bits, i * size, size), region.type),
  );
}

function sameKind(a: ScalarType, b: ScalarType): boolean {
  return a.kind === b.kind && (a.kind !== "float" || (b as typeof a).bits === a.bits);
}

/** Reading anything else than 0 or 1 as `_Bool` would have ended the run. */
function readTruth(scope: TranslationScope, value: Term): Term {
  const { terms, range } = scope.symbols;
  if (!isWithin(rangeOf(value, range), 0n, 1n)) {
    scope.require(terms.and(terms.ge(value, terms.int(0n)), terms.le(value, terms.int(1n))), "invalid-value");
  }
  return value;
}

/** The bits of a value of the type (of a cell: a `_Bool` is its byte); null where they are not known. */
function bitsOf(scope: TranslationScope, value: Term, type: ScalarType): Term | null {
  const { terms, program, range } = scope.symbols;
  switch (type.kind) {
    case "int":
      return terms.wrap(value, type.bits, false, range);
    case "bool":
      return value;
    case "pointer":
      if (program.pointerBytes === 4) return value.kind === "int" && isPlain(value.value) ? value : null;
      return terms.wrap(value, 64, false, range);
    case "float":
      return null;
    default:
      return assertNever(type, "type");
  }
}

function fromBits(scope: TranslationScope, bits: Term, type: ScalarType): Term {
  const { terms, program, range } = scope.symbols;
  switch (type.kind) {
    case "int":
      return terms.wrap(bits, type.bits, type.signed, range);
    case "bool":
      return readTruth(scope, bits);
    case "pointer":
      return convertValue(scope, bits, unsignedType(program.pointerBytes === 4 ? 32 : 64), type);
    case "float":
      return scope.approximate(noBits, type);
    default:
      return assertNever(type, "type");
  }
}

function cellFromBits(scope: TranslationScope, bits: Term, type: ScalarType): Term {
  return type.kind === "bool" ? bits : fromBits(scope, bits, type);
}

function slice(terms: TranslationScope["symbols"]["terms"], bits: Term, part: number, size: number): Term {
  return terms.mod(terms.div(bits, terms.int(1n << BigInt(8 * part))), terms.int(1n << BigInt(8 * size)));
}
