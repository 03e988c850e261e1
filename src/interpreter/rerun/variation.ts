import type { ScalarValue } from "../../ir/scalarValue.ts";
import { LimitReached } from "../control.ts";
import { countedSteps, type Machine } from "../machine.ts";
import { grown } from "../track/tracker.ts";

/**
 * The variations of a re-run, for code compiled with `mode.vary`. `numbers`: `[0]` instances of conditions and values
 * so far, `[1]` the one to override (0 for none), `[2]` active calls of functions that call others, `[3]` their limit.
 */
export type Variation = {
  readonly numbers: Int32Array;
  /** The overriding value. An overridden condition is negated instead. */
  value: ScalarValue;
  /** `numbers[3]` becomes the maximum of active calls. */
  measuresDepth: boolean;
  /** If present, gets the run's instances in order. */
  readonly log: InstanceLog | null;
};

/** The instances of conditions and values of a run: all from a step on, and per place the first and the count. */
export type InstanceLog = {
  readonly from: number;
  /** Number `n` is at index `n - offset`; the first instance of a run has number 1. */
  offset: number;
  used: number;
  place: Int32Array;
  step: Int32Array;
  /** By place: the number of its first instance (or 0), its step, and the count. */
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
    numbers: Int32Array.of(0, 0, 0, 2 ** 30),
    value: 0,
    measuresDepth: false,
    log,
  };
}

/** A measuring run raises the limit; other runs end, because leaving a deep stack takes longer than most runs. */
export function deeper({ variation }: Machine): void {
  const { numbers, measuresDepth } = variation!;
  if (!measuresDepth) throw new LimitReached("recursion");
  numbers[3] = numbers[2]!;
}

/** Called for the overridden instance. */
export function variedCondition(machine: Machine, holds: boolean): boolean {
  const { numbers } = machine.variation!;
  return numbers[0] === numbers[1] ? !holds : holds;
}

export function variedValue(machine: Machine, value: ScalarValue): ScalarValue {
  const { numbers, value: other } = machine.variation!;
  return numbers[0] === numbers[1] ? other : value;
}

/** With a log: called for every instance. `ahead` of the counted steps are not before this one. */
export function loggedCondition(machine: Machine, place: number, holds: boolean, ahead: number): boolean {
  logInstance(machine, place, ahead);
  return variedCondition(machine, holds);
}

export function loggedValue(machine: Machine, place: number, value: ScalarValue, ahead: number): ScalarValue {
  logInstance(machine, place, ahead);
  return variedValue(machine, value);
}

function logInstance(machine: Machine, place: number, ahead: number): void {
  const { numbers, log } = machine.variation!;
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
