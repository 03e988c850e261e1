import { controlFlowOf } from "./controlFlow.ts";
import { forEachVariableRead } from "./expressionParts.ts";
import type { LocationId, VariableId } from "./ids.ts";
import type { Operation } from "./operation.ts";
import { operationExpressions } from "./operationParts.ts";
import type { Function } from "./program.ts";

const cache = new WeakMap<Function, readonly ReadonlySet<VariableId>[]>();

/** For each location the variables that may be read from there on before they are written: states need no others. */
export function liveRegistersOf(fn: Function): readonly ReadonlySet<VariableId>[] {
  let live = cache.get(fn);
  if (live === undefined) {
    live = computeLive(fn);
    cache.set(fn, live);
  }
  return live;
}

function computeLive(fn: Function): Set<VariableId>[] {
  const live = Array.from({ length: fn.locations }, () => new Set<VariableId>());
  const { incoming } = controlFlowOf(fn);
  const work: LocationId[] = Array.from({ length: fn.locations }, (_, i) => i as LocationId);
  const queued = new Set(work);
  while (work.length > 0) {
    const location = work.pop()!;
    queued.delete(location);
    for (const edge of incoming[location]!) {
      const before = live[edge.from]!;
      const size = before.size;
      const written = writtenRegister(edge.operation);
      for (const variable of live[location]!) if (variable !== written) before.add(variable);
      for (const expression of operationExpressions(edge.operation)) {
        forEachVariableRead(expression, (variable) => before.add(variable as VariableId));
      }
      if (before.size > size && !queued.has(edge.from)) {
        queued.add(edge.from);
        work.push(edge.from);
      }
    }
  }
  return live;
}

function writtenRegister(operation: Operation): VariableId | null {
  switch (operation.kind) {
    case "assign":
    case "input":
    case "call":
    case "callLibrary":
      return operation.target;
    default:
      return null;
  }
}
