import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { endsOfMany } from "./collapse.ts";
import { isHandedOn } from "./handedOn.ts";
import type { Visits } from "./visits.ts";
import type { WhyPaths } from "./whyPaths.ts";

/** What is to be shown, best first: an event of the run and whether the way from it to the root is wanted too. */
export type Wish = {
  readonly step: number;
  readonly withPath: boolean;
  /** Not where so many lines are there already. */
  readonly unless?: number;
};

export type Selection = {
  /** In the order of the run. */
  readonly visits: readonly number[];
  /** Wishes that were not met for lack of room. */
  readonly left: number;
};

export type Room = {
  /** Lines that a choice of visits takes. */
  lines(visits: ReadonlySet<number>): number;
  readonly most: number;
};

/** Calls around what is shown; the function is named beside each row anyway. */
const mostContexts = 1;

/** Takes wishes one by one as long as there is room: with the way to the root, or else alone. */
export function selectVisits(
  graph: DependenceGraph,
  visits: Visits,
  paths: WhyPaths,
  wishes: readonly Wish[],
  hidden: ReadonlySet<number>,
  room: Room,
): Selection {
  const chosen = new Set<number>();
  let left = 0;
  const fits = (more: readonly number[]) => room.lines(new Set([...chosen, ...more])) <= room.most;
  for (const { step, withPath, unless } of wishes) {
    const own = visits.of(step);
    if (own === -1 || hidden.has(own) || chosen.has(own)) continue;
    if (unless !== undefined && chosen.size >= unless) {
      left++;
      continue;
    }
    const path = withPath ? pathOf(graph, visits, paths, step, hidden) : [own];
    const choice = [path, [own]].find(fits);
    if (choice === undefined) left++;
    else for (const visit of choice) chosen.add(visit);
  }
  const isWhole = room.most === Number.POSITIVE_INFINITY;
  for (const visit of contexts(graph, visits, chosen, hidden).slice(0, isWhole ? undefined : mostContexts)) {
    if (fits([visit])) chosen.add(visit);
  }
  return { visits: [...chosen].sort((a, b) => visits.first(a) - visits.first(b)), left };
}

function pathOf(
  graph: DependenceGraph,
  visits: Visits,
  paths: WhyPaths,
  step: number,
  hidden: ReadonlySet<number>,
): readonly number[] {
  const own = visits.of(step);
  const way = paths.path(step).map((hop) => visits.of(hop.step));
  const isShown = (visit: number) => visit !== -1 && !hidden.has(visit) && !isHandedOn(graph, visits, visit);
  return [own, ...endsOfMany(visits, way.filter(isShown))];
}

/** Calls that led to what is shown, the nearest first, the last executions before the others. */
function contexts(
  graph: DependenceGraph,
  visits: Visits,
  chosen: ReadonlySet<number>,
  hidden: ReadonlySet<number>,
): readonly number[] {
  const found = new Set<number>();
  let level = [...chosen].sort((a, b) => b - a);
  while (level.length > 0) {
    const next: number[] = [];
    for (const visit of level) {
      const call = graph.callOf(graph.activation(visits.first(visit)));
      if (call === null || call < graph.first) continue;
      const caller = visits.of(call);
      if (caller === -1 || hidden.has(caller) || chosen.has(caller) || found.has(caller)) continue;
      found.add(caller);
      next.push(caller);
    }
    level = next;
  }
  return [...found];
}
