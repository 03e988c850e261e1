import { nth } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { type ControlFlow, controlFlowOf } from "./controlFlow.ts";
import type { Edge, Function, LocationId } from "./program.ts";

export type Dominators = {
  /** The immediate dominator; the entry is its own; -1 for unreachable locations. */
  readonly immediate: Int32Array;
  readonly children: readonly (readonly LocationId[])[];
  dominates(a: LocationId, b: LocationId): boolean;
};

export const dominatorsOf = memoised((fn: Function): Dominators => computeDominators(fn, controlFlowOf(fn)));

/** Iteration over reverse postorder with intersection by finger (Cooper, Harvey, Kennedy 2001). */
function computeDominators(fn: Function, flow: ControlFlow): Dominators {
  const { order, reversePostorder, incoming } = flow;
  const immediate = new Int32Array(fn.locations).fill(-1);
  immediate[fn.entry] = fn.entry;
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
    for (const location of reversePostorder) {
      if (location === fn.entry) continue;
      let candidate = -1;
      for (const edge of nth(incoming, location)) {
        if (immediate[edge.from] === -1) continue;
        candidate = candidate === -1 ? edge.from : intersect(edge.from, candidate);
      }
      if (immediate[location] !== candidate) {
        immediate[location] = candidate;
        changed = true;
      }
    }
  }
  const children: LocationId[][] = Array.from({ length: fn.locations }, () => []);
  for (const location of reversePostorder) {
    if (location !== fn.entry) nth(children, immediate[location]!).push(location);
  }
  const { enter, leave } = numberTree(fn, children);
  return {
    immediate,
    children,
    dominates: (a, b) => enter[a]! !== -1 && enter[b]! !== -1 && enter[a]! <= enter[b]! && leave[b]! <= leave[a]!,
  };
}

/** Entry and exit times of a tree walk: `a` dominates `b` if its interval contains b's. */
function numberTree(fn: Function, children: readonly (readonly LocationId[])[]) {
  const enter = new Int32Array(fn.locations).fill(-1);
  const leave = new Int32Array(fn.locations).fill(-1);
  let time = 0;
  const stack: { location: LocationId; next: number }[] = [{ location: fn.entry, next: 0 }];
  enter[fn.entry] = time++;
  while (stack.length > 0) {
    const top = nth(stack, stack.length - 1);
    const child = nth(children, top.location)[top.next++];
    if (child === undefined) {
      leave[top.location] = time++;
      stack.pop();
    } else {
      enter[child] = time++;
      stack.push({ location: child, next: 0 });
    }
  }
  return { enter, leave };
}

/** The immediate post-dominator of each location; -1 if no path leads to the exit. */
export type PostDominators = { readonly immediate: Int32Array };

export const postDominatorsOf = memoised(
  (fn: Function): PostDominators => ({ immediate: immediatePostDominators(fn, () => true) }),
);

/** Like dominators (Cooper, Harvey, Kennedy 2001), on the reversed edges that count; -1 without a path to the exit. */
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
      for (const edge of nth(outgoing, location)) {
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

/** Reverse postorder from the exit against the edges. */
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
    const top = nth(stack, stack.length - 1);
    const edge = nth(incoming, top.location)[top.next++];
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
