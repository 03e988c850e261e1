import { TracefoldError } from "../base/errors.ts";
import { type InlinedNode, nodeKey } from "../symbolic/followEdge.ts";

/** What is walked through, and what is said where that cannot be. */
export type OrderedPart = {
  /** Where it leads on; the array is used up. */
  next(node: InlinedNode): InlinedNode[];
  /** A way around comes back to a location that is still open. */
  cyclic(node: InlinedNode): Error;
  /** As a message calls it: `a loop body`. */
  readonly name: string;
  /** More locations than this are not encoded. */
  readonly mostNodes: number;
};

/** The locations of a part of a program, each before those that it leads to. Depth first and iterative. */
export function depthFirstOrder(start: InlinedNode, part: OrderedPart): InlinedNode[] {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { readonly node: InlinedNode; readonly key: string; readonly next: InlinedNode[] }[] = [];
  const push = (node: InlinedNode) => {
    const key = nodeKey(node);
    if (open.has(key)) throw part.cyclic(node);
    if (seen.has(key)) return;
    if (seen.size >= part.mostNodes) throw tooLarge(start, part);
    seen.add(key);
    open.add(key);
    stack.push({ node, key, next: part.next(node) });
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

function tooLarge(start: InlinedNode, { name, mostNodes }: OrderedPart): TracefoldError {
  return new TracefoldError({
    code: "TF310",
    message: `${name} in ${start.function.name} has more than ${mostNodes} locations with its calls followed`,
    range: start.function.range,
  });
}
