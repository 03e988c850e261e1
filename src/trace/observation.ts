import type { EdgeId, FunctionId } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { countedSteps, type Machine } from "./machine.ts";

/**
 * Calls of generated code in a replay that watches; `remaining` and `ahead` count edges of the current
 * block that are not executed yet.
 */

export function observed(machine: Machine, hook: number, ahead: number): void {
  machine.observer?.(hook, countedSteps(machine) - ahead);
}

export function wroteRegister(
  machine: Machine,
  fn: number,
  edge: number,
  variable: number,
  value: ScalarValue | undefined,
  remaining: number,
): void {
  const step = countedSteps(machine) - remaining;
  machine.writer?.register(step, fn as FunctionId, edge as EdgeId, variable, value);
}

export function wroteMemory(
  machine: Machine,
  fn: number,
  edge: number,
  pointer: number,
  size: number,
  value: ScalarValue | undefined,
  remaining: number,
): void {
  const step = countedSteps(machine) - remaining;
  machine.writer?.memory(step, fn as FunctionId, edge as EdgeId, pointer, size, value);
}

/** What the library writes from here on is written by this call. */
export function beginLibraryCall(machine: Machine, fn: number, edge: number, remaining: number): void {
  machine.library.underWay = {
    function: fn as FunctionId,
    edge: edge as EdgeId,
    step: countedSteps(machine) - remaining,
  };
}
