import { controlFlowOf } from "../../ir/controlFlow.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Edge } from "../../ir/program.ts";
import { follow } from "../../symbolic/followEdge.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** The core of a cycle (004, Definition 1): a cyclic way from a loop's head back to it, all nodes on it distinct. */
export type Core = readonly { readonly edge: Edge; readonly to: string }[];

/** A loop with more cores is left to classic execution but for those that it goes round. */
const mostCores = 24;
/** Nodes that are looked at for them. */
const mostNodes = 4000;

/** All cores of the loop at a head, calls followed; none where there are too many. */
export function coresOf(symbols: Symbols, head: InlinedNode): readonly Core[] {
  const loop = loopsOf(head.function).loopWithHeader(head.location);
  if (loop === null) return [];
  const start = nodeKey(head);
  const cores: Core[] = [];
  let visited = 0;
  const isInside = (node: InlinedNode): boolean => node.frame !== head.frame || loop.body.has(node.location);
  type Way = { readonly node: InlinedNode; readonly core: Core; readonly seen: ReadonlySet<string> };
  const stack: Way[] = [{ node: head, core: [], seen: new Set() }];
  for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
    if (++visited > mostNodes || cores.length > mostCores) return [];
    const { node, core, seen } = way;
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!.toReversed()) {
      for (const next of follow(symbols, node, edge)) {
        const key = nodeKey(next.node);
        if (seen.has(key) || !isInside(next.node)) continue;
        const longer = [...core, { edge, to: key }];
        if (key === start) cores.push(longer);
        else stack.push({ node: next.node, core: longer, seen: new Set([...seen, key]) });
      }
    }
  }
  return cores;
}

export function coreKey(head: InlinedNode, core: Core): string {
  return `${nodeKey(head)}|${core.map(({ edge, to }) => `${edge.id}>${to}`).join(" ")}`;
}

/** Does a way pass the same loop head, or another node, twice? Then it is no core. */
export function isCore(way: Core): boolean {
  return new Set(way.map(({ to }) => to)).size === way.length;
}
