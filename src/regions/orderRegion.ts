import { TracefoldError } from "../base/errors.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { type InlinedNode, nodeKey } from "../symbolic/inlinedNode.ts";
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

/** The locations of a region, each before those that it leads to. Depth first and iterative. */
export function orderRegion(context: RegionContext, start: InlinedNode): readonly InlinedNode[] {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { readonly node: InlinedNode; readonly key: string; readonly next: InlinedNode[] }[] = [];
  const push = (node: InlinedNode) => {
    const key = nodeKey(node);
    if (open.has(key)) throw new EnteredLoop(node);
    if (seen.has(key)) return;
    if (seen.size >= nodeLimit) throw tooLarge(start);
    seen.add(key);
    open.add(key);
    stack.push({ node, key, next: inside(context, node) });
  };
  push(start);
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const next = top.next.pop();
    if (next !== undefined) push(next);
    else {
      open.delete(top.key);
      result.push(top.node);
      stack.pop();
    }
  }
  return result.reverse();
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

function tooLarge(start: InlinedNode): TracefoldError {
  return new TracefoldError({
    code: "TF310",
    message: `the code between two loop heads in ${start.function.name} has more than ${nodeLimit} locations with its calls followed`,
    range: start.function.range,
  });
}
