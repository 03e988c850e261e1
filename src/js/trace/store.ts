/** The number of an event; 0 is no event. */
export type EventId = number;

/** What events depend on: several data dependences, one deciding condition, and the object that was asked. */
export type Parents = EventId | readonly EventId[];

const mostEvents = 1_500_000;

/**
 * The events of a run in columns. Of very long runs only the last events are kept; older ones count as unknown.
 */
export class EventStore {
  /** The number of the newest event. */
  last: EventId = 0;
  isCut = false;
  readonly #most: number;
  #base = 0;
  #site: number[] = [0];
  #execution: number[] = [0];
  #value: unknown[] = [undefined];
  #data: Parents[] = [0];
  #control: EventId[] = [0];
  #identity: EventId[] = [0];

  constructor(most = mostEvents) {
    this.#most = most;
  }

  add(site: number, execution: number, value: unknown, data: Parents, control: EventId, identity: EventId): EventId {
    if (this.#site.length > 2 * this.#most) this.#forget();
    this.#site.push(site);
    this.#execution.push(execution);
    this.#value.push(value);
    this.#data.push(data);
    this.#control.push(control);
    this.#identity.push(identity);
    return ++this.last;
  }

  /** Replaces the data dependences by more exact ones. */
  refine(id: EventId, data: Parents): void {
    this.#data[id - this.#base] = data;
  }

  #forget(): void {
    this.isCut = true;
    const gone = this.#most;
    this.#base += gone;
    this.#site = this.#site.slice(gone);
    this.#execution = this.#execution.slice(gone);
    this.#value = this.#value.slice(gone);
    this.#data = this.#data.slice(gone);
    this.#control = this.#control.slice(gone);
    this.#identity = this.#identity.slice(gone);
  }

  /** The oldest event that is kept. */
  get first(): EventId {
    return this.#base + 1;
  }

  has(id: EventId): boolean {
    return id > this.#base && id <= this.last;
  }

  siteOf(id: EventId): number {
    return this.#site[id - this.#base] ?? -1;
  }

  executionOf(id: EventId): number {
    return this.#execution[id - this.#base] ?? 0;
  }

  valueOf(id: EventId): unknown {
    return this.#value[id - this.#base];
  }

  dataOf(id: EventId): readonly EventId[] {
    const data = this.#data[id - this.#base] ?? 0;
    return typeof data === "number" ? (data === 0 ? [] : [data]) : data;
  }

  controlOf(id: EventId): EventId {
    return this.#control[id - this.#base] ?? 0;
  }

  identityOf(id: EventId): EventId {
    return this.#identity[id - this.#base] ?? 0;
  }
}

/** Executions of statements: which statement, for which call, at which depth. */
export class ExecutionStore {
  last = 0;
  #base = 0;
  #site: number[] = [-1];
  #caller: number[] = [0];
  #depth: number[] = [0];
  #before: EventId[] = [0];
  readonly #most: number;

  constructor(most = mostEvents) {
    this.#most = most;
  }

  /** `before` is the last event before it. */
  add(site: number, caller: number, depth: number, before: EventId): number {
    if (this.#site.length > 2 * this.#most) {
      this.#base += this.#most;
      this.#site = this.#site.slice(this.#most);
      this.#caller = this.#caller.slice(this.#most);
      this.#depth = this.#depth.slice(this.#most);
      this.#before = this.#before.slice(this.#most);
    }
    this.#site.push(site);
    this.#caller.push(caller);
    this.#depth.push(depth);
    this.#before.push(before);
    return ++this.last;
  }

  /** The oldest execution that is kept. */
  get first(): number {
    return this.#base + 1;
  }

  /** The last event before an execution. */
  eventBefore(execution: number): EventId {
    return this.#before[execution - this.#base] ?? 0;
  }

  siteOf(execution: number): number {
    return this.#site[execution - this.#base] ?? -1;
  }

  callerOf(execution: number): number {
    return this.#caller[execution - this.#base] ?? 0;
  }

  depthOf(execution: number): number {
    return this.#depth[execution - this.#base] ?? 0;
  }

  /** For each execution its number among those of its statement, and their number. */
  visitsOf(wanted: ReadonlySet<number>): ReadonlyMap<number, { readonly number: number; readonly of: number }> {
    const counts = new Map<number, number>();
    const numbers = new Map<number, number>();
    for (let i = 1; i < this.#site.length; i++) {
      const site = this.#site[i] ?? -1;
      const count = (counts.get(site) ?? 0) + 1;
      counts.set(site, count);
      if (wanted.has(i + this.#base)) numbers.set(i + this.#base, count);
    }
    return new Map([...numbers].map(([id, number]) => [id, { number, of: counts.get(this.siteOf(id)) ?? number }]));
  }
}
