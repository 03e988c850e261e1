import { assertNever } from "../base/errors.ts";
import { fieldBase, fieldLength, fieldReadable, type Memory, objectFields } from "../interpreter/memory/memory.ts";
import { makePointer, objectIdOf, offsetOf } from "../interpreter/memory/pointer.ts";
import { pointerFromAddress } from "../interpreter/memory/pointerArithmetic.ts";
import { staticLayoutOf } from "../interpreter/memory/staticLayout.ts";
import type { Program } from "../ir/program.ts";
import type { ScalarValue as RunValue } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import { type Assignment, arrayValue, type Value } from "../logic/evaluate.ts";
import type { Variable } from "../logic/term.ts";
import { type Region, regionSize } from "../symbolic/region.ts";
import { type FrameId, type SymbolicObject, type Symbols, staticFrame } from "../symbolic/symbols.ts";

/** The state of a replay at one point, as the analyses ask for it. */
export type ConcreteState = {
  readonly memory: Memory;
  readStatic(variable: number): RunValue | undefined;
  /** The value of a register, or the address of a memory object, of a live frame; undefined if it has none. */
  readLocal(frame: FrameId, variable: number): RunValue | undefined;
};

/** More cells than this are not read from an array: facts are about single cells. */
const cellLimit = 4096;

/** Values of places at this point; `undefined` where a place has none (not initialised, dead, floating point). */
export function assignmentAt(symbols: Symbols, state: ConcreteState): Assignment {
  return (variable) => valueOfPlace(symbols, state, variable);
}

function valueOfPlace(symbols: Symbols, state: ConcreteState, variable: Variable): Value | undefined {
  const cell = symbols.cellOf(variable);
  if (cell === null) return undefined;
  switch (cell.kind) {
    case "register": {
      if (cell.type.kind === "float") return undefined;
      const value =
        cell.frame === staticFrame ? state.readStatic(cell.variable) : state.readLocal(cell.frame, cell.variable);
      return value === undefined ? undefined : BigInt(value);
    }
    case "address": {
      const base = baseAddress(symbols.program, state, cell.object);
      return base === undefined ? undefined : BigInt(base);
    }
    case "size": {
      const base = baseAddress(symbols.program, state, cell.object);
      const size = base === undefined ? undefined : state.memory.objects[objectIdOf(base) * objectFields + fieldLength];
      return size === undefined ? undefined : BigInt(size);
    }
    case "rounds":
    case "input":
      // Counted by whoever looks at a loop, or given from outside; the program does not have it.
      return undefined;
    case "region": {
      const base = baseAddress(symbols.program, state, cell.object);
      return base === undefined ? undefined : readRegionAt(symbols.program, state.memory, base, cell.region);
    }
    default:
      return assertNever(cell);
  }
}

function baseAddress(program: Program, state: ConcreteState, object: SymbolicObject): number | undefined {
  const { origin } = object;
  const layout = staticLayoutOf(program);
  switch (origin.kind) {
    case "function":
      return layout.functions[origin.function]?.pointer;
    case "heap":
      return origin.number < 0 ? undefined : makePointer(origin.number, 0);
    case "variable": {
      if (origin.frame === staticFrame) return layout.variables.get(origin.variable)?.pointer;
      const address = state.readLocal(origin.frame, origin.variable);
      // A variable-length array has none before its declaration.
      return address === undefined || address === 0 ? undefined : Number(address);
    }
    default:
      return assertNever(origin);
  }
}

function readRegionAt(program: Program, memory: Memory, base: number, region: Region): Value | undefined {
  if (region.count === 1) return readCellAt(program, memory, base + region.offset, region) ?? undefined;
  const cells: [bigint, bigint][] = [];
  const size = readableBytes(memory, base);
  const all = region.count ?? Math.ceil((size - region.offset) / region.stride);
  for (let i = 0; i < Math.min(all, cellLimit); i++) {
    const value = readCellAt(program, memory, base + region.offset + i * region.stride, region);
    if (value !== null) cells.push([BigInt(i), value]);
  }
  // Of those that were not looked at nothing is known.
  return arrayValue(cells, all > cellLimit ? null : 0n);
}

function readableBytes(memory: Memory, pointer: number): number {
  return memory.objects[objectIdOf(pointer) * objectFields + fieldReadable] ?? -1;
}

/** null where the bits are outside, dead or not initialised, or the value is no integer. */
function readCellAt(program: Program, memory: Memory, pointer: number, region: Region): bigint | null {
  const { type, bitField } = region;
  if (type.kind === "float") return null;
  const unit = regionSize(region, program.pointerBytes);
  const first = bitField === undefined ? 0 : bitField.shift >> 3;
  const size = bitField === undefined ? unit : ((bitField.shift + bitField.width + 7) >> 3) - first;
  const offset = offsetOf(pointer) + first;
  if (offset < 0 || offset + size > readableBytes(memory, pointer)) return null;
  const at = memory.objects[objectIdOf(pointer) * objectFields + fieldBase]! + offset;
  const width = BigInt(bitField?.width ?? unit * 8);
  const shift = BigInt(bitField === undefined ? 0 : bitField.shift - first * 8);
  const bits = (bytes: Uint8Array) => (gather(bytes, at, size) >> shift) & ((1n << width) - 1n);
  if (bits(memory.shadowBytes) !== 0n) return null;
  const value = bits(memory.bytes);
  // A pointer of a 32-bit model is a linear address in memory, and the number of its object and an offset in the logic.
  if (type.kind === "pointer" && program.pointerBytes === 4)
    return BigInt(pointerFromAddress(memory, Number(value), at));
  return isSigned(type) ? BigInt.asIntN(Number(width), value) : value;
}

function isSigned(type: ScalarType): boolean {
  return type.kind === "pointer" || (type.kind === "int" && type.signed);
}

function gather(bytes: Uint8Array, at: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]!);
  return value;
}
