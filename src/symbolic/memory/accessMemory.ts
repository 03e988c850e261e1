import { assertNever } from "../../base/errors.ts";
import type { UndefinedBehaviour } from "../../ir/operation.ts";
import { completeSize, type ScalarType } from "../../ir/type.ts";
import { isWithin, rangeOf } from "../../logic/range.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../logic/term.ts";
import { convertValue, isPlain } from "../convertValue.ts";
import type { TranslationScope } from "../stepEnvironment.ts";
import { clobberMemory, readRegion, type SymbolicState, writeAll } from "../symbolicState.ts";
import { type MemoryRegion, regionSize, unsignedType } from "./region.ts";
import { type Access, type Hit, type Resolution, resolveAddress } from "./resolveAddress.ts";

/** Reads a scalar. Where the address may be outside of every region known for it, the value is unknown. */
export function loadMemory(scope: TranslationScope, address: Term, access: Access): Term {
  const { terms } = scope.symbols;
  let value: Term | null = null;
  for (const resolution of resolveAddress(scope, address, access)) {
    requireInBounds(scope, resolution, "out-of-bounds-read");
    const read = loadResolved(scope, resolution, access);
    value = value === null ? read : terms.ite(resolution.guard, read, value);
  }
  return value!;
}

function loadResolved(scope: TranslationScope, { hits, rest, isNull }: Resolution, access: Access): Term {
  const { terms } = scope.symbols;
  const [first, ...others] = hits;
  if (isNull) return terms.int(0n);
  if (first === undefined || rest !== "nothing") {
    const reason =
      rest === "anything" ? "a read through a pointer that is not resolved" : "a read of bytes of another type";
    const unknown = scope.approximate(reason, access.type, "access");
    return hits.reduce((value, hit) => terms.ite(hit.condition, loadHit(scope, hit, access), value), unknown);
  }
  return others.reduce(
    (value, hit) => terms.ite(hit.condition, loadHit(scope, hit, access), value),
    loadHit(scope, first, access),
  );
}

/** Writes a scalar. What an access may hit beyond its resolution becomes unknown. */
export function storeMemory(scope: TranslationScope, address: Term, access: Access, value: Term): SymbolicState {
  const { symbols } = scope;
  const { terms } = symbols;
  const resolutions = resolveAddress(scope, address, access);
  let state = scope.state;
  for (const resolution of resolutions) {
    requireInBounds(scope, resolution, "out-of-bounds-write");
    const { guard, hits, rest } = resolution;
    if (rest === "nothing") continue;
    const condition = terms.and(guard, terms.not(terms.any(hits.map((hit) => hit.condition))));
    if (isFalse(condition)) continue;
    if (rest === "anything") scope.note("a write through a pointer that is not resolved", "access");
    else scope.note("a write to bytes of another type", "access");
    const clobber = { condition, tag: scope.tag() };
    state = clobberMemory(symbols, state, rest === "anything" ? clobber : { ...clobber, object: rest });
  }
  const written = new Map<Variable, Term>();
  for (const { guard, hits } of resolutions) {
    for (const hit of hits) {
      const place = symbols.region(hit.object, hit.region);
      const old = written.get(place) ?? readRegion(symbols, state, hit.object, hit.region);
      const updated = storeHit({ ...scope, state }, hit, access, value, old);
      written.set(place, terms.ite(terms.and(guard, hit.condition), updated, old));
    }
  }
  return writeAll(state, [...written]);
}

function requireInBounds(
  scope: TranslationScope,
  { guard, inBounds, isNull }: Resolution,
  problem: UndefinedBehaviour,
): void {
  if (isTrue(inBounds)) return;
  scope.require(scope.symbols.terms.implies(guard, inBounds), isNull ? "null-dereference" : problem);
}

function loadHit(scope: TranslationScope, hit: Hit, access: Access): Term {
  const { symbols } = scope;
  const { region, index } = hit;
  const whole = readRegion(symbols, scope.state, hit.object, region);
  if (hit.several > 1) {
    const cells = Array.from({ length: hit.several }, (_, i) => cellAt(scope, whole, region, plus(scope, index, i)));
    return joinCells(scope, cells, region, access.type);
  }
  const cell = region.count === 1 ? whole : cellAt(scope, whole, region, index);
  if (isPart(scope, hit, access)) return readPart(scope, cell, region, hit.part, access.type);
  return readCell(scope, cell, region, access.type);
}

function storeHit(scope: TranslationScope, hit: Hit, access: Access, value: Term, old: Term): Term {
  const { terms } = scope.symbols;
  const { region, index } = hit;
  if (hit.several > 1) {
    return splitCells(scope, value, access.type, region, hit.several).reduce(
      (array, cell, i) => terms.store(array, plus(scope, index, i), cell),
      old,
    );
  }
  const before = () => (region.count === 1 ? old : cellAt(scope, old, region, index));
  const cell = isPart(scope, hit, access)
    ? writePart(scope, before(), region, hit.part, value, access.type)
    : writeCell(scope, value, access.type, region);
  return region.count === 1 ? cell : terms.store(old, index, cell);
}

function isPart(scope: TranslationScope, { region }: Hit, access: Access): boolean {
  const { pointerBytes } = scope.symbols.program;
  return regionSize({ ...region, type: access.type }, pointerBytes) !== regionSize(region, pointerBytes);
}

/** An element of an array. Cells hold values of their type; the logic's arrays hold any integer. */
function cellAt(scope: TranslationScope, array: Term, region: MemoryRegion, index: Term): Term {
  const { terms } = scope.symbols;
  const cell = terms.select(array, index);
  const type = region.type;
  if (cell.kind !== "select" || (type.kind !== "int" && type.kind !== "bool")) return cell;
  if (region.bitField === undefined && scope.symbols.holdsAll(type)) return cell;
  const bits = region.bitField?.width ?? (type.kind === "int" ? type.bits : 8);
  scope.learn(terms.inRange(cell, bits, type.kind === "int" && type.signed));
  return cell;
}

function plus(scope: TranslationScope, index: Term, i: number): Term {
  return scope.symbols.terms.add(index, scope.symbols.terms.int(i));
}

/** All memory that a pointer may point into becomes unknown. */
export function havocMemory(scope: TranslationScope): SymbolicState {
  return clobberMemory(scope.symbols, scope.state, { condition: scope.symbols.terms.bool(true), tag: scope.tag() });
}

/**
 * What memory holds and what an access sees differ where the access has another type than the region. Bits are the
 * common language: an unsigned integer. Floats have no bits here, and neither have addresses of a 32-bit model.
 */

const noBits = "the bytes of a value that has no number in the logic";

/** An element of a region, read at a type of the same size. */
export function readCell(scope: TranslationScope, value: Term, region: MemoryRegion, type: ScalarType): Term {
  const held = region.type;
  if (region.bitField !== undefined || sameKind(held, type)) {
    if (type.kind === "bool" && region.bitField === undefined) return readTruth(scope, value);
    return held.kind === "int" && type.kind === "int" ? convertValue(scope, value, held, type) : value;
  }
  const bits = bitsOf(scope, value, held);
  return bits === null ? scope.approximate(noBits, type) : fromBits(scope, bits, type);
}

/** The element after a write at a type of the same size. */
export function writeCell(scope: TranslationScope, value: Term, type: ScalarType, region: MemoryRegion): Term {
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
export function readPart(
  scope: TranslationScope,
  value: Term,
  region: MemoryRegion,
  part: number,
  type: ScalarType,
): Term {
  const { terms, program } = scope.symbols;
  const bits = bitsOf(scope, value, region.type);
  if (bits === null) return scope.approximate(noBits, type);
  return fromBits(scope, slice(terms, bits, part, completeSize(type, program.pointerBytes)), type);
}

export function writePart(
  scope: TranslationScope,
  old: Term,
  region: MemoryRegion,
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
export function joinCells(
  scope: TranslationScope,
  values: readonly Term[],
  region: MemoryRegion,
  type: ScalarType,
): Term {
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
  region: MemoryRegion,
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
