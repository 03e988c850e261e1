import {
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
} from "../interpreter/memory/memory.ts";
import { objectIdOf } from "../interpreter/memory/pointer.ts";
import type { VariableId } from "../ir/program.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "../symbolic/symbols.ts";
import type { ConcreteState } from "./concreteState.ts";
import type { LiveFrame } from "./run.ts";

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
      return symbols.heapObject(id, state.memory.objects[at + fieldLength]!, blockUse(id));
    case kindStack:
      // A variable-length array, or what `alloca` gave.
      return (
        localWithObject(symbols, state, stack, id, null) ??
        symbols.heapObject(id, state.memory.objects[at + fieldLength]!, blockUse(id))
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
      const { storage, kind } = symbols.program.variables[variable]!;
      if (storage !== "memory" || kind === "static") continue;
      const address = state.readLocal(frame, variable);
      if (address !== undefined && objectIdOf(Number(address)) === id) return symbols.variableObject(frame, variable);
    }
  }
  return null;
}
