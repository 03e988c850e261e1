import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { controlFlowOf } from "../../src/ir/controlFlow.ts";
import { dominatorsOf } from "../../src/ir/dominators.ts";
import { loopsOf } from "../../src/ir/loops.ts";
import type { Function, LocationId } from "../../src/ir/program.ts";
import { functionFromGraph, randomGraph } from "./randomFunction.ts";

/** Locations that the entry reaches without passing `without`. */
function reachable(fn: Function, without: number | null): Set<number> {
  const seen = new Set<number>();
  const work: number[] = without === fn.entry ? [] : [fn.entry];
  while (work.length > 0) {
    const location = work.pop()!;
    if (seen.has(location)) continue;
    seen.add(location);
    for (const edge of fn.edges) if (edge.from === location && edge.to !== without) work.push(edge.to);
  }
  return seen;
}

describe("dominators", () => {
  test("agree with the definition: every way from the entry passes the dominator", () => {
    fc.assert(
      fc.property(randomGraph, (fn) => {
        const all = reachable(fn, null);
        const { dominates } = dominatorsOf(fn);
        for (const a of all) {
          const rest = reachable(fn, a);
          for (const b of all) expect(dominates(a as LocationId, b as LocationId)).toBe(a === b || !rest.has(b));
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("loops", () => {
  test("cover every cycle by a header or an irreducible edge, with bodies dominated by their header", () => {
    fc.assert(
      fc.property(randomGraph, (fn) => {
        const forest = loopsOf(fn);
        const { dominates } = dominatorsOf(fn);
        const cut = new Set<unknown>([...forest.loops.flatMap((loop) => loop.backEdges), ...forest.irreducible]);
        expect(isAcyclic(fn, (edge) => !cut.has(edge))).toBe(true);
        for (const loop of forest.loops) {
          for (const edge of loop.exits) expect(loop.body.has(edge.from) && !loop.body.has(edge.to)).toBe(true);
          if (forest.irreducible.length > 0) continue;
          for (const location of loop.body) expect(dominates(loop.header, location)).toBe(true);
          if (loop.parent !== null) for (const location of loop.body) expect(loop.parent.body.has(location)).toBe(true);
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test("include nested loops, a loop with two back edges and a jump into a loop", () => {
    //                                        outer          inner       exit
    const nested = loopsOf(
      functionFromGraph(5, [
        [0, 1],
        [1, 2],
        [2, 2],
        [2, 3],
        [3, 1],
        [1, 3],
        [1, 4],
      ]),
    );
    expect(nested.loops.map((loop) => [loop.header, loop.depth, loop.backEdges.length])).toEqual([
      [1, 1, 1],
      [2, 2, 1],
    ]);
    expect(nested.innermost(2 as LocationId)?.header).toBe(2);
    expect(nested.irreducible).toEqual([]);
    const jump = loopsOf(
      functionFromGraph(4, [
        [0, 1],
        [0, 2],
        [1, 2],
        [2, 1],
        [2, 3],
      ]),
    );
    expect(jump.irreducible.length).toBe(1);
  });
});

function isAcyclic(fn: Function, keep: (edge: Function["edges"][number]) => boolean): boolean {
  const { reversePostorder, outgoing } = controlFlowOf(fn);
  const state = new Map<number, "open" | "done">();
  const visit = (location: number): boolean => {
    if (state.get(location) === "done") return true;
    if (state.get(location) === "open") return false;
    state.set(location, "open");
    const fine = outgoing[location]!.every((edge) => !keep(edge) || visit(edge.to));
    state.set(location, "done");
    return fine;
  };
  return reversePostorder.every(visit);
}
