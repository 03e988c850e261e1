import { nth } from "../../base/checked.ts";
import { mulberry32 } from "../../interpreter/inputs.ts";
import type { ExplorationState } from "./explorer.ts";

export type Searcher = {
  push(states: readonly ExplorationState[]): void;
  next(): ExplorationState | null;
  readonly size: number;
};

export type SearcherName = "bfs" | "dfs" | "coverage" | "random";

export function breadthFirst(): Searcher {
  let open: ExplorationState[] = [];
  let first = 0;
  return {
    push(states) {
      open.push(...states);
    },
    next() {
      if (first > 1000 && first * 2 > open.length) {
        open = open.slice(first);
        first = 0;
      }
      return first < open.length ? nth(open, first++) : null;
    },
    get size() {
      return open.length - first;
    },
  };
}

export function depthFirst(): Searcher {
  const open: ExplorationState[] = [];
  return {
    // The first of several comes first.
    push: (states) => void open.push(...states.toReversed()),
    next: () => open.pop() ?? null,
    get size() {
      return open.length;
    },
  };
}

export function randomOrder(seed: number): Searcher {
  const next = mulberry32(seed);
  const open: ExplorationState[] = [];
  return {
    push: (states) => void open.push(...states),
    next() {
      if (open.length === 0) return null;
      const at = Math.floor(next() * open.length);
      const [chosen] = open.splice(at, 1, nth(open, open.length - 1));
      open.pop();
      return chosen!;
    },
    get size() {
      return open.length;
    },
  };
}

/** States at the least visited nodes come first, and among them the shallowest. */
export function coverageGuided(): Searcher {
  const visits = new Map<string, number>();
  const byVisits: ExplorationState[][] = [];
  let size = 0;
  const keyOf = ({ node }: ExplorationState) => `${node.function.id}:${node.location}`;
  const place = (state: ExplorationState) => {
    const count = Math.min(visits.get(keyOf(state)) ?? 0, 1000);
    while (byVisits.length <= count) byVisits.push([]);
    nth(byVisits, count).push(state);
  };
  return {
    push(states) {
      for (const state of states) place(state);
      size += states.length;
    },
    next() {
      for (let count = 0; count < byVisits.length; count++) {
        for (let state = nth(byVisits, count).shift(); state !== undefined; state = nth(byVisits, count).shift()) {
          const now = visits.get(keyOf(state)) ?? 0;
          // Others were visited there meanwhile.
          if (Math.min(now, 1000) > count) {
            place(state);
            continue;
          }
          visits.set(keyOf(state), now + 1);
          size--;
          return state;
        }
      }
      return null;
    },
    get size() {
      return size;
    },
  };
}

export function createSearcher(name: SearcherName, seed: number): Searcher {
  switch (name) {
    case "bfs":
      return breadthFirst();
    case "dfs":
      return depthFirst();
    case "coverage":
      return coverageGuided();
    case "random":
      return randomOrder(seed);
  }
}
