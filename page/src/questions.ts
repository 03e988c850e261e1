import { type CallDetails, callsOf } from "../../src/recording/callDetails.ts";
import {
  type CellHistory,
  historyOf,
  nextWrite,
  previousWrite,
  type Reader,
  readersOf,
} from "../../src/recording/history.ts";
import { cellRead, type Moment, type MomentValue, momentAt, valuesAt } from "../../src/recording/moment.ts";
import { variablesAt } from "../../src/recording/names.ts";
import {
  type Direction,
  endOfExecution,
  type LoopRounds,
  loopsAround,
  nearestOnLine,
  startOfRound,
  stepOfNode,
  stepTo,
} from "../../src/recording/navigate.ts";
import { contains, type OpenRecording } from "../../src/recording/openRecording.ts";
import {
  type DescribedStep,
  describeStep,
  type Reason,
  reasonsOf,
  reasonsOfExecution,
  skipCopies,
} from "../../src/recording/reasons.ts";
import type { SourceExtent } from "../../src/recording/recording.ts";
import { type WhyNot, whyNotLine } from "../../src/recording/whyNot.ts";
import { type Strip, stripOf } from "./strip.ts";

/** What the page asks about a recording. Each question has a function that answers it; the worker calls it. */
export const answers = {
  counts: (open: OpenRecording) => open.recording.statements.map((_, i) => open.executionsOf(i).length),

  /** All that is shown when the cursor moves. */
  look(open: OpenRecording, step: number): Look {
    const moment = momentAt(open, step);
    const lines = [...valuesAt(open, step)].map(([statement, values]) => ({ statement, values }));
    return {
      moment,
      lines,
      variables: variablesAt(open, step),
      loops: loopsAround(open, step),
      current: describeStep(open, step),
    };
  },

  why(open: OpenRecording, step: number, isWhole: boolean): WhyAnswer {
    const execution = open.recording.steps.execution[step] ?? -1;
    const reasons = isWhole && execution >= 0 ? reasonsOfExecution(open, execution) : reasonsOf(open, step);
    return {
      about: describeStep(open, step),
      reasons: reasons.map((reason) => ({
        ...reason,
        described: reason.step < 0 ? null : describeStep(open, reason.step),
      })),
    };
  },

  /** The calls that a step made. */
  calls: (open: OpenRecording, step: number): readonly CallDetails[] => callsOf(open, step),
  skip: (open: OpenRecording, step: number) => skipCopies(open, step),
  describe: (open: OpenRecording, step: number) => describeStep(open, step),
  history: (open: OpenRecording, cell: number): CellHistory => historyOf(open, cell),
  readers: (open: OpenRecording, step: number): readonly (Reader & { readonly described: DescribedStep })[] =>
    readersOf(open, step).map((reader) => ({ ...reader, described: describeStep(open, reader.step) })),
  whyNot: (open: OpenRecording, file: number, line: number, step: number): WhyNot => whyNotLine(open, file, line, step),
  go: (open: OpenRecording, step: number, direction: Direction) => endOfExecution(open, stepTo(open, step, direction)),
  end: (open: OpenRecording, step: number) => endOfExecution(open, step),
  /** Where a round of a loop around a step ends its head. */
  round: (open: OpenRecording, statement: number, step: number, round: number) =>
    endOfExecution(open, startOfRound(open, statement, step, round)),
  onLine: (open: OpenRecording, file: number, line: number, step: number) => nearestOnLine(open, file, line, step),
  /** A cursor stands at the end of its statement: what this one wrote is not before it. */
  previousWrite(open: OpenRecording, cell: number, step: number): number | null {
    const execution = open.recording.steps.execution[step] ?? -1;
    return previousWrite(open, cell, open.recording.executions.firstStep[execution] ?? step);
  },
  nextWrite: (open: OpenRecording, cell: number, step: number) => nextWrite(open, cell, step),
  strip: (open: OpenRecording, from: number, to: number, columns: number): Strip => stripOf(open, from, to, columns),

  /** The value at a place of the source, at its execution nearest to the step. */
  valueAt(open: OpenRecording, file: number, line: number, column: number, step: number): PointedValue | null {
    const near = nearestOnLine(open, file, line, step);
    if (near === null) return null;
    const execution = open.recording.steps.execution[near] ?? -1;
    const steps = execution < 0 ? [near] : [...open.stepsOf(execution)];
    const found = steps
      .flatMap((each) => valuesOfStep(open, each))
      .filter(({ at }) => at !== null && contains(at, line, column));
    return found.sort((a, b) => sizeOf(a.at) - sizeOf(b.at))[0] ?? null;
  },

  /** The value that a step wrote; of a call the one that its function returned into a variable. */
  written(open: OpenRecording, step: number, into?: number): PointedValue | null {
    const { steps, places, cells, values } = open.recording;
    if (into !== undefined && into !== 0 && open.cellsOf(step).includes(into)) {
      const value = values[open.writtenInto(into, step)] ?? "";
      return { name: cells[into] ?? "", value, step, writer: step, cell: into, at: null };
    }
    const place = places[steps.place[step] ?? 0];
    const [callee] = place?.target === undefined ? [] : open.calledBy(step);
    const end = callee === undefined ? step : open.spanOf(callee)[1];
    const cell = steps.cell[end] ?? 0;
    if (end !== step && cell !== 0)
      return { name: cells[cell] ?? "", value: values[steps.value[end] ?? 0] ?? "", step, writer: end, cell, at: null };
    return valuesOfStep(open, step).find(({ writer }) => writer === step) ?? null;
  },

  search(open: OpenRecording, text: string): readonly Found[] {
    const { statements, files } = open.recording;
    const wanted = text.toLowerCase();
    const found: Found[] = [];
    for (const [i, statement] of statements.entries()) {
      if (found.length === mostFound) break;
      const executions = open.executionsOf(i);
      if (
        !statement.text.toLowerCase().includes(wanted) &&
        !`${files[statement.file]}:${statement.at[0]}`.includes(wanted)
      )
        continue;
      const first = open.recording.executions.firstStep[executions[0] ?? -1];
      found.push({
        statement: i,
        step: first === undefined ? null : endOfExecution(open, first),
        times: executions.length,
      });
    }
    return found;
  },

  stepOfNode: (open: OpenRecording, numbers: readonly number[]): number | null => stepOfNode(open, numbers),
} as const;

const mostFound = 100;

export type Look = {
  readonly moment: Moment;
  readonly lines: readonly { readonly statement: number; readonly values: readonly MomentValue[] }[];
  readonly variables: readonly MomentValue[];
  readonly loops: readonly LoopRounds[];
  readonly current: DescribedStep;
};

export type WhyAnswer = { readonly about: DescribedStep; readonly reasons: readonly DescribedReason[] };
export type DescribedReason = Reason & { readonly described: DescribedStep | null };
export type Found = { readonly statement: number; readonly step: number | null; readonly times: number };

/** A value that the user points at: what it is called, who wrote it, in which cell it is. */
export type PointedValue = {
  readonly name: string;
  readonly value: string;
  /** The step at which it was seen. */
  readonly step: number;
  /** Below 0 if no recorded step wrote it. */
  readonly writer: number;
  readonly cell: number;
  readonly at: SourceExtent | null;
};

function valuesOfStep(open: OpenRecording, step: number): readonly PointedValue[] {
  const { recording } = open;
  const { steps, reads, places, values, cells } = recording;
  const place = places[steps.place[step] ?? 0];
  const found: PointedValue[] = [];
  for (let read = steps.firstRead[step] ?? 0; read < (steps.firstRead[step + 1] ?? 0); read++) {
    const writer = reads.writer[read] ?? -1;
    const part = place?.reads[reads.part[read] ?? -1];
    const value = values[reads.value[read] ?? 0] ?? "";
    if (value === "" && part === undefined) continue;
    const name = part?.text ?? "";
    found.push({ name, value, step, writer, cell: cellRead(open, read, name), at: part?.at ?? null });
  }
  const cell = steps.cell[step] ?? 0;
  const value = values[steps.value[step] ?? 0] ?? "";
  if (place !== undefined && (value !== "" || open.calledBy(step).length > 0))
    found.push({ name: cells[cell] || place.name, value, step, writer: step, cell, at: place.at });
  return found;
}

function sizeOf(at: SourceExtent | null): number {
  return at === null ? Number.POSITIVE_INFINITY : (at[2] - at[0]) * 1000 + at[3] - at[1];
}

type Answers = typeof answers;
export type QuestionName = keyof Answers;
export type ArgumentsOf<N extends QuestionName> = Answers[N] extends (open: OpenRecording, ...rest: infer A) => unknown
  ? A
  : never;
export type AnswerTo<N extends QuestionName> = ReturnType<Answers[N]>;
