import type { Edge, Function, Program } from "./program.ts";

/** A program in which one function has other edges. */
export function withEdges(program: Program, fn: Function, change: (edge: Edge) => Edge): Program {
  const changed = { ...fn, edges: fn.edges.map(change) };
  return { ...program, functions: program.functions.map((each) => (each === fn ? changed : each)) };
}
