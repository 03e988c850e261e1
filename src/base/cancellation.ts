import { readFileSync } from "node:fs";
import { nth } from "./checked.ts";
import { TracefoldError } from "./errors.ts";

/** Why work ends early: Ctrl-C, SIGTERM, the time limit, or an exhausted budget. */
const reasons = ["interrupt", "terminate", "timeout", "budget"] as const;
export type CancelReason = (typeof reasons)[number];

/** Tells whether to stop. Once cancelled it stays so; the result is then what is known, and what is missing. */
export type Cancellation = {
  isCancelled(): boolean;
  /** null while not cancelled. */
  readonly reason: CancelReason | null;
  /** Child processes to end with us; see `addProcess`. */
  readonly processes: Int32Array | null;
  /** Remaining milliseconds of work; absent if not counted. */
  workLeft?(): number;
};

export const neverCancelled: Cancellation = { isCancelled: () => false, reason: null, processes: null };

/** In shared memory, because a busy thread does not read messages. */
export type SharedCancellation = Cancellation & {
  readonly buffer: SharedArrayBuffer;
  /** The first reason counts. */
  cancel(reason: CancelReason): void;
};

const mostProcesses = 63;

/** Threads that share the `buffer` see the same state. */
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

/** For work without a second thread to watch the time. */
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

/** Also cancelled when another has an answer. */
export function orWhen(hasOther: () => boolean, outer: Cancellation): Cancellation {
  return {
    isCancelled: () => outer.isCancelled() || hasOther(),
    get reason() {
      return outer.reason ?? (hasOther() ? "budget" : null);
    },
    processes: outer.processes,
  };
}

/** A deterministic budget: the same work ends at the same point on every machine. */
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

/** Asks the cancellation that holds at the moment. */
export function latestOf(current: () => Cancellation): Cancellation {
  return {
    isCancelled: () => current().isCancelled(),
    get reason() {
      return current().reason;
    },
    get processes() {
      return current().processes;
    },
  };
}

/** Throws once cancelled, for work without partial results. `doing`: "loading the program". */
export function throwIfCancelled(cancellation: Cancellation, doing: string): void {
  const { reason } = cancellation;
  if (reason === null) return;
  throw reason === "timeout"
    ? new TracefoldError({
        code: "TF342",
        message: `the time limit was reached while ${doing}`,
        help: "Allow more with --timeout.",
      })
    : new TracefoldError({ code: "TF345", message: `interrupted while ${doing}`, help: "Run it again." });
}

/** The result of `work`, or `otherwise` if `throwIfCancelled` ended it. */
export function unlessCancelled<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TracefoldError && (error.code === "TF342" || error.code === "TF345")) return otherwise;
    throw error;
  }
}

/** Milliseconds per clock tick on Linux. */
const tick = 10;

/** Processor time in ms of this process and its children (`processes` are running); others only if the system tells. */
export function workMilliseconds(processes: Int32Array | null): number {
  const { user, system } = process.cpuUsage();
  const ended = statOf("self");
  let work = (user + system) / 1000 + (ended === null ? 0 : tick * (nth(ended, 2) + nth(ended, 3)));
  for (const pid of processes ?? []) {
    const running = pid === 0 ? null : statOf(`${Math.abs(pid)}`);
    if (running !== null) work += tick * (nth(running, 0) + nth(running, 1));
  }
  return work;
}

/** Ticks in user and system mode, of the process and of those it waited for; null if unknown. */
function statOf(pid: string): readonly number[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).map(Number);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Milliseconds of work so far: they do not depend on what else the machine does. */
export type WorkClock = { now(): number };

/** Milliseconds of wall time for which an answer of the system stays good. */
const sight = 5;

/**
 * Processor time of the calling thread and of the running `processes`; wall time if the system does not tell, or if `processes`
 * is null, because the work is then done in other threads.
 */
export function workClock(processes: Int32Array | null): WorkClock {
  const ofProcess = new Map<number, number>();
  let work = 0;
  let looked = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const wall = performance.now();
      if (wall - looked < sight) return work;
      looked = wall;
      const own = processes === null ? null : statOf("thread-self");
      if (own === null) {
        work = wall;
        return work;
      }
      for (const pid of processes ?? []) {
        const running = pid === 0 ? null : statOf(`${Math.abs(pid)}`);
        if (running !== null) ofProcess.set(pid, nth(running, 0) + nth(running, 1));
      }
      // What an ended process did was done.
      work = tick * [...ofProcess.values()].reduce((sum, ticks) => sum + ticks, nth(own, 0) + nth(own, 1));
      return work;
    },
  };
}

/** Cancelled after so many milliseconds of work by a clock. */
export function cancelledAfterTurn(milliseconds: number, clock: WorkClock, outer: Cancellation): Cancellation {
  const end = clock.now() + milliseconds;
  const isLate = () => clock.now() > end;
  return {
    isCancelled: () => outer.isCancelled() || isLate(),
    get reason() {
      return outer.reason ?? (isLate() ? "budget" : null);
    },
    processes: outer.processes,
  };
}

/**
 * The same for two kinds of work, with a part of the list of processes for each: whose processor time is whose can be told, and all
 * are ended together.
 */
export function divided(outer: Cancellation): { readonly own: Cancellation; readonly beside: Cancellation } {
  const list = outer.processes ?? new Int32Array(new SharedArrayBuffer(4 * mostProcesses));
  const half = list.length >> 1;
  const withPart = (processes: Int32Array): Cancellation => ({
    isCancelled: () => outer.isCancelled(),
    get reason() {
      return outer.reason;
    },
    processes,
  });
  return { own: withPart(list.subarray(0, half)), beside: withPart(list.subarray(half)) };
}

/** Milliseconds of wall time between two checks. */
const pause = 20;

/** Cancels after this much processor time from now on, or this much wall time. */
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

/** For finishing with what is known when work is cancelled: processor time from the first check on. */
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

/**
 * Child processes, as numbers in shared memory: a thread may be ended before it can end its process; whoever ends the
 * thread then does it. If the list is full, the process is left to its own limits. A negative number is a process
 * group.
 */
export function addProcess(list: Int32Array | null, id: number | undefined): void {
  if (list === null || id === undefined) return;
  for (let i = 0; i < list.length; i++) if (Atomics.compareExchange(list, i, 0, id) === 0) return;
}

/** Call it as soon as the process has ended: the system reuses its number. */
export function removeProcess(list: Int32Array | null, id: number | undefined): void {
  if (list === null || id === undefined) return;
  for (let i = 0; i < list.length; i++) if (Atomics.compareExchange(list, i, id, 0) === id) return;
}

export function endProcesses(list: Int32Array): void {
  for (let i = 0; i < list.length; i++) {
    const id = Atomics.exchange(list, i, 0);
    if (id !== 0) endProcess(id);
  }
}

export function endProcess(id: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    // It has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
