import { nth } from "../base/checked.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { type ScalarType, sizeOf } from "../ir/type.ts";
import { scalarAccess } from "./compile/scalarAccess.ts";
import { nextInput } from "./control.ts";
import { describeObject } from "./describeObject.ts";
import type { InputPlace } from "./inputs.ts";
import type { Machine } from "./machine.ts";
import type { DrawMemory, Memory } from "./memory/memory.ts";
import { fieldOrigin, objectFields } from "./memory/objectLayout.ts";
import { objectIdOf, offsetOf } from "./memory/pointer.ts";
import { UnrepresentablePointer } from "./memory/pointerArithmetic.ts";
import * as reads from "./memory/read.ts";
import { UndefinedRun } from "./problem.ts";

const byteType = { kind: "int", bits: 8, signed: false, name: "unsigned char" } as const;

/** Uninitialised memory becomes an input when first read: a whole scalar as one input, otherwise byte by byte. */
export function memoryInputs(machine: Machine): DrawMemory {
  const { memory, program, sites } = machine;
  return (pointer, at, size, site) => {
    const { expression } = nth(sites, site);
    const type = expression?.kind === "load" ? expression.type : byteType;
    const isWhole =
      sizeOf(type, program.pointerBytes) === size && memory.shadowBytes.subarray(at, at + size).every((b) => b === 255);
    if (isWhole) {
      const value = nextInput(machine, site, { type, ...placeOf(machine, pointer, size), within: null });
      writeScalar(memory.view, at, type, size, value);
      memory.shadowBytes.fill(0, at, at + size);
      return true;
    }
    for (let i = 0; i < size; i++) {
      const open = memory.shadowBytes[at + i]!;
      if (open === 0) continue;
      const wanted = { type: byteType, ...placeOf(machine, pointer + i, size), within: null };
      const value = Number(nextInput(machine, site, wanted));
      // A byte may hold several bit-fields, some of them written.
      memory.bytes[at + i] = (memory.bytes[at + i]! & ~open) | (value & open);
      memory.shadowBytes[at + i] = 0;
    }
    return true;
  };
}

function placeOf({ program, sites, memory }: Machine, pointer: number, bytes: number) {
  const object = describeObject(program, sites, memory, pointer);
  const unit = object?.array?.elementSize ?? bytes;
  const id = objectIdOf(pointer);
  const isAllocated = object?.kind === "heap" || object?.kind === "stack";
  const site = isAllocated ? sites[memory.objects[id * objectFields + fieldOrigin]!] : undefined;
  const place: InputPlace = {
    object: id,
    variable: object?.variable ?? null,
    allocation: site === undefined ? null : { function: site.function, edge: site.edge },
    offset: offsetOf(pointer),
  };
  return { source: `${object?.name ?? "memory"}[${Math.floor(place.offset / unit)}]`, memory: place };
}

function writeScalar(view: DataView, at: number, type: ScalarType, size: number, value: bigint | number): void {
  if (type.kind === "float") {
    if (type.bits === 32) view.setFloat32(at, Number(value), true);
    else view.setFloat64(at, Number(value), true);
    return;
  }
  const bits = BigInt.asUintN(128, BigInt(value));
  for (let i = 0; i < size; i++) view.setUint8(at + i, Number((bits >> BigInt(8 * i)) & 255n));
}

type Read = (memory: Memory, pointer: number, delta: number, site: number) => ScalarValue;

/** The result of a load; undefined if the load is undefined. */
export function readScalar(memory: Memory, pointer: number, type: ScalarType): ScalarValue | undefined {
  const { read } = scalarAccess(type, memory.pointerBytes);
  try {
    return (reads as Record<string, Read>)[read]!(memory, pointer, 0, -1);
  } catch (error) {
    // Bytes that are not a pointer, as of another union member.
    if (error instanceof UndefinedRun || error instanceof UnrepresentablePointer) return undefined;
    throw error;
  }
}
