import { controlFlowOf } from "../../ir/controlFlow.ts";
import { dominatorsOf } from "../../ir/dominators.ts";
import { type Loop, loopsOf } from "../../ir/loops.ts";
import type { Function, LocationId } from "../../ir/program.ts";

/**
 * Where each location's code goes in structured JavaScript, after N. Ramsey, "Beyond Relooper" (ICFP 2022): the code of a
 * location is nested in that of its immediate dominator, directly where one forward edge leads to it, else behind a
 * labelled block that the jumps to it leave. Unlike there, what follows a loop goes behind the loop even if only one edge
 * leads to it, so that loops in the text contain what loops in the graph do.
 */
export type Structure = {
  /** By location: those whose code follows its code, in the order of the text. */
  readonly followers: ReadonlyMap<LocationId, readonly LocationId[]>;
  /** By loop header: those whose code follows the loop. */
  readonly afterLoop: ReadonlyMap<LocationId, readonly LocationId[]>;
  /** Locations that are reached by leaving a labelled block. */
  readonly labelled: ReadonlySet<LocationId>;
};

/** Null for a function with jumps into loops. */
export function structureOf(fn: Function): Structure | null {
  const forest = loopsOf(fn);
  if (forest.irreducible.length > 0) return null;
  const { incoming, order, reversePostorder } = controlFlowOf(fn);
  const { immediate } = dominatorsOf(fn);
  const followers = new Map<LocationId, LocationId[]>();
  const afterLoop = new Map<LocationId, LocationId[]>();
  const labelled = new Set<LocationId>();
  // In reverse postorder, so that every list is in the order in which jumps may go.
  for (const location of reversePostorder) {
    if (location === fn.entry || location === fn.exit) continue;
    const dominator = immediate[location] as LocationId;
    const left = outermostLoopLeft(forest.innermost(dominator), location);
    if (left !== null) {
      labelled.add(location);
      append(afterLoop, left.header, location);
    } else if (incoming[location]!.filter((edge) => order[edge.from]! < order[location]!).length > 1) {
      labelled.add(location);
      append(followers, dominator, location);
    }
  }
  return { followers, afterLoop, labelled };
}

function outermostLoopLeft(innermost: Loop | null, location: LocationId): Loop | null {
  let result: Loop | null = null;
  for (let loop = innermost; loop !== null && !loop.body.has(location); loop = loop.parent) result = loop;
  return result;
}

function append(map: Map<LocationId, LocationId[]>, key: LocationId, value: LocationId): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
