import type { WriteVisitor } from "./machine.ts";
import { replay } from "./replay.ts";
import { StopWatching } from "./run.ts";
import type { Trace } from "./trace.ts";

/**
 * What the steps from `from` up to and without `to` wrote, in order. A step writes a register, a scalar in memory, or
 * bytes (struct assignment, library functions); a call writes the callee's parameters, a return the caller's target.
 */
export function replayWrites(trace: Trace, from: number, to: number, visitor: WriteVisitor): void {
  const end = Math.min(to, trace.steps);
  replay(
    trace,
    { record: false, writes: true, hooks: null },
    {
      writer: {
        register(step, ...rest) {
          if (step >= end) throw new StopWatching();
          if (step >= from) visitor.register(step, ...rest);
        },
        memory(step, ...rest) {
          if (step >= end) throw new StopWatching();
          if (step >= from) visitor.memory(step, ...rest);
        },
      },
    },
  );
}
