import { readFileSync } from "node:fs";
import { nth } from "./checked.ts";
import { TracefoldError } from "./errors.ts";

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

/** For work that has nothing to hand over half done: ends it once nobody wants it any more. `doing`: "loading the program". */
export function throwIfCancelled(cancellation: Cancellation, doing: string): void {
  const { reason } = cancellation;
  if (reason === null) return;
  throw reason === "timeout"
    ? new TracefoldError({
        code: "TF342",
        message: `the time was up while ${doing}`,
        help: "Allow more with --timeout.",
      })
    : new TracefoldError({ code: "TF345", message: `interrupted while ${doing}`, help: "Run it again." });
}

/** What work gives, or `otherwise` where it was ended by `assertWanted`. */
export function unlessCancelled<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TracefoldError && (error.code === "TF342" || error.code === "TF345")) return otherwise;
    throw error;
  }
}

/** Hundredths of a second, on every Linux. */
const tick = 10;

/**
 * Milliseconds of processor time that this process has used, and those that it started (`processes` lists the ones at work). Unlike time on the wall it
 * does not depend on what else the machine does. Where the system does not say it of other processes, theirs is not counted.
 */
export function workMilliseconds(processes: Int32Array | null): number {
  const { user, system } = process.cpuUsage();
  const ended = statOf("self");
  let work = (user + system) / 1000 + (ended === null ? 0 : tick * (nth(ended, 2) + nth(ended, 3)));
  for (const pid of processes ?? []) {
    const running = pid === 0 ? null : statOf(`${pid}`);
    if (running !== null) work += tick * (nth(running, 0) + nth(running, 1));
  }
  return work;
}

/** Ticks in user and system mode, its own and those of the processes that it waited for; null where nobody knows. */
function statOf(pid: string): readonly number[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).map(Number);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** So many milliseconds pass on the wall before anyone looks again. */
const pause = 20;

/** Ends work after so much processor time, from now on, and at the latest after so much time on the wall. */
export function cancelledAfterWork(
  milliseconds: number,
  outer: Cancellation,
  latest = Number.POSITIVE_INFINITY,
): Cancellation {
  const end = workMilliseconds(outer.processes) + milliseconds;
  const deadline = performance.now() + latest;
  let left = milliseconds;
  let next = 0;
  const look = (): boolean => {
    const now = performance.now();
    if (left < 0 || now < next) return left < 0;
    next = now + pause;
    left = now > deadline ? -1 : end - workMilliseconds(outer.processes);
    return left < 0;
  };
  return {
    isCancelled: () => outer.isCancelled() || look(),
    get reason() {
      return outer.reason ?? (look() ? "budget" : null);
    },
    processes: outer.processes,
    workLeft: () => (look() ? 0 : left),
  };
}

/** For what is left to do with what is known when work is cancelled: so much processor time from when it first looks. */
export function graceBudget(outer: Cancellation, milliseconds: number): Cancellation {
  let rest: Cancellation | null = null;
  const look = (): boolean => {
    if (!outer.isCancelled()) return false;
    rest ??= cancelledAfterWork(milliseconds, { isCancelled: () => false, reason: null, processes: outer.processes });
    return rest.isCancelled();
  };
  return {
    isCancelled: look,
    get reason() {
      return look() ? outer.reason : null;
    },
    processes: outer.processes,
  };
}
