import type { Edge, Function, LocationId } from "../ir/program.ts";
import type { FrameId, Symbols } from "./symbols.ts";

/** A location of a function that was reached through a chain of calls from a loop's own frame. */
export type InlinedNode = {
  readonly function: Function;
  readonly location: LocationId;
  readonly frame: FrameId;
  /** null in the frame where the encoding starts. */
  readonly context: CallContext | null;
};

export type CallContext = {
  readonly caller: InlinedNode;
  readonly edge: CallEdge;
};

export type CallEdge = Edge & { readonly operation: { readonly kind: "call" } };

export function isCallEdge(edge: Edge): edge is CallEdge {
  return edge.operation.kind === "call";
}

/** Frames are unique per chain of calls, so frame and location determine the node. */
export function nodeKey(node: InlinedNode): string {
  return `${node.frame}:${node.location}`;
}

export function at(node: InlinedNode, location: LocationId): InlinedNode {
  return { ...node, location };
}

/** The callee's entry, or null where the callee is running already so many times (recursion). */
export function enter(
  symbols: Symbols,
  node: InlinedNode,
  edge: CallEdge,
  callee: Function,
  activations = 1,
): InlinedNode | null {
  let running = 0;
  for (let caller: InlinedNode | null = node; caller !== null; caller = caller.context?.caller ?? null) {
    if (caller.function === callee && ++running >= activations) return null;
  }
  const frame = symbols.inlinedFrame(node.frame, edge.id, callee.id);
  return { function: callee, location: callee.entry, frame, context: { caller: node, edge } };
}
