import type { Program } from "../../ir/program.ts";

const cache = new WeakMap<Program, Int32Array>();

/** Edges numbered over the whole program: by function the number of its edge 0, and behind the last function their count. */
export function edgeCodesOf(program: Program): Int32Array {
  let codes = cache.get(program);
  if (codes === undefined) {
    codes = new Int32Array(program.functions.length + 1);
    for (const { id, edges } of program.functions) codes[id + 1] = codes[id]! + edges.length;
    cache.set(program, codes);
  }
  return codes;
}
