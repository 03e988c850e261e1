import { nth } from "../../base/checked.ts";
import type { Expression } from "../../ir/expression.ts";
import { completeSize, sizeOf, type Type } from "../../ir/type.ts";
import { isWithin, rangeOf } from "../../logic/range.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { objectInAddress, type TranslationScope } from "../stepEnvironment.ts";
import { clobberMemory, readAddress, readRegion, type SymbolicState, writeAll } from "../symbolicState.ts";
import type { SymbolicObject } from "../symbols.ts";
import { havocMemory, loadMemory, storeMemory } from "./accessMemory.ts";
import { type MemoryRegion, rangeOfCell, regionSize, regionsOf, unsignedType } from "./region.ts";
import { type Access, guesses, rootPointee, splitCases } from "./resolveAddress.ts";

/** More scalars than this are copied only region by region. */
const scalarLimit = 64;
/** Elements of a region that are looked at one by one. */
const elementLimit = 1024;

/** Both ends of a copy: their values, and the expressions that say what they point to. */
export type Copy = {
  readonly to: Term;
  readonly from: Term;
  readonly size: number;
  readonly toExpression: Expression;
  readonly fromExpression: Expression;
};

/**
 * `size` bytes from one address to another, which overlap exactly or not at all: region by region where both sides are
 * whole regions of known objects, else scalar by scalar as the pointed-to type says, else unknown.
 */
export function copyMemory(scope: TranslationScope, copy: Copy): SymbolicState {
  if (copy.size === 0) return scope.state;
  return copyRegions(scope, copy) ?? copyScalars(scope, copy) ?? havocBytes(scope, copy.to, copy.size);
}

function copyRegions(scope: TranslationScope, { to, from, size }: Copy): SymbolicState | null {
  const target = placed(scope, to);
  const source = placed(scope, from);
  if (target === null || source === null) return null;
  const targets = regionsWithin(scope, target, size);
  const sources = regionsWithin(scope, source, size);
  if (targets === null || sources === null || targets.length !== sources.length) return null;
  const writes: [Variable, Term][] = [];
  for (const [i, region] of targets.entries()) {
    if (!sameShape(region, target.offset, nth(sources, i), source.offset)) return null;
    const value = readRegion(scope.symbols, scope.state, source.object, nth(sources, i));
    writes.push([scope.symbols.region(target.object, region), value]);
  }
  return writeAll(scope.state, writes);
}

type Placed = { readonly object: SymbolicObject; readonly offset: number };

/** An address at a known distance from the start of a known object. */
export function placed(scope: TranslationScope, address: Term): Placed | null {
  const object = objectInAddress(scope.symbols, address);
  if (object === null) return null;
  const offset = scope.symbols.terms.sub(address, readAddress(scope.state, object));
  return offset.kind === "int" ? { object, offset: Number(offset.value) } : null;
}

/** The place behind the last byte of a region. */
function endOf({ symbols: { program } }: TranslationScope, { count, offset, stride, ...region }: MemoryRegion): number {
  if (count === null) return Number.POSITIVE_INFINITY;
  return offset + (count - 1) * stride + completeSize(region.type, program.pointerBytes);
}

/** The regions that lie in the bytes; null where one sticks out. */
function regionsWithin(
  scope: TranslationScope,
  { object, offset }: Placed,
  size: number,
): readonly MemoryRegion[] | null {
  if (object.regions === null) return null;
  const inside: MemoryRegion[] = [];
  for (const region of object.regions) {
    if (region.count === 0) continue;
    const end = endOf(scope, region);
    if (end <= offset || region.offset >= offset + size) continue;
    if (region.offset < offset || end > offset + size) return null;
    inside.push(region);
  }
  return inside;
}

function sameShape(a: MemoryRegion, aStart: number, b: MemoryRegion, bStart: number): boolean {
  return (
    a.offset - aStart === b.offset - bStart &&
    a.stride === b.stride &&
    a.count === b.count &&
    sameScalar(a, b) &&
    a.bitField?.shift === b.bitField?.shift &&
    a.bitField?.width === b.bitField?.width
  );
}

function sameScalar({ type: a }: MemoryRegion, { type: b }: MemoryRegion): boolean {
  if (a.kind === "int") return b.kind === "int" && a.bits === b.bits && a.signed === b.signed;
  return a.kind === "float" ? b.kind === "float" && a.bits === b.bits : a.kind === b.kind;
}

/** As assignments of all the scalars in what is copied. */
function copyScalars(scope: TranslationScope, copy: Copy): SymbolicState | null {
  const { terms } = scope.symbols;
  const slots = slotsOf(scope, copy);
  if (slots === null || !(fills(scope, slots, copy.size) || gapsAreFree(scope, slots, copy))) return null;
  const values = slots.map(({ offset, access }) => {
    const from = { ...access, address: stripped(copy.fromExpression) };
    return loadMemory(scope, terms.add(copy.from, terms.int(offset)), from);
  });
  let state = scope.state;
  for (const [i, { offset, access }] of slots.entries()) {
    const to = { ...access, address: stripped(copy.toExpression) };
    state = storeMemory({ ...scope, state }, terms.add(copy.to, terms.int(offset)), to, nth(values, i));
  }
  return state;
}

type Slot = { readonly offset: number; readonly access: Omit<Access, "address"> };

/** The scalars that the bytes consist of, by the type of one of the two sides. */
function slotsOf(scope: TranslationScope, { size, toExpression, fromExpression }: Copy): readonly Slot[] | null {
  for (const side of [toExpression, fromExpression]) {
    const slots = slotsOfType(scope, pointeeOf(side), size) ?? slotsOfType(scope, rootPointee(stripped(side)), size);
    if (slots !== null) return slots;
  }
  return null;
}

function slotsOfType(scope: TranslationScope, type: Type, size: number): readonly Slot[] | null {
  const { pointerBytes } = scope.symbols.program;
  const element = sizeOf(type, pointerBytes);
  if (element === null || element === 0 || size % element !== 0) return null;
  if (type.kind === "void" || type.kind === "function") return null;
  const count = size / element;
  const regions = regionsOf(count === 1 ? type : { kind: "array", element: type, length: count }, pointerBytes);
  if (regions === null) return null;
  const slots: Slot[] = [];
  for (const region of regions) {
    const { bitField } = region;
    // A copy does not care whether a byte is a truth value.
    const plain = region.type.kind === "bool" && bitField === undefined ? unsignedType(8) : region.type;
    for (let i = 0; i < (region.count ?? 0); i++) {
      if (slots.length === scalarLimit) return null;
      const access = { type: plain, ...(bitField === undefined ? {} : { bitField }) };
      slots.push({ offset: region.offset + i * region.stride, access });
    }
  }
  return slots;
}

/** Do the scalars fill the bytes, so that nothing else can lie there? */
function fills(scope: TranslationScope, slots: readonly Slot[], size: number): boolean {
  const { pointerBytes } = scope.symbols.program;
  if (slots.some(({ access }) => access.bitField !== undefined)) return false;
  return slots.reduce((sum, { access }) => sum + completeSize(access.type, pointerBytes), 0) === size;
}

/** If the scalars leave gaps: does every possible target of the copy have its scalars at the same places? */
function gapsAreFree(scope: TranslationScope, slots: readonly Slot[], { to, size }: Copy): boolean {
  const { terms, program } = scope.symbols;
  return splitCases(scope, to).every(({ address }) => {
    const named = objectInAddress(scope.symbols, address);
    return (named === null ? guesses(scope, address) : [named]).every((object) => {
      const offset = terms.sub(address, readAddress(scope.state, object));
      return (object.regions ?? []).every((region) => {
        const element = regionSize(region, program.pointerBytes);
        const isSlot = (at: number) => slots.some((slot) => slot.offset === at && sameAccess(scope, slot, region));
        const isFree = (at: number) => at + element <= 0 || at >= size || isSlot(at);
        if (region.count !== null && offset.kind === "int" && region.count <= elementLimit) {
          const start = region.offset - Number(offset.value);
          return range(region.count).every((i) => isFree(start + i * region.stride));
        }
        if (region.count === 1) return false;
        // The elements lie in each stretch of one stride at the same place.
        const start = terms.mod(terms.sub(terms.int(region.offset), offset), terms.int(region.stride));
        if (start.kind !== "int") return false;
        for (let at = Number(start.value) - region.stride; at < size; at += region.stride) {
          if (!isFree(at)) return false;
        }
        return true;
      });
    });
  });
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function sameAccess(scope: TranslationScope, { access }: Slot, region: MemoryRegion): boolean {
  const { pointerBytes } = scope.symbols.program;
  return (
    completeSize(access.type, pointerBytes) === regionSize(region, pointerBytes) &&
    access.bitField?.shift === region.bitField?.shift &&
    access.bitField?.width === region.bitField?.width
  );
}

/** Conversions between pointers aside: what an argument points to before it became `void *`. */
function stripped(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === "convert" && inner.type.kind === "pointer" && inner.operand.type.kind === "pointer") {
    inner = inner.operand;
  }
  return inner;
}

function pointeeOf(expression: Expression): Type {
  const { type } = stripped(expression);
  return type.kind === "pointer" ? type.to : type;
}

/** `size` bytes at an address become unknown; `size` null: as many as there may be. */
export function havocBytes(scope: TranslationScope, address: Term, size: number | null): SymbolicState {
  scope.note("memory that is written as a whole");
  const { symbols } = scope;
  const condition = symbols.terms.bool(true);
  const object = objectInAddress(symbols, address);
  if (object === null) return havocMemory(scope);
  const at = size === null ? null : placed(scope, address);
  if (at === null || object.regions === null || size === null) {
    return clobberMemory(symbols, scope.state, { condition, tag: scope.tag(), object });
  }
  const tag = scope.tag();
  const hit = object.regions.filter((region) => {
    return region.offset < at.offset + size && endOf(scope, region) > at.offset;
  });
  return writeAll(
    scope.state,
    hit.map((region) => {
      const place = symbols.region(object, region);
      return [place, symbols.leftover(place, tag)] as const;
    }),
  );
}

/** Elements of one region that bytes are written to one by one. */
const longestWrite = 4096;

/** Bytes to write; `fill` where they are all the same. */
export type Bytes = { readonly length: number; readonly fill?: number; at(i: number): number };

export function repeatedByte(byte: number, length: number): Bytes {
  return { length, fill: byte, at: () => byte };
}

/**
 * Known bytes in an object with regions: `bytes[i]` at `offset + i`. Elements that are hit as a whole get their value;
 * elements that are hit in part, floats other than zero and addresses other than null become unknown.
 */
export function writeBytes(
  scope: TranslationScope,
  object: SymbolicObject,
  offset: number,
  bytes: Bytes,
): SymbolicState {
  const { symbols, state } = scope;
  const tag = scope.tag();
  const writes: [Variable, Term][] = [];
  for (const region of object.regions ?? []) {
    const place = symbols.region(object, region);
    const old = readRegion(symbols, state, object, region);
    const value = overwrite(scope, object, region, offset, bytes, old);
    if (value !== old) writes.push([place, value ?? symbols.leftover(place, tag)]);
  }
  return writeAll(state, writes);
}

/** The region afterwards: `old` where no byte of it is hit, null where it is unknown. */
function overwrite(
  scope: TranslationScope,
  object: SymbolicObject,
  region: MemoryRegion,
  offset: number,
  bytes: Bytes,
  old: Term,
): Term | null {
  const { terms, program } = scope.symbols;
  const size = regionSize(region, program.pointerBytes);
  const end = offset + bytes.length;
  const elements =
    region.count ?? (object.size === null ? null : Math.ceil((object.size - region.offset) / region.stride));
  const stride = region.count === 1 ? size : region.stride;
  const firstElement = Math.max(0, Math.floor((offset - region.offset - size) / stride) + 1);
  const past = Math.ceil((end - region.offset) / stride);
  const lastElement = elements === null ? past : Math.min(elements, past);
  if (bytes.length === 0 || firstElement >= lastElement) return old;
  const all = firstElement === 0 && lastElement === elements && region.count !== 1;
  if (
    all &&
    bytes.fill !== undefined &&
    offset <= region.offset &&
    end >= region.offset + (elements - 1) * stride + size
  ) {
    const cell = cellOfBytes(scope, region, size, bytes.at);
    return cell === null ? null : terms.constantArray(cell);
  }
  if (lastElement - firstElement > longestWrite) return null;
  let value = old;
  for (let i = firstElement; i < lastElement; i++) {
    const start = region.offset + i * stride;
    if (start >= end || start + size <= offset) continue;
    if (start < offset || start + size > end) return null;
    const cell = cellOfBytes(scope, region, size, (k) => bytes.at(start + k - offset));
    if (cell === null) return null;
    value = region.count === 1 ? cell : terms.store(value, terms.int(i), cell);
  }
  return value;
}

/** The value that bytes have in an element; null where the logic has no number for it. */
function cellOfBytes(
  scope: TranslationScope,
  region: MemoryRegion,
  size: number,
  at: (i: number) => number,
): Term | null {
  const { terms } = scope.symbols;
  let bits = 0n;
  for (let i = size - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(at(i));
  const { type, bitField } = region;
  if (type.kind === "float") return bits === 0n ? terms.floatLiteral(0) : null;
  if (type.kind === "pointer") return bits === 0n ? terms.int(0n) : null;
  if (bitField !== undefined) bits = BigInt.asUintN(bitField.width, bits >> BigInt(bitField.shift));
  const width = bitField?.width ?? size * 8;
  const value = terms.int(type.kind === "int" && type.signed ? BigInt.asIntN(width, bits) : bits);
  const { min, max } = rangeOfCell(region);
  return min !== null && max !== null && isWithin(rangeOf(value), min, max) ? value : null;
}
