import { statementAt } from "./moment.ts";
import { enclosing, lastAtMost, lastInCall, lastStarted, type OpenRecording, statementsOn } from "./openRecording.ts";

/** Where a debugger's step leads to; the same step at the end of the recording. */
export type Direction = "into" | "back" | "over" | "overBack" | "out" | "outBack";

/** The next step of another statement's execution. */
export function stepTo(open: OpenRecording, step: number, direction: Direction): number {
  const { steps, activations } = open.recording;
  const activation = steps.activation[step] ?? 0;
  const call = activations.call[activation] ?? -1;
  switch (direction) {
    case "into":
      return startOfExecution(
        open,
        scan(open, step, 1, () => true),
      );
    case "back":
      return startOfExecution(
        open,
        scan(open, step, -1, () => true),
      );
    case "over":
      return over(open, step, 1);
    case "overBack":
      return over(open, step, -1);
    case "out":
      return call < 0 ? open.length - 1 : over(open, open.spanOf(activation)[1], 1);
    case "outBack":
      return call < 0 ? 0 : startOfExecution(open, call);
  }
}

/** The next statement of the same call, or of a caller behind its end. */
function over(open: OpenRecording, step: number, by: 1 | -1): number {
  const { steps } = open.recording;
  const depth = open.depthOf(steps.activation[step] ?? 0);
  return startOfExecution(
    open,
    scan(open, step, by, (at) => open.depthOf(steps.activation[at] ?? 0) <= depth),
  );
}

function scan(open: OpenRecording, from: number, by: 1 | -1, isWanted: (step: number) => boolean): number {
  const { execution } = open.recording.steps;
  const own = execution[from] ?? -1;
  for (let at = from + by; at >= 0 && at < open.length; at += by) {
    const other = execution[at] ?? -1;
    if (other >= 0 && other !== own && isWanted(at)) return at;
  }
  return from;
}

/** A cursor stands at the last step of an execution, where its values are known. */
export function endOfExecution(open: OpenRecording, step: number): number {
  const execution = open.recording.steps.execution[step] ?? -1;
  return execution < 0 ? step : (open.stepsOf(execution).at(-1) ?? step);
}

function startOfExecution(open: OpenRecording, step: number): number {
  const execution = open.recording.steps.execution[step] ?? -1;
  return execution < 0 ? step : (open.recording.executions.firstStep[execution] ?? step);
}

/** The rounds of a loop around a step in the same call; `current` counts from 0. */
export type LoopRounds = { readonly statement: number; readonly count: number; readonly current: number };

export function loopsAround(open: OpenRecording, step: number): readonly LoopRounds[] {
  const { recording } = open;
  const own = statementAt(open, step);
  const loops = [own, ...enclosing(recording, own)].filter((each) => recording.statements[each]?.kind === "loop");
  return loops.flatMap((statement) => {
    const rounds = roundsOf(open, statement, step);
    const current = lastAtMost(rounds, step);
    return current < 0 ? [] : [{ statement, count: rounds.length, current }];
  });
}

/** Where a round of a loop around a step begins; the step itself if there is no such round. */
export function startOfRound(open: OpenRecording, statement: number, step: number, round: number): number {
  return roundsOf(open, statement, step)[round] ?? step;
}

/** The first steps of those executions of a loop's head that belong together: those of the call, since the loop began anew. */
function roundsOf(open: OpenRecording, statement: number, step: number): Int32Array {
  const activation = open.recording.steps.activation[step] ?? 0;
  const outer = enclosing(open.recording, statement).find((each) => open.recording.statements[each]?.kind === "loop");
  const [from, to] = outer === undefined ? open.spanOf(activation) : roundAround(open, outer, activation, step);
  return startsOf(open, statement, activation, from, to);
}

/** The first steps of a statement's executions in a call, within a part of the run. */
function startsOf(open: OpenRecording, statement: number, activation: number, from: number, to: number): Int32Array {
  const { executions } = open.recording;
  const all = open.executionsOf(statement);
  const near = all.subarray(lastStarted(open, all, from - 1) + 1, lastStarted(open, all, to) + 1);
  const starts = new Int32Array(near.length);
  let count = 0;
  for (let i = 0; i < near.length; i++) {
    const each = near[i] ?? 0;
    if (executions.activation[each] === activation) starts[count++] = executions.firstStep[each] ?? 0;
  }
  return starts.subarray(0, count);
}

/** The first and last step of the round of a loop that a step is in. */
function roundAround(
  open: OpenRecording,
  statement: number,
  activation: number,
  step: number,
): readonly [number, number] {
  const starts = startsOf(open, statement, activation, ...open.spanOf(activation));
  const current = lastAtMost(starts, step);
  return [starts[current] ?? 0, (starts[current + 1] ?? open.length) - 1];
}

/** The executed statements on a line that are nearest to a step: in its call before it, else any. */
export function nearestOnLine(open: OpenRecording, file: number, line: number, step: number): number | null {
  const { steps, executions } = open.recording;
  const activation = steps.activation[step] ?? 0;
  let best: number | null = null;
  const isBetter = (candidate: number) => {
    if (best === null) return true;
    const [own, other] = [candidate, best].map((each) => steps.activation[each] === activation);
    if (own !== other) return own;
    if (candidate <= step !== best <= step) return candidate <= step;
    return Math.abs(candidate - step) < Math.abs(best - step);
  };
  for (const i of statementsOn(open.recording, file, line)) {
    const all = open.executionsOf(i);
    const near = lastStarted(open, all, step);
    for (const execution of [all[near], all[near + 1], lastInCall(open, i, activation, step)]) {
      const candidate = executions.firstStep[execution ?? -1];
      if (candidate !== undefined && isBetter(candidate)) best = candidate;
    }
  }
  return best === null ? null : endOfExecution(open, best);
}

/** The last execution of a statement on a line: where a run failed there. */
export function lastExecutionOn(open: OpenRecording, { file, line }: PlaceOfLine): number | null {
  const { statements, files, executions } = open.recording;
  const lasts = statements.flatMap(({ file: own, at }, i) =>
    files[own] === file && line >= at[0] && line <= at[2] ? (open.executionsOf(i).at(-1) ?? []) : [],
  );
  const startOf = (execution: number) => executions.firstStep[execution] ?? 0;
  return lasts.sort((a, b) => startOf(a) - startOf(b)).at(-1) ?? null;
}

type PlaceOfLine = { readonly file: string; readonly line: number };

/** Its last step. */
export function lastStepOn(open: OpenRecording, place: PlaceOfLine): number | null {
  const execution = lastExecutionOn(open, place);
  return execution === null ? null : (open.stepsOf(execution).at(-1) ?? null);
}

/** The step of a node of the report, which names numbers of steps or of executions; null if it is not recorded. */
export function stepOfNode(open: OpenRecording, numbers: readonly number[]): number | null {
  const { recording } = open;
  const last = numbers.at(-1);
  if (last === undefined) return null;
  if (recording.executionsFrom === null) {
    const step = last - 1 - recording.first;
    return step >= 0 && step < open.length ? step : null;
  }
  const first = recording.executions.firstStep[last - recording.executionsFrom];
  return first === undefined ? null : endOfExecution(open, first);
}
