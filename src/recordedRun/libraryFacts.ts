import { nth } from "../base/checked.ts";
import { libraryFunction } from "../c/library/table.ts";
import type { Machine } from "../interpreter/machine.ts";
import {
  fieldBase,
  fieldKind,
  fieldLength,
  fieldOrigin,
  kindArgument,
  kindFunction,
  kindHeap,
  kindLiteral,
  kindLocal,
  kindStack,
  kindStatic,
  objectFields,
} from "../interpreter/memory/objectLayout.ts";
import { objectIdOf, offsetOf } from "../interpreter/memory/pointer.ts";
import { StopReplay } from "../interpreter/run.ts";
import { replay, type Trace } from "../interpreter/trace.ts";
import type { VariableId } from "../ir/program.ts";
import type { RecordedCall, RecordedPlace } from "../symbolic/library/libraryCall.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "../symbolic/symbols.ts";
import type { LiveFrame } from "./run.ts";
import type { ConcreteState } from "./sampleRun.ts";

/** The effects of library calls on a recorded run. */
export type LibraryFacts = {
  readonly calls: ReadonlyMap<number, RecordedCall>;
  /** How often the number of a block was given to a block before the one that has it at a step. */
  blockUse(number: number, step: number): number;
};

/** Bytes that library calls wrote are kept up to this many. */
const byteLimit = 1 << 22;

/** Found in one replay. */
export function replayLibrary(trace: Trace): LibraryFacts {
  const names = trace.program.functions.map(({ edges }) =>
    edges.map(({ operation }) => (operation.kind === "callLibrary" ? operation.name : null)),
  );
  const calls = new Map<number, RecordedCall>();
  /** Steps at which a number was given to a block. */
  const births = new Map<number, number[]>();
  const facts: LibraryFacts = {
    calls,
    blockUse: (number, step) => Math.max(0, (births.get(number) ?? []).filter((birth) => birth < step).length - 1),
  };
  if (names.every((edges) => edges.every((name) => name === null))) return facts;
  let machine: Machine | null = null;
  let kept = 0;
  const call = (step: number): RecordedCall =>
    calls.get(step) ?? { result: undefined, pointsTo: null, writes: [], use: 0 };
  replay(
    trace,
    { record: false, writes: true, hooks: null },
    {
      begin: (started) => {
        machine = started;
      },
      writer: {
        register(step, fn, edge, variable, value) {
          if (step >= trace.steps) throw new StopReplay();
          const name = edge === -1 ? null : nth(names, fn)[edge]!;
          if (name === null) return;
          let use = 0;
          if (libraryFunction(name).allocates !== null && value !== undefined && value !== 0) {
            const number = objectIdOf(Number(value));
            const earlier = births.get(number) ?? [];
            use = earlier.length;
            births.set(number, [...earlier, step]);
          }
          const isPointer = nth(trace.program.variables, variable).type.kind === "pointer";
          const pointsTo = isPointer && value !== undefined && value !== 0 ? placeAt(machine!, Number(value)) : null;
          calls.set(step, { ...call(step), result: value, pointsTo, use });
        },
        memory(step, fn, edge, pointer, size) {
          if (step >= trace.steps) throw new StopReplay();
          const name = edge === -1 ? null : nth(names, fn)[edge]!;
          // The writes of an allocation are part of its meaning.
          if (name === null || libraryFunction(name).allocates !== null) return;
          const { writes } = call(step);
          kept += size;
          if (writes === null || kept > byteLimit) calls.set(step, { ...call(step), writes: null });
          else
            calls.set(step, {
              ...call(step),
              writes: [...writes, { ...placeAt(machine!, pointer), bytes: bytesAt(machine!, pointer, size) }],
            });
        },
      },
    },
  );
  return facts;
}

function bytesAt({ memory }: Machine, pointer: number, size: number): Uint8Array {
  const base = nth(memory.objects, objectIdOf(pointer) * objectFields + fieldBase) + offsetOf(pointer);
  return memory.bytes.slice(base, base + size);
}

/** The object that a pointer of the running program points into, and how far. */
export function placeAt({ memory }: Pick<Machine, "memory">, pointer: number): RecordedPlace {
  const number = objectIdOf(pointer);
  const offset = offsetOf(pointer);
  const variable = memory.objects[number * objectFields + fieldOrigin] ?? -1;
  const kind = memory.objects[number * objectFields + fieldKind];
  if (kind === kindStatic || kind === kindLiteral) return { object: { kind: "static", variable }, offset };
  if (kind === kindLocal) return { object: { kind: "local", variable }, offset };
  return { object: { kind: "block", number }, offset };
}

/** The object that a concrete address points into, as the logic names it; null for null and dangling addresses. */
export function objectAt(
  symbols: Symbols,
  state: ConcreteState,
  stack: readonly LiveFrame[],
  pointer: bigint,
  blockUse: (number: number) => number,
): SymbolicObject | null {
  const id = objectIdOf(Number(pointer));
  const at = id * objectFields;
  const origin = state.memory.objects[at + fieldOrigin];
  if (origin === undefined) return null;
  switch (state.memory.objects[at + fieldKind]) {
    case kindStatic:
    case kindLiteral:
      return symbols.variableObject(staticFrame, origin as VariableId);
    case kindFunction:
      return null;
    case kindHeap:
    case kindArgument:
      return symbols.heapObject(id, nth(state.memory.objects, at + fieldLength), blockUse(id));
    case kindStack:
      // A variable-length array, or what `alloca` gave.
      return (
        localWithObject(symbols, state, stack, id, null) ??
        symbols.heapObject(id, nth(state.memory.objects, at + fieldLength), blockUse(id))
      );
    case kindLocal:
      return localWithObject(symbols, state, stack, id, origin as VariableId);
    default:
      return null;
  }
}

/** The local variable of a live frame that is this object now; `only` where the variable is known. */
function localWithObject(
  symbols: Symbols,
  state: ConcreteState,
  stack: readonly LiveFrame[],
  id: number,
  only: VariableId | null,
): SymbolicObject | null {
  for (const { frame, function: fn } of stack.toReversed()) {
    const candidates = only === null ? [...fn.parameters, ...fn.locals] : [only];
    for (const variable of candidates) {
      const { storage, kind } = nth(symbols.program.variables, variable);
      if (storage !== "memory" || kind === "static") continue;
      const address = state.readLocal(frame, variable);
      if (address !== undefined && objectIdOf(Number(address)) === id) return symbols.variableObject(frame, variable);
    }
  }
  return null;
}
