import { Defect } from "../base/errors.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Edge, Function, LocationId, Program } from "../ir/program.ts";
import { blocksOf } from "./blocks.ts";

/**
 * Numbers for the acyclic paths of a program, after T. Ball and J. Larus, "Efficient path profiling" (MICRO 1996): edges
 * carry increments whose sum along a path is the path's own number, so that a run logs one number for each path instead
 * of one for each block. A path ends with a call, a return, or an edge back to where a cycle was entered; the next one
 * starts where control goes on. Where a location has too many paths ahead, they end there, too.
 */
export type Paths = {
  /** By function and location: the number of the first path that starts there; 0 where none does. */
  readonly startsAt: readonly Int32Array[];
  /** By function and edge. */
  readonly increment: readonly Int32Array[];
  /** By function and edge: 1 when the edge is the last one of its path. */
  readonly ends: readonly Uint8Array[];
  /** The blocks along a path. */
  blocksOf(path: number): Int32Array;
};

/** Paths ahead of a location; with more of them a path is cut. The log stays short and tables of paths stay small. */
const maxPathsAhead = 4096;

const cache = new WeakMap<Program, Paths>();

export function pathsOf(program: Program): Paths {
  let paths = cache.get(program);
  if (paths === undefined) {
    paths = numberPaths(program);
    cache.set(program, paths);
  }
  return paths;
}

type Start = { readonly first: number; readonly function: Function; readonly location: LocationId };

function numberPaths(program: Program): Paths {
  const startsAt: Int32Array[] = [];
  const increment: Int32Array[] = [];
  const ends: Uint8Array[] = [];
  const starts: Start[] = [];
  // 0 is no path.
  let next = 1;
  for (const fn of program.functions) {
    const numbers = numberFunction(fn);
    const own = new Int32Array(fn.locations);
    for (const location of numbers.starts) {
      own[location] = next;
      starts.push({ first: next, function: fn, location });
      next += numbers.ahead[location]!;
    }
    startsAt.push(own);
    increment.push(numbers.increment);
    ends.push(numbers.ends);
  }
  if (next > 2 ** 31) throw new Defect("the program has too many paths to number");
  const known = new Map<number, Int32Array>();
  return {
    startsAt,
    increment,
    ends,
    blocksOf(path) {
      let blocks = known.get(path);
      if (blocks === undefined) {
        const start = starts[lastAtMost(starts, path)]!;
        const { id } = start.function;
        blocks = walkPath(program, start, path - start.first, increment[id]!, ends[id]!);
        known.set(path, blocks);
      }
      return blocks;
    },
  };
}

function numberFunction(fn: Function): {
  readonly starts: ReadonlySet<LocationId>;
  readonly ahead: Float64Array;
  readonly increment: Int32Array;
  readonly ends: Uint8Array;
} {
  const { reversePostorder, outgoing, order } = controlFlowOf(fn);
  const starts = new Set<LocationId>([fn.entry]);
  for (const edge of fn.edges) {
    const backwards = order[edge.to]! <= order[edge.from]!;
    if (edge.to !== fn.exit && (backwards || edge.operation.kind === "call")) starts.add(edge.to);
  }
  const ahead = new Float64Array(fn.locations);
  const increment = new Int32Array(fn.edges.length);
  const ends = new Uint8Array(fn.edges.length);
  // Successors first.
  for (let i = reversePostorder.length - 1; i >= 0; i--) {
    const location = reversePostorder[i]!;
    let sum = 0;
    for (const edge of outgoing[location]!) {
      increment[edge.id] = sum;
      if (edge.to === fn.exit || starts.has(edge.to)) ends[edge.id] = 1;
      sum += ends[edge.id] === 1 ? 1 : ahead[edge.to]!;
    }
    ahead[location] = sum;
    // Only a choice has that many paths ahead, and the edges behind a choice begin blocks.
    if (sum > maxPathsAhead) starts.add(location);
  }
  return { starts, ahead, increment, ends };
}

function lastAtMost(starts: readonly Start[], path: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]!.first <= path) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** At every location the edge with the largest increment that the rest of the number still covers. */
function walkPath(program: Program, start: Start, number: number, increment: Int32Array, ends: Uint8Array): Int32Array {
  const { outgoing } = controlFlowOf(start.function);
  const startedBy = blocksOf(program).startedBy[start.function.id]!;
  const blocks: number[] = [];
  let rest = number;
  for (let at = start.location; ; ) {
    let chosen: Edge | undefined;
    for (const edge of outgoing[at]!) if (increment[edge.id]! <= rest) chosen = edge;
    if (chosen === undefined) throw new Defect("a path without an edge");
    rest -= increment[chosen.id]!;
    const block = startedBy[chosen.id]!;
    if (block !== -1) blocks.push(block);
    if (ends[chosen.id] === 1) return Int32Array.from(blocks);
    at = chosen.to;
  }
}
