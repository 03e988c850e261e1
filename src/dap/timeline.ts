import { lastAtMost, type OpenRecording } from "../recording/openRecording.ts";

/**
 * The moments at which a debugger can stop: before each execution of a statement, in the order of the run. A position is
 * the number of the execution. If the failing statement has calls, a last position is at the failure, when they are over.
 */
export type Timeline = {
  readonly open: OpenRecording;
  readonly length: number;
  /** The last position. */
  readonly failure: number;
  /** The first step of the statement at a position; for the failure the last step before it. */
  stepOf(position: number): number;
  /** The values at a position are those after this step. */
  valuesAfter(position: number): number;
  /** The execution of the statement at a position. */
  executionAt(position: number): number;
  /** The call that the statement at a position belongs to. */
  activationOf(position: number): number;
  /** The position of the execution that a step belongs to. */
  positionOf(step: number): number;
  move(position: number, motion: Motion): number;
};

export type Motion = "into" | "over" | "out" | "backInto" | "backOver" | "backOut";

/** `failing`: the execution of the statement that fails; the last one unless told. */
export function createTimeline(open: OpenRecording, failing = lastExecution(open)): Timeline {
  const { executions, steps } = open.recording;
  const end = endWithCalls(open, failing);
  // What was executed after the failure, such as hooks of tests, is left out.
  const last = lastAtMost(executions.firstStep, end);
  const isBehind = last !== failing;
  const failure = isBehind ? last + 1 : failing;
  const length = failure + 1;
  const isAtEnd = (position: number) => isBehind && position === failure;
  const executionAt = (position: number) => (position === failure ? failing : position);
  const activationOf = (position: number) => executions.activation[executionAt(position)] ?? 0;
  const depthAt = (position: number) => open.depthOf(activationOf(position));

  /** The nearest position in a direction at most so deep; the end of the recording if there is none. */
  const seek = (from: number, by: 1 | -1, deepest: number): number => {
    for (let at = from + by; at >= 0 && at < length; at += by) if (depthAt(at) <= deepest) return at;
    return by === 1 ? failure : 0;
  };

  return {
    open,
    length,
    failure,
    executionAt,
    activationOf,
    stepOf: (position) => (isAtEnd(position) ? end : (executions.firstStep[position] ?? 0)),
    valuesAfter: (position) => (isAtEnd(position) ? end : (executions.firstStep[position] ?? 0) - 1),
    positionOf(step) {
      for (let at = Math.min(step, open.length - 1); at >= 0; at--) {
        const execution = steps.execution[at] ?? -1;
        if (execution >= 0) return Math.min(failure, execution);
      }
      return 0;
    },
    move(position, motion) {
      switch (motion) {
        case "into":
          return Math.min(failure, position + 1);
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

function lastExecution({ recording: { executions } }: OpenRecording): number {
  return Math.max(0, executions.statement.length - 1);
}

/** The last step of an execution and of all calls in it. */
function endWithCalls(open: OpenRecording, execution: number): number {
  let end = 0;
  for (const step of open.stepsOf(execution)) {
    end = Math.max(end, step);
    for (const activation of open.calledBy(step)) end = Math.max(end, open.spanOf(activation)[1]);
  }
  return end;
}
