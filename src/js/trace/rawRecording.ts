import { fromTheStart, type Recording } from "../../recording/recording.ts";
import { isObject } from "./objects.ts";
import { printTraced } from "./printValue.ts";
import type { TraceRuntime } from "./runtime.ts";
import { changedAfter } from "./slice.ts";
import { skipped } from "./statementRuntime.ts";
import type { EventId } from "./store.ts";

/** Longer values are cut: a page shows them in a line. */
const longestValue = 80;
/** If there are more events, objects are printed by their kind alone. */
const manyEvents = 300_000;

/**
 * All events of a run as a recording. The sources are not known here: places and statements are indices in `sites`, the
 * activation of an execution is the execution that called its function, and the cell of a step is the number of the
 * object that it wrote into.
 */
export type RawRecording = { readonly sites: readonly number[]; readonly recording: Recording };

export function rawRecording(runtime: TraceRuntime): RawRecording {
  const sites: number[] = [];
  const siteNumbers = new Map<number, number>();
  const siteIndex = (site: number): number => {
    const known = siteNumbers.get(site);
    if (known !== undefined) return known;
    siteNumbers.set(site, sites.length);
    return sites.push(site) - 1;
  };
  const recording = recordingWith(runtime, siteIndex);
  return { sites, recording };
}

function recordingWith(runtime: TraceRuntime, siteIndex: (site: number) => number): Recording {
  const { events, executions } = runtime;
  const firstExecution = executions.first;
  const executionCount = Math.max(0, executions.last - firstExecution + 1);
  const order = stepsInOrder(runtime);
  const stepOf = new Map<EventId, number>();
  for (const [step, { event }] of order.entries()) if (event !== 0) stepOf.set(event, step);
  const values = new Texts();
  const owners = new ObjectNumbers();
  const steps = {
    place: new Int32Array(order.length),
    execution: new Int32Array(order.length),
    activation: new Int32Array(order.length),
    control: new Int32Array(order.length).fill(fromTheStart),
    value: new Int32Array(order.length),
    cell: new Int32Array(order.length),
    firstRead: new Int32Array(order.length + 1),
  };
  const reads: { writer: number; value: number; role: number }[] = [];
  const firstStep = new Int32Array(executionCount).fill(-1);
  const isLarge = order.length > manyEvents;
  const valueOf = (event: EventId) => {
    const value = events.valueOf(event);
    if (value === skipped) return 0;
    if (isLarge && isObject(value))
      return values.add(Array.isArray(value) ? `[${value.length} elements]` : typeof value);
    return values.add(printTraced(value, longestValue, changedAfter(runtime, event)));
  };
  for (const [step, { event, execution }] of order.entries()) {
    steps.firstRead[step] = reads.length;
    const index = execution - firstExecution;
    steps.execution[step] = index;
    if (firstStep[index] === -1) firstStep[index] = step;
    if (event === 0) {
      steps.place[step] = siteIndex(executions.siteOf(execution));
      continue;
    }
    const value = valueOf(event);
    steps.place[step] = siteIndex(events.siteOf(event));
    steps.value[step] = value;
    const identity = events.identityOf(event);
    steps.cell[step] = identity === 0 ? 0 : owners.of(events.valueOf(identity));
    const add = (parent: EventId, role: number) => {
      const writer = stepOf.get(parent);
      if (writer === undefined || writer === step) return;
      reads.push({ writer, value: steps.value[writer] ?? 0, role });
    };
    for (const parent of events.dataOf(event)) add(parent, 0);
    add(identity, 1);
    const isSkipped = events.valueOf(event) === skipped;
    if (isSkipped) add(events.controlOf(event), 2);
    else steps.control[step] = stepOf.get(events.controlOf(event)) ?? fromTheStart;
  }
  steps.firstRead[order.length] = reads.length;
  const all = Array.from({ length: executionCount }, (_, i) => i + firstExecution);
  return {
    stepName: "event",
    first: 0,
    executionsFrom: firstExecution,
    files: [],
    functions: [],
    statements: [],
    places: [],
    values: values.texts,
    cells: [""],
    cellOwners: new Int32Array([-1]),
    ownNames: [""],
    steps,
    reads: {
      writer: Int32Array.from(reads, ({ writer }) => writer),
      value: Int32Array.from(reads, ({ value }) => value),
      part: new Int32Array(reads.length).fill(-1),
      role: Int32Array.from(reads, ({ role }) => role),
    },
    executions: {
      statement: Int32Array.from(all, (execution) => siteIndex(executions.siteOf(execution))),
      activation: Int32Array.from(all, (execution) => executions.callerOf(execution) - firstExecution),
      firstStep,
    },
    activations: { function: new Int32Array(0), call: new Int32Array(0) },
    effects: { step: new Int32Array(0), cell: new Int32Array(0), value: new Int32Array(0) },
    flips: [],
    limits: events.isCut ? ["the run is long: its first events were given up"] : [],
  };
}

/** Each event is a step, and so is the beginning of an execution that has no event. */
function stepsInOrder({
  events,
  executions,
}: TraceRuntime): readonly { readonly event: EventId; readonly execution: number }[] {
  const withEvents = new Set<number>();
  for (let event = events.first; event <= events.last; event++) withEvents.add(events.executionOf(event));
  const order: { event: EventId; execution: number }[] = [];
  let execution = executions.first;
  for (let event = events.first; event <= events.last; event++) {
    for (; execution <= executions.last && executions.eventBefore(execution) < event; execution++)
      if (!withEvents.has(execution)) order.push({ event: 0, execution });
    if (events.executionOf(event) >= executions.first) order.push({ event, execution: events.executionOf(event) });
  }
  for (; execution <= executions.last; execution++) if (!withEvents.has(execution)) order.push({ event: 0, execution });
  return order;
}

class Texts {
  readonly texts: string[] = [""];
  readonly #numbers = new Map<string, number>([["", 0]]);

  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

class ObjectNumbers {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  /** 0 for what is no object. */
  of(value: unknown): number {
    if (!isObject(value)) return 0;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, ++this.#last);
    return this.#last;
  }
}
