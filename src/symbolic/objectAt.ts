import type { VariableId } from "../ir/ids.ts";
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
} from "../trace/memory/memory.ts";
import { objectIdOf } from "../trace/memory/pointer.ts";
import type { ConcreteState } from "./concreteState.ts";
import type { LiveFrame } from "./executeTrace.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "./symbols.ts";

/** The object that a concrete address points into, as the logic names it; null for null and dangling addresses. */
export function objectAt(
  symbols: Symbols,
  state: ConcreteState,
  stack: readonly LiveFrame[],
  pointer: bigint,
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
    case kindStack:
    case kindArgument:
      return symbols.heapObject(id, state.memory.objects[at + fieldLength]!);
    case kindLocal: {
      const owner = stack.findLast(({ frame }) => {
        const address = state.readLocal(frame, origin);
        return address !== undefined && objectIdOf(Number(address)) === id;
      });
      return owner === undefined ? null : symbols.variableObject(owner.frame, origin as VariableId);
    }
    default:
      return null;
  }
}
