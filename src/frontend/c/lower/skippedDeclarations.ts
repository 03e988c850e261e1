import { liveRegistersOf } from "../../../ir/dataFlow.ts";
import type { Edge, EdgeId, Function, LocationId, ProgramVariable } from "../../../ir/program.ts";
import { isScalar } from "../../../ir/type.ts";

/**
 * A `goto` or a `case` may jump over a declaration: its variable has no value then, which where such values are inputs
 * makes it one. It is read at the function's entry, because no other place is on all ways to its uses.
 */
export function skippedDeclarations(fn: Function, variables: readonly ProgramVariable[]): Function {
  const parameters = new Set(fn.parameters);
  const skipped = [...liveRegistersOf(fn)[fn.entry]!]
    .sort((a, b) => a - b)
    .flatMap((id) => {
      const { kind, storage, madeUp, name, type, range } = variables[id]!;
      const isOwn = kind === "local" && storage === "register" && madeUp !== true && !parameters.has(id);
      return isOwn && isScalar(type) ? [{ id, name, type, range }] : [];
    });
  if (skipped.length === 0) return fn;
  const reads = skipped.map(({ id, name, type, range }, i): Edge => {
    const from = (fn.locations + i) as LocationId;
    const to = i + 1 < skipped.length ? ((fn.locations + i + 1) as LocationId) : fn.entry;
    const operation = { kind: "input" as const, target: id, type, source: name };
    return { id: (fn.edges.length + i) as EdgeId, from, to, operation, range };
  });
  return {
    ...fn,
    entry: fn.locations as LocationId,
    locations: fn.locations + skipped.length,
    edges: [...fn.edges, ...reads],
  };
}
