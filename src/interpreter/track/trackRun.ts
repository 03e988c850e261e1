import { replay, type Trace } from "../trace.ts";
import { createTracker, type DependenceTracker } from "./tracker.ts";

/**
 * Replays a trace and writes down its steps from `from` on: edge, activation, value, reads with their writers, control parent.
 * The step in which a run became undefined is one of them, though it was not completed; what it did not read is 0 in `writer`.
 */
export function trackRun(trace: Trace, from = 0): DependenceTracker {
  const tracker = createTracker(from, Math.max(trace.steps - from, 0) + 1);
  replay(trace, { record: false, writes: false, dependence: true, hooks: null }, { tracker });
  return tracker;
}
