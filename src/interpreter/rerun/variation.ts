import { present } from "../../base/checked.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { LimitReached } from "../control.ts";
import { countedSteps, type Machine } from "../machine.ts";
import { grown } from "../track/tracker.ts";

/**
 * What a re-run does differently, as code compiled with `mode.vary` looks it up. `numbers` is small and stays in reach: `[0]`
 * instances of conditions and values so far, `[1]` the one to override (0 for none), `[2]` the place to edit (-1 for none), `[3]`
 * how often the run got past the watched place, `[4]` calls under way of functions that call others, `[5]` how many there may be.
 */
export type Variation = {
  readonly numbers: Int32Array;
  /** For the overridden value. An overridden condition is negated. */
  value: ScalarValue;
  /** For the edited place: of a condition or value its other value, of a comparison or operator that of its operands. */
  edit: (first: ScalarValue, second: ScalarValue) => ScalarValue;
  /** `numbers[5]` becomes the number of calls under way at most. */
  measuresDepth: boolean;
  /** For an edited constant. */
  constant: ScalarValue;
  /** Where there is one: the instances of the run, in order. */
  readonly log: InstanceLog | null;
};

/** The instances of conditions and values of a run: all those from a step on, and of each place the first and how many. */
export type InstanceLog = {
  readonly from: number;
  /** Number `n` is at `n - offset` of the lists; the first instance of a run has number 1. */
  offset: number;
  used: number;
  place: Int32Array;
  step: Int32Array;
  /** By place: the number of its first instance, or 0; its step; and how many there are. */
  readonly firstNumber: Int32Array;
  readonly firstStep: Int32Array;
  readonly count: Int32Array;
};

export function createInstanceLog(from: number, places: number): InstanceLog {
  return {
    from,
    offset: 1,
    used: 0,
    place: new Int32Array(1024),
    step: new Int32Array(1024),
    firstNumber: new Int32Array(places),
    firstStep: new Int32Array(places),
    count: new Int32Array(places),
  };
}

export function createVariation(log: InstanceLog | null = null): Variation {
  return {
    numbers: Int32Array.of(0, 0, -1, 0, 0, 2 ** 30),
    value: 0,
    measuresDepth: false,
    edit: (first) => first,
    constant: 0,
    log,
  };
}

/** Calls of generated code in a re-run that does something differently. */

/** A run that only measures sets the limit; other runs end: leaving a deep stack takes longer than most runs. */
export function deeper({ variation }: Machine): void {
  const { numbers, measuresDepth } = variation!;
  if (!measuresDepth) throw new LimitReached("recursion");
  numbers[5] = numbers[4]!;
}

/** Called for the edited place and for the overridden instance. */
export function variedCondition(machine: Machine, place: number, holds: boolean): boolean {
  const { numbers, edit } = present(machine.variation);
  const edited = place === numbers[2] ? edit(holds ? 1 : 0, 0) !== 0 : holds;
  return numbers[0] === numbers[1] ? !edited : edited;
}

export function variedValue(machine: Machine, place: number, value: ScalarValue): ScalarValue {
  const { numbers, edit, value: other } = present(machine.variation);
  if (numbers[0] === numbers[1]) return other;
  return place === numbers[2] ? edit(value, 0) : value;
}

/** With a log: called for every instance. Of the steps that are counted, `ahead` are not before this one. */
export function loggedCondition(machine: Machine, place: number, holds: boolean, ahead: number): boolean {
  logInstance(machine, place, ahead);
  return variedCondition(machine, place, holds);
}

export function loggedValue(machine: Machine, place: number, value: ScalarValue, ahead: number): ScalarValue {
  logInstance(machine, place, ahead);
  return variedValue(machine, place, value);
}

function logInstance(machine: Machine, place: number, ahead: number): void {
  const { numbers, log } = present(machine.variation);
  const number = ++numbers[0]!;
  if (log === null) return;
  const step = countedSteps(machine) - ahead;
  if (log.count[place]!++ === 0) {
    log.firstNumber[place] = number;
    log.firstStep[place] = step;
  }
  if (step < log.from) return;
  if (log.used === 0) log.offset = number;
  if (log.used === log.place.length) {
    log.place = grown(log.place, log.used + 1);
    log.step = grown(log.step, log.used + 1);
  }
  log.place[log.used] = place;
  log.step[log.used++] = step;
}
