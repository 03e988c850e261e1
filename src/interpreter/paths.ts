import { Defect } from "../base/errors.ts";
import { memoised } from "../base/memo.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Edge, EdgeId, Function, LocationId, Program } from "../ir/program.ts";

/**
 * Numbers for the acyclic paths of a program, after T. Ball and J. Larus, "Efficient path profiling" (MICRO 1996):
 * edges carry increments whose sum along a path is its number, so that a run logs one number per path instead of one
 * per block. A path ends with a call, a return, or an edge back to the entry of a cycle, and at locations with too many
 * paths ahead.
 */
export type Paths = {
  /** By function and location: the number of the first path that starts there; 0 if none does. */
  readonly startsAt: readonly Int32Array[];
  /** By function and edge. */
  readonly increment: readonly Int32Array[];
  /** By function and edge: 1 if the edge is the last one of its path. */
  readonly ends: readonly Uint8Array[];
  blocksOf(path: number): Int32Array;
};

/** A path is cut at locations with more paths ahead. Keeps the log short and the tables small. */
const maxPathsAhead = 4096;

export const pathsOf = memoised((program: Program): Paths => numberPaths(program));

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
    // Only a choice has that many paths ahead, and the edges after a choice begin blocks.
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

/** At each location follows the edge with the largest increment that the rest of the number covers. */
function walkPath(program: Program, start: Start, number: number, increment: Int32Array, ends: Uint8Array): Int32Array {
  const { outgoing } = controlFlowOf(start.function);
  const startedBy = blocksOf(program).startedBy[start.function.id]!;
  const blocks: number[] = [];
  let rest = number;
  for (let at = start.location; ; ) {
    let chosen: Edge | undefined;
    for (const edge of outgoing[at]!) if (increment[edge.id]! <= rest) chosen = edge;
    if (chosen === undefined) throw new Defect("a path has no edge");
    rest -= increment[chosen.id]!;
    const block = startedBy[chosen.id]!;
    if (block !== -1) blocks.push(block);
    if (ends[chosen.id] === 1) return Int32Array.from(blocks);
    at = chosen.to;
  }
}

const chunkSize = 65536;

/** The blocks along recorded paths up to the last of `steps` steps; in chunks. */
export function expandPaths(program: Program, recorded: readonly Int32Array[], steps: number): Int32Array[] {
  const paths = pathsOf(program);
  const { first } = blocksOf(program);
  const chunks: Int32Array[] = [];
  let chunk = new Int32Array(chunkSize);
  let used = 0;
  let left = steps;
  for (const part of recorded) {
    for (let i = 0; i < part.length && left > 0; i++) {
      const blocks = paths.blocksOf(part[i]!);
      for (let k = 0; k < blocks.length && left > 0; k++) {
        if (used === chunkSize) {
          chunks.push(chunk);
          chunk = new Int32Array(chunkSize);
          used = 0;
        }
        const block = blocks[k]!;
        chunk[used++] = block;
        left -= first[block + 1]! - first[block]!;
      }
    }
  }
  chunks.push(chunk.slice(0, used));
  return chunks;
}

/**
 * A block is a maximal sequence of edges without a choice, join or call in between; a call ends its block. Every edge
 * is in exactly one block. A recorded run is a sequence of blocks; ids are dense over the program.
 */
export type Blocks = {
  readonly count: number;
  readonly functionOf: Int32Array;
  /** The edges of block `b` are `edges[first[b]] .. edges[first[b + 1] - 1]`. */
  readonly first: Int32Array;
  readonly edges: Int32Array;
  /** By function and edge: the block that the edge begins, or -1. */
  readonly startedBy: readonly Int32Array[];
  /** By function and edge: the number of edges from it to the end of its block, itself included. */
  readonly remaining: readonly Int32Array[];
};

export const blocksOf = memoised((program: Program): Blocks => findBlocks(program));

function findBlocks(program: Program): Blocks {
  const functionOf: number[] = [];
  const first: number[] = [0];
  const edges: number[] = [];
  const startedBy: Int32Array[] = [];
  const remaining: Int32Array[] = [];
  for (const fn of program.functions) {
    const starts = new Int32Array(fn.edges.length).fill(-1);
    const rest = new Int32Array(fn.edges.length);
    for (const edge of fn.edges) {
      if (!startsBlock(fn, edge)) continue;
      const block = blockFrom(fn, edge);
      starts[edge.id] = functionOf.length;
      functionOf.push(fn.id);
      block.forEach((id, i) => {
        edges.push(id);
        rest[id] = block.length - i;
      });
      first.push(edges.length);
    }
    startedBy.push(starts);
    remaining.push(rest);
  }
  return {
    count: functionOf.length,
    functionOf: Int32Array.from(functionOf),
    first: Int32Array.from(first),
    edges: Int32Array.from(edges),
    startedBy,
    remaining,
  };
}

function startsBlock(fn: Function, edge: Edge): boolean {
  const { outgoing, incoming } = controlFlowOf(fn);
  if (edge.from === fn.entry || outgoing[edge.from]!.length > 1) return true;
  const before = incoming[edge.from]!;
  return before.length !== 1 || before[0]!.operation.kind === "call";
}

function blockFrom(fn: Function, start: Edge): EdgeId[] {
  const { outgoing } = controlFlowOf(fn);
  const block = [start.id];
  for (let edge = start; edge.operation.kind !== "call" && edge.to !== fn.exit; ) {
    const next = outgoing[edge.to]!;
    if (next.length !== 1 || startsBlock(fn, next[0]!)) break;
    edge = next[0]!;
    block.push(edge.id);
  }
  return block;
}
