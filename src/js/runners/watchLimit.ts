const pause = 200;
/** Whoever does less than this in a pause waits; on a busy machine a process gets more. */
const leastWork = 10;

/** Calls `end` once `work` has grown by this many milliseconds, or nothing was done for as long. */
export function watchLimit(limit: number, work: () => number, end: () => void): NodeJS.Timeout {
  const latest = work() + limit;
  let [last, idle] = [work(), 0];
  return setInterval(() => {
    const now = work();
    idle = now - last < leastWork ? idle + pause : 0;
    last = now;
    if (now > latest || idle > limit) end();
  }, pause);
}
