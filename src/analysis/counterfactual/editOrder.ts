import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { Slice } from "../../dependence/slice.ts";
import type { Function } from "../../ir/program.ts";
import { type Edit, editSize } from "./edit.ts";
import { isRewriting, siteOfEdit } from "./editSite.ts";

/**
 * The order in which edits are tried, for runs that are too long to try all of them: small ones before larger ones, and of those of a size the ones whose place
 * is nearest to the failure. What the failure does not depend on, constants that only stand for others, and the entries of tables come later, and so does what costs much.
 */
export function inOrderOfPromise(graph: DependenceGraph, slice: Slice, edits: readonly Edit[]): readonly Edit[] {
  const distances = distancesOfLocations(graph, slice);
  const { initializer, functions } = graph.trace.program;
  // A rewritten program is compiled anew, which takes as long as many re-runs where it is large.
  const compiling = functions.reduce((edges, fn) => edges + fn.edges.length, 0) / largeProgram;
  const keyed = edits.map((edit, i) => {
    const { function: fn, edges } = siteOfEdit(edit);
    const near = edges.map(({ from }) => distances.get(locationKey(fn, from)) ?? Number.POSITIVE_INFINITY);
    const distance = Math.min(...near);
    const isTable = fn.id === initializer;
    const effort =
      editSize(edit) +
      (distance === Number.POSITIVE_INFINITY ? outside : 0) +
      (isFarConstant(edit) ? farConstant : 0) +
      (isTable ? table : 0) +
      (isRewriting(edit) ? Math.min(compiling, 1.5) : 0);
    return { edit, effort, distance, i };
  });
  keyed.sort((a, b) => a.effort - b.effort || (a.distance === b.distance ? a.i - b.i : a.distance - b.distance));
  return keyed.map(({ edit }) => edit);
}

/** In sizes of edits. */
const outside = 1;
const farConstant = 1.5;
const table = 2;
/** In edges. */
const largeProgram = 3_000;

/** Neither next to what stands there nor one of those that people mean when they write it. */
function isFarConstant(edit: Edit): boolean {
  if (edit.kind !== "constant") return false;
  const [own, other] = [Number(edit.place.expression.value), Number(edit.to)];
  return Math.abs(own - other) !== 1 && other !== 0 && other !== 1 && other !== -own;
}

/** The nearest step from each location in the slice: whichever way a branch went, it is the same place. */
function distancesOfLocations(graph: DependenceGraph, slice: Slice): ReadonlyMap<number, number> {
  const byEdge = slice.distances();
  const distances = new Map<number, number>();
  for (const fn of graph.trace.program.functions) {
    for (const edge of fn.edges) {
      const distance = byEdge.get(edge);
      const key = locationKey(fn, edge.from);
      if (distance !== undefined && distance < (distances.get(key) ?? Number.POSITIVE_INFINITY)) {
        distances.set(key, distance);
      }
    }
  }
  return distances;
}

function locationKey(fn: Function, location: number): number {
  return fn.id * 2 ** 20 + location;
}
