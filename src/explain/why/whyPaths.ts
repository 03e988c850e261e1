import type { DependenceGraph, Event } from "../../dependence/dependenceGraph.ts";
import type { DependenceKind } from "../../dependence/visitDependences.ts";
import type { Visits } from "./visits.ts";

export type HopKind = DependenceKind | "omission";

/** From an event to one that depends on it, nearer to the root. */
export type Hop = Event & { readonly kind: HopKind };

/** Where ways end. What is less to the point costs something from the start. */
export type RootEvent = Event & { readonly cost?: number };

/** A step that was not executed, or not differently, because of how a condition went: an edge that no execution leaves. */
export type Omission = { readonly condition: number; readonly affects: number };

/**
 * The ways of dependences from everything that mattered to the root of an explanation, the most telling ones first: hops within
 * a line cost nothing, values come before addresses.
 */
export type WhyPaths = {
  /** null where the step does not matter. */
  cost(step: number): number | null;
  /** The events from a step to the root, without the step itself; each with how the one before led to it. */
  path(step: number): readonly Hop[];
  /** Steps that matter, nearest first. */
  steps(): readonly number[];
};

/** Events that are looked at; a run with more is explained by the nearest ones. */
const mostEvents = 400_000;

const sameVisit = 0;
const sameUnit = 1;
const costs: Record<HopKind, number> = { data: 4, control: 5, address: 7, omission: 5 };
const farthest = 7;
/** Parts beyond this are not told apart. */
const parts = 32;

export function whyPaths(
  graph: DependenceGraph,
  visits: Visits,
  roots: readonly RootEvent[],
  omissions: readonly Omission[],
): WhyPaths {
  const { first } = graph;
  const skipped = new Map<number, number[]>();
  for (const { condition, affects } of omissions) skipped.set(affects, [...(skipped.get(affects) ?? []), condition]);
  const keyOf = ({ step, part }: Event) => (step - first) * parts + (Math.min(part, parts - 2) + 1);
  const best = new Map<number, { readonly cost: number; readonly to: number; readonly kind: HopKind }>();
  const stepCost = new Map<number, { readonly cost: number; readonly key: number }>();
  const order: number[] = [];
  const buckets: Event[][] = Array.from({ length: farthest + 1 }, () => []);
  const done = new Set<number>();
  const reach = (event: Event, cost: number, to: number, kind: HopKind): void => {
    if (event.step < first) return;
    const key = keyOf(event);
    const known = best.get(key);
    if (known !== undefined && known.cost <= cost) return;
    best.set(key, { cost, to, kind });
    buckets[cost % buckets.length]!.push(event);
  };
  for (const { cost = 0, ...root } of roots) reach(root, cost, -1, "control");
  for (let cost = 0, empty = 0; empty <= farthest && done.size < mostEvents; cost++) {
    const bucket = buckets[cost % buckets.length]!;
    empty = bucket.length === 0 ? empty + 1 : 0;
    for (let event = bucket.pop(); event !== undefined; event = bucket.pop()) {
      const key = keyOf(event);
      if (done.has(key) || best.get(key)!.cost !== cost) continue;
      done.add(key);
      const { step } = event;
      if (!stepCost.has(step)) {
        stepCost.set(step, { cost, key });
        order.push(step);
      }
      const visit = visits.of(step);
      const unit = visit === -1 ? null : visits.unit(visit);
      const hop = (source: number, part: number, kind: HopKind) => {
        const other = visits.of(source);
        const price =
          other === visit ? sameVisit : other !== -1 && visits.unit(other) === unit ? sameUnit : costs[kind];
        reach({ step: source, part }, cost + price, key, kind);
      };
      graph.visitDependences(step, Math.min(event.part, parts - 2), hop);
      for (const condition of skipped.get(step) ?? []) hop(condition, 0, "omission");
    }
  }
  return {
    cost: (step) => stepCost.get(step)?.cost ?? null,
    steps: () => order,
    path(step) {
      const hops: Hop[] = [];
      let key = stepCost.get(step)?.key ?? -1;
      while (key !== -1) {
        const { to, kind } = best.get(key)!;
        if (to === -1) break;
        hops.push({ step: first + Math.floor(to / parts), part: (to % parts) - 1, kind });
        key = to;
      }
      return hops;
    },
  };
}
