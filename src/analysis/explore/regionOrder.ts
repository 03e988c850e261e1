import { controlFlowOf } from "../../ir/controlFlow.ts";
import { loopsOf } from "../../ir/loops.ts";
import { follow } from "../../symbolic/followEdge.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { entryNode } from "./transfer.ts";

/** A region with more nodes is not merged. */
const mostNodes = 30_000;

export function isHead(node: InlinedNode): boolean {
  return loopsOf(node.function).loopWithHeader(node.location) !== null;
}

/**
 * The nodes between a node and the next loop heads, each before those that it leads to; calls are followed. Null where
 * there are too many, or a loop is entered other than at its head.
 */
export function regionOrder(symbols: Symbols, start: InlinedNode, activations: number): readonly InlinedNode[] | null {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { readonly node: InlinedNode; readonly key: string; readonly next: InlinedNode[] }[] = [];
  const enter = (node: InlinedNode): boolean => {
    const key = nodeKey(node);
    if (open.has(key)) return false;
    if (seen.has(key)) return true;
    if (seen.size >= mostNodes) return false;
    seen.add(key);
    open.add(key);
    stack.push({ node, key, next: successors(symbols, node, activations) });
    return true;
  };
  if (!enter(start)) return null;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next.pop();
    if (next !== undefined) {
      if (!enter(next)) return null;
      continue;
    }
    open.delete(top.key);
    result.push(top.node);
    stack.pop();
  }
  return result.reverse();
}

function successors(symbols: Symbols, node: InlinedNode, activations: number): InlinedNode[] {
  return controlFlowOf(node.function)
    .outgoing[node.location]!.flatMap((edge) => {
      if (edge.operation.kind === "return" && node.context === null) {
        return node.function.id === symbols.program.initializer ? [entryNode(symbols)] : [];
      }
      return follow(symbols, node, edge, activations).map((successor) => successor.node);
    })
    .filter((next) => !isHead(next));
}
