import { controlFlowOf } from "./controlFlow.ts";
import type { LocationId } from "./ids.ts";
import type { Assume, Case, Operation } from "./operation.ts";
import { postDominatorsOf } from "./postDominators.ts";
import type { Edge, Function } from "./program.ts";

export type BranchEdge = Edge & { readonly operation: Assume | Case };

export function isBranch(edge: Edge): edge is BranchEdge {
  return edge.operation.kind === "assume" || edge.operation.kind === "case";
}

/** Does a way that the branch did not take do something of the kind before the ways meet again? */
export function otherSideDoes(fn: Function, taken: Edge, isIt: (operation: Operation) => boolean): boolean {
  return otherSide(fn, taken).some(({ operation }) => isIt(operation));
}

/** The edges on ways that the branch did not take, the nearest first, up to where the ways meet again. */
export function otherSide(fn: Function, taken: Edge): readonly Edge[] {
  const others = controlFlowOf(fn).outgoing[taken.from]!.filter((edge) => edge !== taken);
  return edgesUntilMeeting(fn, taken.from, others);
}

/** Is the location on a way from the branch to where its ways meet? */
export function isUnder(fn: Function, taken: Edge, location: LocationId): boolean {
  if (location === postDominatorsOf(fn).immediate[taken.from]) return false;
  return edgesUntilMeeting(fn, taken.from, [taken]).some(({ to }) => to === location);
}

/** All edges from some of a branch's on, up to where its ways meet again. */
function edgesUntilMeeting(fn: Function, branch: LocationId, first: readonly Edge[]): readonly Edge[] {
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<number>([postDominatorsOf(fn).immediate[branch]!]);
  const edges = [...first];
  for (let i = 0; i < edges.length; i++) {
    const { to } = edges[i]!;
    if (seen.has(to)) continue;
    seen.add(to);
    edges.push(...outgoing[to]!);
  }
  return edges;
}
