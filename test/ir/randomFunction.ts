import fc from "fast-check";
import type { Edge, EdgeId, Function, FunctionId, LocationId } from "../../src/ir/program.ts";

const range = { file: "random.c", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** A function of `skip` edges over the given graph: enough for everything that looks at control flow alone. */
export function functionFromGraph(locations: number, pairs: readonly (readonly [number, number])[]): Function {
  const edges: Edge[] = pairs.map(([from, to], i) => ({
    id: i as EdgeId,
    from: from as LocationId,
    to: to as LocationId,
    operation: { kind: "skip" },
    range,
  }));
  return {
    id: 0 as FunctionId,
    name: "random",
    type: { kind: "function", result: { kind: "void" }, parameters: [], variadic: false, unprototyped: false },
    parameters: [],
    locals: [],
    entry: 0 as LocationId,
    exit: (locations - 1) as LocationId,
    locations,
    edges,
    range,
  };
}

/** Up to 12 locations, any edges; irreducible graphs and unreachable locations included. */
export const randomGraph: fc.Arbitrary<Function> = fc
  .integer({ min: 2, max: 12 })
  .chain((locations) =>
    fc
      .array(fc.tuple(fc.nat(locations - 2), fc.nat(locations - 1)), { maxLength: 24 })
      .map((pairs) => functionFromGraph(locations, pairs)),
  );
