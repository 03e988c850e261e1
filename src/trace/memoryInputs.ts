import type { ScalarType } from "../ir/type.ts";
import { sizeOf } from "../ir/typeFacts.ts";
import { nextInput } from "./control.ts";
import { describeObject } from "./describeObject.ts";
import type { Machine } from "./machine.ts";
import type { DrawMemory } from "./memory/memory.ts";
import { offsetOf } from "./memory/pointer.ts";

const byteType = { kind: "int", bits: 8, signed: false, name: "unsigned char" } as const;

/**
 * Memory that nothing was written to is drawn when it is first read, and holds that value from then on: a scalar of which
 * no bit was written is one input of its type, of others each byte is one. A pointer is not drawn: there is no saying
 * where it points.
 */
export function memoryInputs(machine: Machine): DrawMemory {
  const { memory, program, sites } = machine;
  return (pointer, at, size, site) => {
    const { expression } = sites[site]!;
    const type = expression?.kind === "load" ? expression.type : byteType;
    if (type.kind === "pointer") return false;
    const isWhole =
      sizeOf(type, program.pointerBytes) === size && memory.shadowBytes.subarray(at, at + size).every((b) => b === 255);
    const source = (delta: number) => nameOf(machine, pointer + delta, size);
    if (isWhole) {
      const value = nextInput(machine, site, { type, source: source(0), within: null });
      writeScalar(memory.view, at, type, value);
      memory.shadowBytes.fill(0, at, at + size);
      return true;
    }
    for (let i = 0; i < size; i++) {
      const open = memory.shadowBytes[at + i]!;
      if (open === 0) continue;
      const value = Number(nextInput(machine, site, { type: byteType, source: source(i), within: null }));
      // A byte may hold several bit-fields, of which some were written.
      memory.bytes[at + i] = (memory.bytes[at + i]! & ~open) | (value & open);
      memory.shadowBytes[at + i] = 0;
    }
    return true;
  };

  function nameOf({ memory: now }: Machine, pointer: number, bytes: number): string {
    const object = describeObject(program, sites, now, pointer);
    const name = object?.name ?? "memory";
    const unit = object?.array?.elementSize ?? bytes;
    return `${name}[${Math.floor(offsetOf(pointer) / unit)}]`;
  }
}

function writeScalar(view: DataView, at: number, type: ScalarType, value: bigint | number): void {
  if (type.kind === "float") {
    if (type.bits === 32) view.setFloat32(at, Number(value), true);
    else view.setFloat64(at, Number(value), true);
    return;
  }
  const bits = BigInt.asUintN(128, BigInt(value));
  const size = type.kind === "int" ? type.bits / 8 : 1;
  for (let i = 0; i < size; i++) view.setUint8(at + i, Number((bits >> BigInt(8 * i)) & 255n));
}
