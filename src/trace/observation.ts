import type { EdgeId, FunctionId } from "../ir/ids.ts";
import type { Value } from "../ir/scalarValue.ts";
import { trackStore } from "./dependence/track.ts";
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
  value: Value | undefined,
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
  value: Value | undefined,
  remaining: number,
): void {
  const step = countedSteps(machine) - remaining;
  machine.writer?.memory(step, fn as FunctionId, edge as EdgeId, pointer, size, value);
}

export function beginLibraryCall(machine: Machine, fn: number, edge: number, remaining: number): void {
  machine.libraryCall = {
    function: fn as FunctionId,
    edge: edge as EdgeId,
    step: countedSteps(machine) - remaining,
  };
}

/** Library functions say which bytes they wrote. */
export function libraryWrote(machine: Machine, pointer: number, size: number): void {
  if (machine.tracker !== null && size > 0) trackStore(machine.tracker, machine.memory, pointer, 0, size);
  const call = machine.libraryCall;
  if (machine.writer === null || call === null || size === 0) return;
  machine.writer.memory(call.step, call.function, call.edge, pointer, size, undefined);
}
