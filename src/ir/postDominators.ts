import { controlFlowOf } from "./controlFlow.ts";
import type { LocationId } from "./ids.ts";
import type { Edge, Function } from "./program.ts";

/** Where the ways from each location meet again: its immediate post-dominator; -1 where no way leads to the exit. */
export type PostDominators = { readonly immediate: Int32Array };

const cache = new WeakMap<Function, PostDominators>();

export function postDominatorsOf(fn: Function): PostDominators {
  let known = cache.get(fn);
  if (known === undefined) {
    known = { immediate: immediatePostDominators(fn, () => true) };
    cache.set(fn, known);
  }
  return known;
}

/**
 * As for dominators (Cooper, Harvey, Kennedy 2001), on the edges the other way round; only those that count. The result
 * is by location: -1 where no way leads to the exit.
 */
export function immediatePostDominators(fn: Function, counts: (edge: Edge) => boolean): Int32Array {
  const { incoming, outgoing } = controlFlowOf(fn);
  const order = backwardOrder(fn, incoming, counts);
  const position = new Int32Array(fn.locations).fill(-1);
  order.forEach((location, i) => {
    position[location] = i;
  });
  const immediate = new Int32Array(fn.locations).fill(-1);
  immediate[fn.exit] = fn.exit;
  const intersect = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (position[x]! > position[y]!) x = immediate[x]!;
      while (position[y]! > position[x]!) y = immediate[y]!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const location of order) {
      if (location === fn.exit) continue;
      let candidate = -1;
      for (const edge of outgoing[location]!) {
        const { to } = edge;
        if (immediate[to] === -1 || !counts(edge)) continue;
        candidate = candidate === -1 ? to : intersect(to, candidate);
      }
      if (immediate[location] === candidate) continue;
      immediate[location] = candidate;
      changed = true;
    }
  }
  return immediate;
}

/** Reverse postorder of a walk from the exit against the edges. */
function backwardOrder(
  fn: Function,
  incoming: readonly (readonly Edge[])[],
  counts: (edge: Edge) => boolean,
): LocationId[] {
  const finished: LocationId[] = [];
  const seen = new Uint8Array(fn.locations);
  const stack: { location: LocationId; next: number }[] = [{ location: fn.exit, next: 0 }];
  seen[fn.exit] = 1;
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const edge = incoming[top.location]![top.next++];
    if (edge === undefined) {
      finished.push(top.location);
      stack.pop();
    } else if (seen[edge.from] === 0 && counts(edge)) {
      seen[edge.from] = 1;
      stack.push({ location: edge.from, next: 0 });
    }
  }
  return finished.reverse();
}
