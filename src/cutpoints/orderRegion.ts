import { controlFlowOf } from "../ir/controlFlow.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import { depthFirstOrder } from "./depthFirstOrder.ts";
import type { RegionContext } from "./regionContext.ts";

/**
 * A way around comes back to a location that is no head: the loop is entered at several places. Whoever builds the model cuts
 * regions there, too.
 */
export class EnteredLoop extends Error {
  readonly node: InlinedNode;
  constructor(node: InlinedNode) {
    super(`${node.function.name} jumps into a loop`);
    this.node = node;
  }
}

/** A region that inlines to more locations than this is not encoded. */
const nodeLimit = 60_000;

/** The locations of a region, each before those that it leads to. */
export function orderRegion(context: RegionContext, start: InlinedNode): readonly InlinedNode[] {
  return depthFirstOrder(start, {
    next: (node) => inside(context, node),
    cyclic: (node) => new EnteredLoop(node),
    name: "the code between two loop heads",
    mostNodes: nodeLimit,
  });
}

function inside(context: RegionContext, node: InlinedNode): InlinedNode[] {
  const nodes: InlinedNode[] = [];
  for (const edge of controlFlowOf(node.function).outgoing[node.location]!) {
    for (const { node: next } of context.follow(node, edge)) {
      if (!context.isCut(next) && context.reachesError(next)) nodes.push(next);
    }
  }
  return nodes;
}
