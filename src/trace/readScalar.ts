import type { ScalarValue } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import { scalarAccess } from "./compile/scalarAccess.ts";
import { UnrepresentablePointer } from "./memory/flatAddress.ts";
import type { Memory } from "./memory/memory.ts";
import * as reads from "./memory/read.ts";
import { UndefinedRun } from "./problem.ts";

type Read = (memory: Memory, pointer: number, delta: number, site: number) => ScalarValue;

/** What a load would give; undefined where it would be undefined. */
export function readScalar(memory: Memory, pointer: number, type: ScalarType): ScalarValue | undefined {
  const { read } = scalarAccess(type, memory.pointerBytes);
  try {
    return (reads as Record<string, Read>)[read]!(memory, pointer, 0, -1);
  } catch (error) {
    // Bytes that are no pointer, as those of another member of a union.
    if (error instanceof UndefinedRun || error instanceof UnrepresentablePointer) return undefined;
    throw error;
  }
}
