import { nth } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import { controlFlowOf } from "./controlFlow.ts";
import { immediatePostDominators, postDominatorsOf } from "./dominators.ts";
import type { Assume, Case, Operation } from "./operation.ts";
import type { Edge, Function, LocationId, Program } from "./program.ts";

export type BranchEdge = Edge & { readonly operation: Assume | Case };

export function isBranch(edge: Edge): edge is BranchEdge {
  return edge.operation.kind === "assume" || edge.operation.kind === "case";
}

/** True if an alternative path of the branch has such an operation before the paths join. */
export function otherSideDoes(fn: Function, taken: Edge, isIt: (operation: Operation) => boolean): boolean {
  return otherSide(fn, taken).some(({ operation }) => isIt(operation));
}

/** The edges on the paths not taken, nearest first, up to the join. */
export function otherSide(fn: Function, taken: Edge): readonly Edge[] {
  const others = nth(controlFlowOf(fn).outgoing, taken.from).filter((edge) => edge !== taken);
  return edgesUntilMeeting(fn, taken.from, others);
}

/** True if the location is on a path from the branch to its join. */
export function isUnder(fn: Function, taken: Edge, location: LocationId): boolean {
  if (location === postDominatorsOf(fn).immediate[taken.from]) return false;
  return edgesUntilMeeting(fn, taken.from, [taken]).some(({ to }) => to === location);
}

/** All edges from the given ones on, up to the branch's join. */
function edgesUntilMeeting(fn: Function, branch: LocationId, first: readonly Edge[]): readonly Edge[] {
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<number>([postDominatorsOf(fn).immediate[branch]!]);
  const edges = [...first];
  for (let i = 0; i < edges.length; i++) {
    const { to } = nth(edges, i);
    if (seen.has(to)) continue;
    seen.add(to);
    edges.push(...nth(outgoing, to));
  }
  return edges;
}

/** Where a function's branches join, ignoring paths that end the run with an error. */
export type Joins = {
  /** By location; -1 if all paths end with an error. */
  readonly after: Int32Array;
  /** By location: 1 if paths join. */
  readonly isJoin: Uint8Array;
};

/** By function. Code after `assert(x)` does not depend on `x`, but the failure does; after `if (x) return;` it does. */
export function joinsOf(program: Program): readonly Joins[] {
  return remembered(joinCache, program, () => computeJoins(program));
}

const joinCache = new WeakMap<Program, readonly Joins[]>();

function computeJoins(program: Program): readonly Joins[] {
  const dead = functionsWithoutReturn(program);
  return program.functions.map((fn) => {
    const after = immediatePostDominators(fn, (edge) => continues(edge, dead));
    const isJoin = new Uint8Array(fn.locations);
    for (const join of after) if (join !== -1) isJoin[join] = 1;
    return { after, isJoin };
  });
}

function continues({ operation }: Edge, dead: ReadonlySet<number>): boolean {
  if (operation.kind === "fail") return operation.reason === "exit";
  return !(operation.kind === "call" && operation.callee.kind === "direct" && dead.has(operation.callee.function));
}

/** Functions that always end the run with an error, or call one that does. */
function functionsWithoutReturn(program: Program): ReadonlySet<number> {
  const dead = new Set<number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const fn of program.functions) {
      if (dead.has(fn.id) || reachesExit(fn, dead)) continue;
      dead.add(fn.id);
      changed = true;
    }
  }
  return dead;
}

function reachesExit(fn: Function, dead: ReadonlySet<number>): boolean {
  const { outgoing } = controlFlowOf(fn);
  const seen = new Set<number>([fn.entry]);
  for (const location of seen) {
    if (location === fn.exit) return true;
    for (const edge of nth(outgoing, location)) if (continues(edge, dead)) seen.add(edge.to);
  }
  return false;
}
