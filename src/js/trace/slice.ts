import { type ChangedLater, printTraced } from "./printValue.ts";
import type { TraceRuntime } from "./runtime.ts";
import { skipped } from "./statementRuntime.ts";
import type { EventId } from "./store.ts";

/** An event of a recorded run that leads to the failure. */
export type TraceEvent = {
  readonly id: EventId;
  readonly site: number;
  readonly execution: number;
  /** Null if it stands for something that was not done. */
  readonly value: string | null;
  readonly data: readonly EventId[];
  readonly identity: EventId;
  readonly control: EventId;
  readonly distance: number;
};

export type TraceExecution = {
  readonly id: number;
  readonly site: number;
  /** The execution that called the function; 0 if it is unknown. */
  readonly caller: number;
  readonly depth: number;
  readonly visit: { readonly number: number; readonly of: number };
  /** It ran in the same call as what led to the failure, and has no part in it. */
  readonly isBeside: boolean;
};

export type TraceSlice = {
  /** Nearest to the failure first. */
  readonly events: readonly TraceEvent[];
  readonly executions: readonly TraceExecution[];
  /** Events that were farther away. */
  readonly left: number;
};

const costs = { data: 2, identity: 3, control: 4, omission: 2 } as const;
const mostEvents = 3000;
const mostVisited = 60_000;

/** Events that lead to the starts, by distance. Events of one statement are at the same distance. */
export function sliceEvents(to: TraceRuntime, starts: readonly (readonly [EventId, number])[]): TraceSlice {
  const { events } = to;
  const distances = new Map<EventId, number>();
  const buckets: EventId[][] = [];
  const reach = (event: EventId, distance: number): void => {
    if (event === 0 || !events.has(event)) return;
    const old = distances.get(event);
    if (old !== undefined && old <= distance) return;
    distances.set(event, distance);
    buckets[distance] ??= [];
    buckets[distance].push(event);
  };
  for (const [event, distance] of starts) reach(event, 2 * distance);
  const order: EventId[] = [];
  const done = new Set<EventId>();
  for (let distance = 0; distance < buckets.length && done.size < mostVisited; distance++) {
    const bucket = buckets[distance] ?? [];
    for (let i = 0; i < bucket.length; i++) {
      const event = bucket[i] ?? 0;
      if (done.has(event) || distances.get(event) !== distance) continue;
      done.add(event);
      order.push(event);
      const execution = events.executionOf(event);
      const step = (other: EventId, cost: number) => {
        reach(other, distance + (events.executionOf(other) === execution ? 0 : cost));
      };
      for (const other of events.dataOf(event)) step(other, costs.data);
      step(events.identityOf(event), costs.identity);
      step(events.controlOf(event), events.valueOf(event) === skipped ? costs.omission : costs.control);
    }
  }
  const kept = order.slice(0, mostEvents);
  const beside = eventsBeside(to, new Set(kept.map((event) => events.executionOf(event))));
  const inside = new Set([...kept, ...beside]);
  const executions = new Set<number>();
  for (const event of inside)
    for (let at = events.executionOf(event); at !== 0 && !executions.has(at); at = to.executions.callerOf(at))
      executions.add(at);
  return {
    events: [...inside].map((id) => ({
      id,
      site: events.siteOf(id),
      execution: events.executionOf(id),
      value: events.valueOf(id) === skipped ? null : printTraced(events.valueOf(id), undefined, changedAfter(to, id)),
      data: events.dataOf(id).filter((each) => inside.has(each)),
      identity: inside.has(events.identityOf(id)) ? events.identityOf(id) : 0,
      control: inside.has(events.controlOf(id)) ? events.controlOf(id) : 0,
      distance: distances.get(id) ?? distances.size,
    })),
    executions: describeExecutions(to, executions, new Set(beside.map((event) => events.executionOf(event)))),
    left: order.length - kept.length,
  };
}

/** Fewer statements say little about a failure: something that should have happened may be missing. */
const fewStatements = 12;
const mostBeside = 12;

/** The events of what else ran in the calls of a short chain: of each statement the last execution. */
function eventsBeside({ events, executions }: TraceRuntime, chain: ReadonlySet<number>): readonly EventId[] {
  const sites = new Set([...chain].map((each) => executions.siteOf(each)));
  if (sites.size >= fewStatements) return [];
  const callers = new Set([...chain].map((each) => executions.callerOf(each)));
  const last = new Map<number, number>();
  for (let each = executions.first; each <= executions.last; each++) {
    const site = executions.siteOf(each);
    const caller = executions.callerOf(each);
    if (caller !== 0 && callers.has(caller) && !sites.has(site)) last.set(site, each);
  }
  const wanted = new Set([...last.values()].sort((a, b) => b - a).slice(0, mostBeside));
  const found: EventId[] = [];
  for (let event = events.first; event <= events.last; event++)
    if (wanted.has(events.executionOf(event)) && events.valueOf(event) !== skipped) found.push(event);
  return found;
}

/** Objects are printed after the run: what was written into them after the event is not what the event saw. */
export function changedAfter({ objects }: TraceRuntime, event: EventId): ChangedLater {
  return (object, key) =>
    (key === undefined ? Math.max(0, ...objects.states(object)) : objects.written(object, key)) > event;
}

/** Counting visits reads all executions: only for those that may be shown. */
function describeExecutions(
  to: TraceRuntime,
  wanted: ReadonlySet<number>,
  beside: ReadonlySet<number>,
): readonly TraceExecution[] {
  const visits = to.executions.visitsOf(wanted);
  return [...wanted]
    .sort((a, b) => a - b)
    .map((id) => ({
      id,
      site: to.executions.siteOf(id),
      caller: to.executions.callerOf(id),
      depth: to.executions.depthOf(id),
      visit: visits.get(id) ?? { number: 1, of: 1 },
      isBeside: beside.has(id),
    }));
}
