import { isWithin, rangeOf } from "../logic/range.ts";
import type { Term, Variable } from "../logic/term.ts";
import { type Region, rangeOfCell, regionSize } from "./region.ts";
import type { TranslationScope } from "./scope.ts";
import { readRegion, type SymbolicState, writeAll } from "./symbolicState.ts";
import type { SymbolicObject } from "./symbols.ts";

/** Elements of one region that bytes are written to one by one. */
const elementLimit = 4096;

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
  region: Region,
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
  if (lastElement - firstElement > elementLimit) return null;
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
function cellOfBytes(scope: TranslationScope, region: Region, size: number, at: (i: number) => number): Term | null {
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
