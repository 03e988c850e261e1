import { replay, type Trace } from "../trace.ts";
import { createTracker, type DependenceTracker } from "./tracker.ts";

/**
 * Replays a trace and records its steps from `from` on: edge, activation, value, reads with their writers, control
 * parent. This includes the uncompleted step of undefined behaviour; `writer` is 0 for what it did not read.
 */
export function trackRun(trace: Trace, from = 0): DependenceTracker {
  const tracker = createTracker(from, Math.max(trace.steps - from, 0) + 1);
  replay(trace, { record: false, writes: false, dependence: true, hooks: null }, { tracker });
  return tracker;
}
