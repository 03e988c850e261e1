import { controlFlowOf } from "./controlFlow.ts";
import { immediatePostDominators } from "./postDominators.ts";
import type { Edge, Function, Program } from "./program.ts";

/** Where the ways of a function's branches meet, when ways that end the run with an error do not count. */
export type Joins = {
  /** By location; -1 where all ways end with an error. */
  readonly after: Int32Array;
  /** By location: 1 where ways meet. */
  readonly isJoin: Uint8Array;
};

/**
 * By function. What follows `assert(x)` does not depend on `x`, but the failure does; what follows `if (x) return;` or
 * `if (x) exit(0);` depends on `x`.
 */
export function joinsOf(program: Program): readonly Joins[] {
  let joins = cache.get(program);
  if (joins === undefined) {
    joins = computeJoins(program);
    cache.set(program, joins);
  }
  return joins;
}

const cache = new WeakMap<Program, readonly Joins[]>();

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
    for (const edge of outgoing[location]!) if (continues(edge, dead)) seen.add(edge.to);
  }
  return false;
}
