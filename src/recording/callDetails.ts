import { argumentsOf, cellName, type NamedValue } from "./moment.ts";
import type { OpenRecording } from "./openRecording.ts";
import { valueText } from "./reasons.ts";

/** A call of a function: what it was given, what it gave back, and what it changed for others. */
export type CallDetails = {
  readonly function: string;
  readonly first: number;
  readonly last: number;
  readonly arguments: readonly NamedValue[];
  /** null if it returned nothing, or not at all. */
  readonly result: NamedValue | null;
  /** Cells that it wrote and that existed before, or that were read after it: with their last value. */
  readonly effects: readonly NamedValue[];
  /** Effects that are not listed. */
  readonly left: number;
};

const mostEffects = 50;

/** The calls that a step made, in order. */
export function callsOf(open: OpenRecording, step: number): readonly CallDetails[] {
  return [...open.calledBy(step)].map((activation) => detailsOf(open, step, activation));
}

function detailsOf(open: OpenRecording, call: number, activation: number): CallDetails {
  const { recording } = open;
  const [first, last] = open.spanOf(activation);
  const effects = effectsOf(open, first, last);
  return {
    function: recording.functions[recording.activations.function[activation] ?? -1] ?? "",
    first,
    last,
    arguments: argumentsOf(open, call, activation),
    result: resultOf(open, activation),
    effects: effects.slice(0, mostEffects),
    left: Math.max(0, effects.length - mostEffects),
  };
}

function resultOf(open: OpenRecording, activation: number): NamedValue | null {
  const { steps, places } = open.recording;
  const executions = open.executionsIn(activation);
  for (let i = executions.length - 1; i >= 0; i--) {
    for (const step of open.stepsOf(executions[i] ?? 0).toReversed()) {
      const value = valueText(open, step);
      if (places[steps.place[step] ?? 0]?.kind === "return" && value !== "") return { name: "", value, step };
    }
  }
  return null;
}

function effectsOf(open: OpenRecording, first: number, last: number): readonly NamedValue[] {
  const { steps, places } = open.recording;
  const found = new Map<number, NamedValue>();
  for (let step = first; step <= last; step++) {
    const cell = steps.cell[step] ?? 0;
    // The result is told apart.
    if (cell === 0 || places[steps.place[step] ?? 0]?.kind === "return") continue;
    found.set(cell, { name: cellName(open.recording, step), value: valueText(open, step), step });
  }
  const isOutside = (step: number) => step < first || step > last;
  return [...found].flatMap(([cell, value]) => {
    const writes = open.writesOf(cell);
    const isKnown = isOutside(writes[0] ?? first) || [...open.readersOf(value.step)].some(isOutside);
    return isKnown ? [value] : [];
  });
}
