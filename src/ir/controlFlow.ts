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
  const reached = reversePostorder(fn.entry, fn.locations, (location) => nth(outgoing, location).map(({ to }) => to));
  const order = new Int32Array(fn.locations).fill(-1);
  for (let i = 0; i < reached.length; i++) order[nth(reached, i)] = i;
  return { outgoing, incoming, reversePostorder: reached, order };
}

/**
 * The locations that are reachable from `start`, each before its successors except along back edges; what follows the
 * first successor comes first. Iterative: generated functions have hundreds of thousands of locations in a row.
 */
export function reversePostorder<Location extends number>(
  start: Location,
  locations: number,
  successorsOf: (location: Location) => readonly Location[],
): Location[] {
  const result: Location[] = [];
  const seen = new Uint8Array(locations);
  const stack: { readonly location: Location; readonly open: Location[] }[] = [];
  const visit = (location: Location) => {
    seen[location] = 1;
    stack.push({ location, open: [...successorsOf(location)] });
  };
  visit(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = top.open.pop();
    if (to === undefined) {
      result.push(top.location);
      stack.pop();
    } else if (seen[to] === 0) visit(to);
  }
  return result.reverse();
}

/** What can be reached from the starts, themselves included, in the order in which it is found. */
export function reachableFrom<Item>(starts: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(starts);
  // Iteration over a set includes elements that are added meanwhile.
  for (const item of reached) for (const other of next(item)) reached.add(other);
  return reached;
}
