import { nth } from "../../../base/checked.ts";
import type { DependenceGraph, Event } from "../../../dependence/dependenceGraph.ts";
import type { DependenceKind } from "../../../dependence/visitDependences.ts";
import type { Unit, Visits } from "./visits.ts";

export type HopKind = DependenceKind | "omission";

/** A step from an event to a dependent one that is nearer to the root. */
export type Hop = Event & { readonly kind: HopKind };

/** An end of the paths; less relevant ones have an initial cost. */
export type RootEvent = Event & { readonly cost?: number };

/** A step that did not happen, or happened differently, because of a condition: an edge that no execution takes. */
export type SkippedStep = { readonly condition: number; readonly affects: number };

/**
 * The cheapest dependence paths from all relevant events to the root: hops inside a line are free, values are cheaper
 * than addresses.
 */
export type WhyPaths = {
  /** null if the step does not matter. */
  cost(step: number): number | null;
  /** The events from a step to the root, without the step itself, each with the kind of its hop. */
  path(step: number): readonly Hop[];
  /** The same without allocating hops, while `visit` returns true. Returns true if it reached the root. */
  walk(step: number, visit: (step: number, kind: HopKind, part: number) => boolean): boolean;
  /**
   * A function of steps that is computed from the root on: `compute` receives a step and the value of the next event on
   * its path, null at the root and for steps that do not matter. Paths share their ends, so each event is computed once.
   */
  along<T extends number | object>(compute: (step: number, next: T | null) => T): (step: number) => T;
  /** The relevant steps, nearest first. */
  steps(): readonly number[];
};

/** The limit on visited events; longer runs are explained by the nearest ones. */
const mostEvents = 400_000;

const sameVisit = 0;
const sameUnit = 1;
const kinds: readonly HopKind[] = ["data", "control", "address", "omission"];
const costs: readonly number[] = [4, 5, 7, 5];
const farthest = 7;
/** Higher part numbers are treated as one. */
const parts = 32;
const none = -1;

export function whyPaths(
  graph: DependenceGraph,
  visits: Visits,
  roots: readonly RootEvent[],
  omissions: readonly SkippedStep[],
): WhyPaths {
  const { first, end } = graph;
  const skipped = new Map<number, number[]>();
  for (const { condition, affects } of omissions) skipped.set(affects, [...(skipped.get(affects) ?? []), condition]);
  const keyOf = (step: number, part: number) => (step - first) * parts + (Math.min(part, parts - 2) + 1);
  const stepOf = (key: number) => first + Math.floor(key / parts);
  const partOf = (key: number) => (key % parts) - 1;
  const reached = createReachedEvents();
  /** Indexed by step: the slot of its whole event plus one. Most events are whole. */
  const whole = new Int32Array(end - first);
  /** Indexed by step: the slot of its nearest event in `reached`. */
  const nearest = new Int32Array(end - first).fill(none);
  const order: number[] = [];
  const buckets: number[][] = Array.from({ length: farthest + 1 }, () => []);
  let done = 0;
  const reach = (step: number, part: number, cost: number, to: number, kind: number): void => {
    if (step < first) return;
    let slot = part === 0 ? nth(whole, step - first) - 1 : reached.slotOf(keyOf(step, part));
    if (slot === -1) {
      slot = reached.append(keyOf(step, part));
      whole[step - first] = slot + 1;
    }
    if (reached.improve(slot, cost, to, kind)) nth(buckets, cost % buckets.length).push(slot);
  };
  // The state of the walk, in one closure, because there are hundreds of thousands of hops.
  let [slot, cost, visit]: [number, number, number] = [none, 0, none];
  let unit: Unit | null = null;
  const hop = (source: number, part: number, kind: HopKind) => {
    const other = visits.of(source);
    const code = kind === "data" ? 0 : kinds.indexOf(kind);
    const price =
      other === visit ? sameVisit : other !== -1 && visits.unit(other) === unit ? sameUnit : nth(costs, code);
    reach(source, part, cost + price, slot, code);
  };
  for (const root of roots) reach(root.step, root.part, root.cost ?? 0, none, kinds.indexOf("control"));
  for (let empty = 0; empty <= farthest && done < mostEvents; cost++) {
    const bucket = nth(buckets, cost % buckets.length);
    empty = bucket.length === 0 ? empty + 1 : 0;
    for (let next = bucket.pop(); next !== undefined; next = bucket.pop()) {
      slot = next;
      if (!reached.finish(slot, cost)) continue;
      done++;
      const key = reached.key(slot);
      const step = stepOf(key);
      if (nearest[step - first] === none) {
        nearest[step - first] = slot;
        order.push(step);
      }
      visit = visits.of(step);
      unit = visit === -1 ? null : visits.unit(visit);
      graph.visitDependences(step, partOf(key), hop);
      for (const condition of skipped.get(step) ?? []) hop(condition, 0, "omission");
    }
  }
  const nearestOf = (step: number) => (step >= first && step < end ? nth(nearest, step - first) : none);
  const walk: WhyPaths["walk"] = (step, each) => {
    for (let at = nearestOf(step); at !== none; ) {
      const to = reached.to(at);
      if (to === none) break;
      const key = reached.key(to);
      if (!each(stepOf(key), nth(kinds, reached.kind(at)), partOf(key))) return false;
      at = to;
    }
    return true;
  };
  return {
    cost: (step) => (nearestOf(step) === none ? null : reached.cost(nearestOf(step))),
    steps: () => order,
    walk,
    along<T extends number | object>(compute: (step: number, next: T | null) => T) {
      const known = new Map<number, T>();
      return (step: number) => {
        const open: number[] = [];
        let at = nearestOf(step);
        while (at !== none && !known.has(at)) {
          open.push(at);
          at = reached.to(at);
        }
        let value: T | null = known.get(at) ?? null;
        for (const slot of open.reverse()) {
          value = compute(stepOf(reached.key(slot)), value);
          known.set(slot, value);
        }
        return value ?? compute(step, null);
      };
    },
    path(from) {
      const hops: Hop[] = [];
      walk(from, (step, kind, part) => hops.push({ step, kind, part }) > 0);
      return hops;
    },
  };
}

/**
 * The reached events, each with its cheapest known path: a hash table in plain arrays, because long runs have hundreds
 * of thousands. A slot identifies an event.
 */
export type ReachedEvents = {
  slotOf(key: number): number;
  /** Adds a new event that the caller finds again without its key. */
  append(key: number): number;
  key(slot: number): number;
  cost(slot: number): number;
  /** The next slot on the path. */
  to(slot: number): number;
  kind(slot: number): number;
  /** Takes the path if it is cheaper than the known one. */
  improve(slot: number, cost: number, to: number, kind: number): boolean;
  /** Marks an event as finished, once, at its current cost. */
  finish(slot: number, cost: number): boolean;
};

const unreached = 2 ** 31 - 1;

export function createReachedEvents(): ReachedEvents {
  let size = 0;
  let keys = new Int32Array(1024);
  let costs = new Int32Array(1024).fill(unreached);
  let targets = new Int32Array(1024);
  let kinds = new Uint8Array(1024);
  let finished = new Uint8Array(1024);
  /** Slots plus one, by hash; at most half full. */
  let table = new Int32Array(4096);
  let used = 0;

  const place = (key: number): number => {
    const mask = table.length - 1;
    let at = Math.imul(key, 0x9e3779b1) >>> 7;
    for (at &= mask; table[at] !== 0 && keys[nth(table, at) - 1] !== key; ) at = (at + 1) & mask;
    return at;
  };
  const growTable = (): void => {
    const old = table;
    table = new Int32Array(old.length * 2);
    for (const stored of old) if (stored !== 0) table[place(nth(keys, stored - 1))] = stored;
  };
  const append = (key: number): number => {
    if (size === keys.length) {
      const length = size * 2;
      keys = copied(keys, new Int32Array(length));
      costs = copied(costs, new Int32Array(length).fill(unreached));
      targets = copied(targets, new Int32Array(length));
      kinds = copied(kinds, new Uint8Array(length));
      finished = copied(finished, new Uint8Array(length));
    }
    keys[size] = key;
    return size++;
  };
  return {
    append,
    slotOf(key) {
      const at = place(key);
      if (table[at] !== 0) return nth(table, at) - 1;
      const slot = append(key);
      table[at] = slot + 1;
      if (++used * 2 > table.length) growTable();
      return slot;
    },
    key: (slot) => nth(keys, slot),
    cost: (slot) => nth(costs, slot),
    to: (slot) => nth(targets, slot),
    kind: (slot) => nth(kinds, slot),
    improve(slot, cost, to, kind) {
      if (nth(costs, slot) <= cost) return false;
      costs[slot] = cost;
      targets[slot] = to;
      kinds[slot] = kind;
      return true;
    },
    finish(slot, cost) {
      if (finished[slot] === 1 || costs[slot] !== cost) return false;
      finished[slot] = 1;
      return true;
    },
  };
}

function copied<Numbers extends Int32Array | Uint8Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
