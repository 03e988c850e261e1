/** Why work is to end before it is done: Ctrl-C, SIGTERM, the time limit, or a count that is used up. */
const reasons = ["interrupt", "terminate", "timeout", "budget"] as const;
export type CancelReason = (typeof reasons)[number];

/**
 * Whether work is still wanted. Whoever works for long asks again and again, in every phase; once it is cancelled it stays
 * so, and what is known by then is the result, together with what is missing.
 */
export type Cancellation = {
  isCancelled(): boolean;
  /** null while the work is wanted. */
  readonly reason: CancelReason | null;
  /** Where processes that work on our behalf are listed, so that they end with us; see `childProcesses`. */
  readonly processes: Int32Array | null;
  /** Milliseconds of work that are left; absent where nobody counts them. */
  workLeft?(): number;
};

export const neverCancelled: Cancellation = { isCancelled: () => false, reason: null, processes: null };

/** In shared memory, because a thread that works does not read messages. */
export type SharedCancellation = Cancellation & {
  readonly buffer: SharedArrayBuffer;
  /** The first reason counts. */
  cancel(reason: CancelReason): void;
};

/** So many processes at a time can be listed. */
const mostProcesses = 63;

/** A thread that gets another one's `buffer` sees what the other one does. */
export function sharedCancellation(buffer = new SharedArrayBuffer(4 * (1 + mostProcesses))): SharedCancellation {
  const words = new Int32Array(buffer);
  return {
    buffer,
    isCancelled: () => Atomics.load(words, 0) !== 0,
    get reason() {
      return reasons[Atomics.load(words, 0) - 1] ?? null;
    },
    processes: words.subarray(1),
    cancel(reason) {
      Atomics.compareExchange(words, 0, 0, reasons.indexOf(reason) + 1);
    },
  };
}

/** For whoever has no second thread to keep the time. */
export function cancelledAfter(milliseconds: number, outer: Cancellation = neverCancelled): Cancellation {
  const end = performance.now() + milliseconds;
  const isLate = () => performance.now() > end;
  return {
    isCancelled: () => outer.isCancelled() || isLate(),
    get reason() {
      return outer.reason ?? (isLate() ? "timeout" : null);
    },
    processes: outer.processes,
  };
}

/** A count of what work may cost: the same work ends at the same point, however fast the machine is. */
export type Budget = Cancellation & {
  spend(count?: number): void;
  left(): number;
};

export function budgetOf(count: number, outer: Cancellation = neverCancelled): Budget {
  let left = count;
  return {
    isCancelled: () => left <= 0 || outer.isCancelled(),
    get reason() {
      return outer.reason ?? (left <= 0 ? "budget" : null);
    },
    processes: outer.processes,
    ...(outer.workLeft === undefined ? {} : { workLeft: outer.workLeft }),
    spend(spent = 1) {
      left -= spent;
    },
    left: () => left,
  };
}
