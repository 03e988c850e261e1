import type { ScalarValue } from "../../ir/scalarValue.ts";
import { grown } from "../dependence/tracker.ts";
import { LimitReached } from "../limitReached.ts";
import { countedSteps, type Machine } from "../machine.ts";

/** Calls of generated code in a re-run that does something differently. */

/** A run that only measures sets the limit; other runs end: leaving a deep stack takes longer than most runs. */
export function deeper({ variation }: Machine): void {
  const { numbers, measuresDepth } = variation!;
  if (!measuresDepth) throw new LimitReached("recursion");
  numbers[5] = numbers[4]!;
}

/** Called for the edited place and for the overridden instance. */
export function variedCondition(machine: Machine, place: number, holds: boolean): boolean {
  const { numbers, edit } = machine.variation!;
  const edited = place === numbers[2] ? edit(holds ? 1 : 0, 0) !== 0 : holds;
  return numbers[0] === numbers[1] ? !edited : edited;
}

export function variedValue(machine: Machine, place: number, value: ScalarValue): ScalarValue {
  const { numbers, edit, value: other } = machine.variation!;
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
