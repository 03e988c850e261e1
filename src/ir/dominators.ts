import { nth } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { controlFlowOf, reversePostorder } from "./controlFlow.ts";
import type { Edge, Function, LocationId } from "./program.ts";

export type Dominators = {
  /** The immediate dominator; the entry is its own; -1 for unreachable locations. */
  readonly immediate: Int32Array;
  dominates(a: LocationId, b: LocationId): boolean;
};

export const dominatorsOf = memoised((fn: Function): Dominators => {
  const { order, reversePostorder: locations, incoming } = controlFlowOf(fn);
  const immediate = immediateDominators(locations, order, (location) =>
    nth(incoming, location).map(({ from }) => from),
  );
  const dominates = (a: LocationId, b: LocationId): boolean => {
    if (order[a] === -1 || order[b] === -1) return false;
    let at: number = b;
    while (order[at]! > order[a]!) at = immediate[at]!;
    return at === a;
  };
  return { immediate, dominates };
});

/** The immediate post-dominator of each location; -1 if no path leads to the exit. */
export type PostDominators = { readonly immediate: Int32Array };

export const postDominatorsOf = memoised(
  (fn: Function): PostDominators => ({ immediate: immediatePostDominators(fn, () => true) }),
);

/** Dominators on the reversed edges that count; -1 without a path to the exit. */
export function immediatePostDominators(fn: Function, counts: (edge: Edge) => boolean): Int32Array {
  const { incoming, outgoing } = controlFlowOf(fn);
  const locations = reversePostorder(fn.exit, fn.locations, (location) =>
    nth(incoming, location)
      .filter(counts)
      .map(({ from }) => from),
  );
  const order = new Int32Array(fn.locations).fill(-1);
  for (const [i, location] of locations.entries()) order[location] = i;
  return immediateDominators(locations, order, (location) =>
    nth(outgoing, location)
      .filter(counts)
      .map(({ to }) => to),
  );
}

/**
 * Iteration over reverse postorder with intersection by finger (Cooper, Harvey, Kennedy 2001). `order` is the position
 * of a location in `locations`, or -1.
 */
function immediateDominators(
  locations: readonly LocationId[],
  order: Int32Array,
  before: (location: LocationId) => readonly LocationId[],
): Int32Array {
  const immediate = new Int32Array(order.length).fill(-1);
  const root = nth(locations, 0);
  immediate[root] = root;
  const intersect = (a: number, b: number): number => {
    let x = a;
    let y = b;
    while (x !== y) {
      while (order[x]! > order[y]!) x = immediate[x]!;
      while (order[y]! > order[x]!) y = immediate[y]!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const location of locations) {
      if (location === root) continue;
      let candidate = -1;
      for (const from of before(location)) {
        if (immediate[from] === -1) continue;
        candidate = candidate === -1 ? from : intersect(from, candidate);
      }
      if (immediate[location] !== candidate) {
        immediate[location] = candidate;
        changed = true;
      }
    }
  }
  return immediate;
}
