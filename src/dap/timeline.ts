import type { OpenRecording } from "../recording/openRecording.ts";

/**
 * The moments at which a debugger can stop: before each execution of a statement, in the order of the run. A position is
 * the number of the execution.
 */
export type Timeline = {
  readonly open: OpenRecording;
  readonly length: number;
  /** The position before the statement that fails. */
  readonly failure: number;
  stepOf(position: number): number;
  /** The position of the execution that a step belongs to. */
  positionOf(step: number): number;
  move(position: number, motion: Motion): number;
};

export type Motion = "into" | "over" | "out" | "backInto" | "backOver" | "backOut";

export function createTimeline(open: OpenRecording): Timeline {
  const { executions, steps } = open.recording;
  const length = executions.statement.length;
  const depthAt = (position: number) => open.depthOf(executions.activation[position] ?? 0);
  const stepOf = (position: number) => executions.firstStep[position] ?? 0;

  /** The nearest position in a direction at most so deep; the end of the recording if there is none. */
  const seek = (from: number, by: 1 | -1, deepest: number): number => {
    for (let at = from + by; at >= 0 && at < length; at += by) if (depthAt(at) <= deepest) return at;
    return by === 1 ? Math.max(0, length - 1) : 0;
  };

  const positionOf = (step: number): number => {
    for (let at = Math.min(step, open.length - 1); at >= 0; at--) {
      const execution = steps.execution[at] ?? -1;
      if (execution >= 0) return execution;
    }
    return 0;
  };

  return {
    open,
    length,
    failure: positionOf(open.length - 1),
    stepOf,
    positionOf,
    move(position, motion) {
      switch (motion) {
        case "into":
          return Math.min(length - 1, position + 1);
        case "backInto":
          return Math.max(0, position - 1);
        case "over":
          return seek(position, 1, depthAt(position));
        case "backOver":
          return seek(position, -1, depthAt(position));
        case "out":
          return seek(position, 1, depthAt(position) - 1);
        case "backOut":
          return seek(position, -1, depthAt(position) - 1);
      }
    },
  };
}
