import { availableParallelism, totalmem } from "node:os";
import { usageError } from "../commands/options/option.ts";

/** The memory of a task, where there is enough. */
export const usualMegabytes = 4000;

/** One task for each processor, and as much memory for each as there is: on this machine, or on those of a queue. */
export function workersAndLimits({
  workers: given,
  megabytes,
  seconds,
  queue,
}: {
  readonly workers: number | null;
  readonly megabytes: number | null;
  readonly seconds: number;
  readonly queue: string | null;
}) {
  if (given === 0) throw usageError("--workers needs at least one");
  if (seconds === 0 || megabytes === 0) throw usageError("a task needs some time and memory");
  const workers = given ?? availableParallelism();
  const there = queue === null ? Math.floor((0.9 * totalmem()) / 2 ** 20 / workers) : usualMegabytes;
  return { workers, seconds, megabytes: megabytes ?? Math.min(usualMegabytes, there) };
}
