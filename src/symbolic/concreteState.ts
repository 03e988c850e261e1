import type { Program } from "../ir/program.ts";
import type { BitField, ScalarType } from "../ir/type.ts";
import { completeSize } from "../ir/typeFacts.ts";
import type { Assignment } from "../logic/evaluate.ts";
import type { Variable } from "../logic/term.ts";
import { arrayValue, type Value } from "../logic/value.ts";
import { fieldBase, fieldReadable, type Memory, objectFields } from "../trace/memory/memory.ts";
import { makePointer, objectIdOf, offsetOf } from "../trace/memory/pointer.ts";
import { staticLayoutOf } from "../trace/memory/staticLayout.ts";
import type { Value as RunValue } from "../trace/value.ts";
import type { Region } from "./region.ts";
import { type FrameId, type SymbolicObject, type Symbols, staticFrame } from "./symbols.ts";

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
    case "region": {
      const base = baseAddress(symbols.program, state, cell.object);
      return base === undefined ? undefined : readRegionAt(symbols.program, state.memory, base, cell.region);
    }
  }
}

export function baseAddress(program: Program, state: ConcreteState, object: SymbolicObject): number | undefined {
  const { origin } = object;
  const layout = staticLayoutOf(program);
  switch (origin.kind) {
    case "function":
      return layout.functions[origin.function]?.pointer;
    case "heap":
      return makePointer(origin.number, 0);
    case "variable": {
      if (origin.frame === staticFrame) return layout.variables.get(origin.variable)?.pointer;
      const address = state.readLocal(origin.frame, origin.variable);
      return address === undefined ? undefined : Number(address);
    }
  }
}

function readRegionAt(program: Program, memory: Memory, base: number, region: Region): Value | undefined {
  if (region.count === 1) {
    return readScalar(memory, base + region.offset, region.type, program.pointerBytes, region.bitField) ?? undefined;
  }
  const cells: [bigint, bigint][] = [];
  const size = readableBytes(memory, base);
  const count = Math.min(region.count ?? Math.ceil((size - region.offset) / region.stride), cellLimit);
  for (let i = 0; i < count; i++) {
    const value = readScalar(memory, base + region.offset + i * region.stride, region.type, program.pointerBytes);
    if (value !== null) cells.push([BigInt(i), value]);
  }
  return arrayValue(cells);
}

function readableBytes(memory: Memory, pointer: number): number {
  return memory.objects[objectIdOf(pointer) * objectFields + fieldReadable] ?? -1;
}

/** null where the bytes are outside, dead or not initialised, or the value is no integer. */
function readScalar(
  memory: Memory,
  pointer: number,
  type: ScalarType,
  pointerBytes: 4 | 8,
  bitField?: BitField,
): bigint | null {
  const size = completeSize(type, pointerBytes);
  const offset = offsetOf(pointer);
  if (type.kind === "float" || size > 8 || offset < 0 || offset + size > readableBytes(memory, pointer)) return null;
  // In a 32-bit model the bytes of a pointer are not what the logic takes for its value.
  if (type.kind === "pointer" && pointerBytes === 4) return null;
  const at = memory.objects[objectIdOf(pointer) * objectFields + fieldBase]! + offset;
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) {
    if (bitField === undefined && memory.shadowBytes[at + i] !== 0) return null;
    value = (value << 8n) | BigInt(memory.bytes[at + i]!);
  }
  const signed = type.kind === "int" && type.signed;
  const bits = bitField?.width ?? size * 8;
  if (bitField !== undefined) value >>= BigInt(bitField.shift);
  return signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
}
