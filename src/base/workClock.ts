import { readFileSync } from "node:fs";
import type { Cancellation } from "./cancellation.ts";

/** Hundredths of a second, on every Linux. */
const tick = 10;

/**
 * Milliseconds of processor time that this process has used, and those that it started (`processes` lists the ones at work). Unlike time on the wall it
 * does not depend on what else the machine does. Where the system does not say it of other processes, theirs is not counted.
 */
export function workMilliseconds(processes: Int32Array | null): number {
  const { user, system } = process.cpuUsage();
  const ended = statOf("self");
  let work = (user + system) / 1000 + (ended === null ? 0 : tick * (ended[2]! + ended[3]!));
  for (const pid of processes ?? []) {
    const running = pid === 0 ? null : statOf(`${pid}`);
    if (running !== null) work += tick * (running[0]! + running[1]!);
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
export function lastWords(outer: Cancellation, milliseconds: number): Cancellation {
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
