import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Edge, EdgeId, Function, Program } from "../ir/program.ts";

/**
 * A block is a maximal run of edges that are executed one after another without a choice, a join or a call in between;
 * a call ends its block. Every edge is in exactly one block, at a fixed place. A recorded run is the sequence of its
 * blocks; ids are dense over the program.
 */
export type Blocks = {
  readonly count: number;
  /** The function of each block. */
  readonly functionOf: Int32Array;
  /** The edges of block `b` are `edges[first[b]] .. edges[first[b + 1] - 1]`. */
  readonly first: Int32Array;
  readonly edges: Int32Array;
  /** For each function and edge: the block that the edge begins, or -1. */
  readonly startedBy: readonly Int32Array[];
  /** For each function and edge: the number of edges from it to the end of its block, itself included. */
  readonly remaining: readonly Int32Array[];
};

const cache = new WeakMap<Program, Blocks>();

export function blocksOf(program: Program): Blocks {
  let blocks = cache.get(program);
  if (blocks === undefined) {
    blocks = findBlocks(program);
    cache.set(program, blocks);
  }
  return blocks;
}

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
