import { nth } from "../../base/checked.ts";
import type { Edge, Function } from "../../ir/program.ts";
import type { Trace } from "../trace.ts";

/** When a run first came to where an edge begins: the number of the step that left from there, or that of all steps for never. */
export type FirstVisits = (fn: Function, edge: Edge) => number;

export function firstVisits({ program, blocks, log, steps }: Trace): FirstVisits {
  const firstOfBlock = new Float64Array(blocks.count).fill(-1);
  let step = 0;
  for (const chunk of log) {
    for (const block of chunk) {
      if (firstOfBlock[block] === -1) firstOfBlock[block] = step;
      step += blocks.first[block + 1]! - blocks.first[block]!;
    }
  }
  const visits = program.functions.map(({ locations }) => new Float64Array(locations).fill(steps));
  for (let block = 0; block < blocks.count; block++) {
    if (firstOfBlock[block] === -1) continue;
    const fn = nth(program.functions, blocks.functionOf[block]!);
    const byLocation = nth(visits, fn.id);
    const begin = blocks.first[block]!;
    for (let i = begin; i < blocks.first[block + 1]!; i++) {
      const { from } = nth(fn.edges, blocks.edges[i]!);
      byLocation[from] = Math.min(byLocation[from]!, firstOfBlock[block]! + i - begin);
    }
  }
  return (fn, { from }) => nth(visits, fn.id)[from]!;
}
