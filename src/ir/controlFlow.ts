import { nth } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import type { Edge, Function, LocationId } from "./program.ts";

/** A function's adjacency lists, computed once. */
export type ControlFlow = {
  readonly outgoing: readonly (readonly Edge[])[];
  readonly incoming: readonly (readonly Edge[])[];
  /** Reachable locations, entry first, each before its successors except along back edges. */
  readonly reversePostorder: readonly LocationId[];
  /** Position in `reversePostorder`; -1 for unreachable locations. */
  readonly order: Int32Array;
};

export const controlFlowOf = memoised((fn: Function): ControlFlow => computeControlFlow(fn));

function computeControlFlow(fn: Function): ControlFlow {
  const outgoing: Edge[][] = Array.from({ length: fn.locations }, () => []);
  const incoming: Edge[][] = Array.from({ length: fn.locations }, () => []);
  for (const edge of fn.edges) {
    nth(outgoing, edge.from).push(edge);
    nth(incoming, edge.to).push(edge);
  }
  const reversePostorder = postorder(fn.entry, outgoing).reverse();
  const order = new Int32Array(fn.locations).fill(-1);
  for (let i = 0; i < reversePostorder.length; i++) order[nth(reversePostorder, i)] = i;
  return { outgoing, incoming, reversePostorder, order };
}

/** Iterative: generated functions have hundreds of thousands of locations in a row. */
function postorder(entry: LocationId, outgoing: readonly (readonly Edge[])[]): LocationId[] {
  const result: LocationId[] = [];
  const seen = new Uint8Array(outgoing.length);
  const stack: { location: LocationId; next: number }[] = [{ location: entry, next: 0 }];
  seen[entry] = 1;
  while (stack.length > 0) {
    const top = nth(stack, stack.length - 1);
    const edges = nth(outgoing, top.location);
    if (top.next < edges.length) {
      // Later edges first, so that the first edge of a branch comes first in reverse postorder.
      const to = nth(edges, edges.length - 1 - top.next++).to;
      if (seen[to] === 0) {
        seen[to] = 1;
        stack.push({ location: to, next: 0 });
      }
    } else {
      result.push(top.location);
      stack.pop();
    }
  }
  return result;
}
