const pause = 200;
/** A run that does less work than this in a pause is waiting. Even a busy machine gives a working process more. */
const leastWork = 10;

/** Without a limit, a run that waits as long as this does not end by itself. */
const longestWait = 120_000;

/** Calls `end` once `work` has grown by this many milliseconds, or nothing was done for as long. */
export function watchLimit(limit: number | null, work: () => number, end: () => void): NodeJS.Timeout {
  const latest = limit === null ? Number.POSITIVE_INFINITY : work() + limit;
  const wait = limit ?? longestWait;
  let [last, idle] = [work(), 0];
  return setInterval(() => {
    const now = work();
    idle = now - last < leastWork ? idle + pause : 0;
    last = now;
    if (now > latest || idle > wait) end();
  }, pause);
}
