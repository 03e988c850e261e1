import { isTrue, type Lookup, type WatchCondition } from "./condition.ts";
import type { Timeline } from "./timeline.ts";

export type Breakpoint = {
  readonly id: number;
  readonly trigger: Trigger;
  readonly condition: WatchCondition | null;
  /** Which of its executions count, from 1; they are numbered from the start of the run, so both directions agree. */
  readonly hits: HitCondition | null;
  /** Text to print instead of stopping; names in braces are replaced by their values. */
  readonly log: string | null;
};

export type Trigger =
  | { readonly kind: "statements"; readonly statements: readonly number[] }
  /** The start of each call. */
  | { readonly kind: "function"; readonly function: number }
  /** Writes of a cell. */
  | { readonly kind: "cell"; readonly cell: number };

export type HitCondition = (count: number) => boolean;

/** `5`, `== 5`, `>= 3`, `< 10`, `% 4`; null if it cannot be read. */
export function readHitCondition(text: string): HitCondition | null {
  const [, operator = "", digits = ""] = /^\s*(==?|>=?|<=?|%)?\s*(\d+)\s*$/.exec(text) ?? [];
  const wanted = Number(digits);
  if (digits === "" || (operator === "%" && wanted === 0)) return null;
  switch (operator) {
    case ">":
      return (count) => count > wanted;
    case ">=":
      return (count) => count >= wanted;
    case "<":
      return (count) => count < wanted;
    case "<=":
      return (count) => count <= wanted;
    case "%":
      return (count) => count % wanted === 0;
    default:
      return (count) => count === wanted;
  }
}

export type BreakpointHit = { readonly position: number; readonly breakpoints: readonly Breakpoint[] };

export type Pursuit = {
  readonly timeline: Timeline;
  readonly breakpoints: readonly Breakpoint[];
  /** The values of names before a position. */
  lookupAt(position: number): Lookup;
  /** Prints what a breakpoint with `log` says at a position. */
  print(breakpoint: Breakpoint, position: number): void;
};

/** The next position in a direction at which a breakpoint stops; null for none. */
export function nextHit(
  { timeline, breakpoints, lookupAt, print }: Pursuit,
  from: number,
  by: 1 | -1,
): BreakpointHit | null {
  const sources = breakpoints.map((breakpoint) => ({ breakpoint, positions: positionsOf(timeline, breakpoint) }));
  const cursors = sources.map(({ positions }) =>
    by === 1 ? firstAbove(positions, from) : firstAbove(positions, from - 1) - 1,
  );
  for (;;) {
    let next: number | null = null;
    for (const [i, { positions }] of sources.entries()) {
      const at = positions[cursors[i] ?? -1];
      if (at !== undefined && (next === null || by * (at - next) < 0)) next = at;
    }
    if (next === null) return null;
    const hit: Breakpoint[] = [];
    for (const [i, { breakpoint, positions }] of sources.entries()) {
      const cursor = cursors[i] ?? -1;
      if (positions[cursor] !== next) continue;
      cursors[i] = cursor + by;
      if (breakpoint.hits !== null && !breakpoint.hits(cursor + 1)) continue;
      const value = breakpoint.condition === null ? true : breakpoint.condition.evaluate(lookupAt(next));
      if (value === null || !isTrue(value)) continue;
      if (breakpoint.log === null) hit.push(breakpoint);
      else if (by === 1) print(breakpoint, next);
    }
    if (hit.length > 0) return { position: next, breakpoints: hit };
  }
}

/** All positions at which a breakpoint could stop, in order. */
function positionsOf({ open, positionOf }: Timeline, { trigger }: Breakpoint): Int32Array {
  switch (trigger.kind) {
    case "statements": {
      const [only = -1] = trigger.statements;
      if (trigger.statements.length === 1) return open.executionsOf(only);
      return Int32Array.from(trigger.statements.flatMap((statement) => [...open.executionsOf(statement)])).sort();
    }
    case "function": {
      const { function: functions } = open.recording.activations;
      const starts: number[] = [];
      for (let activation = 0; activation < functions.length; activation++) {
        const [first] = functions[activation] === trigger.function ? open.executionsIn(activation) : [];
        if (first !== undefined) starts.push(first);
      }
      return Int32Array.from(starts).sort();
    }
    case "cell":
      return Int32Array.from(new Set([...open.writesOf(trigger.cell)].map((step) => positionOf(step)))).sort();
  }
}

/** The index of the first element above a limit. */
function firstAbove(sorted: Int32Array, limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
