import { Defect } from "../base/errors.ts";
import { fitsSignature } from "../ir/calls.ts";
import type { Input } from "../ir/operation.ts";
import type { EdgeId, FunctionId } from "../ir/program.ts";
import { fromBigInt, type ScalarValue } from "../ir/scalarValue.ts";
import { checkInput, clockInput, type InputRequest, type InputValue } from "./inputs.ts";
import { countedSteps, type Machine } from "./machine.ts";
import { firstObject } from "./memory/objectLayout.ts";
import { objectIdOf, offsetOf } from "./memory/pointer.ts";
import { integerToPointer } from "./memory/pointerArithmetic.ts";
import type { Limit } from "./outcome.ts";
import { undefinedRun } from "./problem.ts";

/** Thrown at a `fail` edge. */
export class RunEnded extends Error {
  readonly site: number;
  readonly code: number;

  constructor(site: number, code: number) {
    super("the run ended");
    this.site = site;
    this.code = code;
  }
}

export class InputMissing extends Error {
  readonly site: number;
  readonly request: InputRequest;

  constructor(site: number, request: InputRequest) {
    super("no more inputs");
    this.site = site;
    this.request = request;
  }
}

/** Steps between checks for cancellation. */
export const stepsBetweenPolls = 65536;

export function endRun(site: number, code: ScalarValue): Error {
  return new RunEnded(site, Number(BigInt.asUintN(8, BigInt(code))));
}

/** Called at loop headers and function entries once `counters[1]` steps have been made. */
export function poll(machine: Machine): void {
  const { counters, limits } = machine;
  const steps = countedSteps(machine);
  machine.polledSteps = steps;
  counters[0] = 0;
  if (steps > limits.maxSteps) throw new LimitReached("steps");
  const { reason } = limits.cancellation;
  if (reason !== null) throw new LimitReached(reason === "timeout" ? "time" : "interrupted");
  counters[1] = Math.min(limits.maxSteps - steps, stepsBetweenPolls);
}

/** Saves a copy of the full chunk; generated code keeps using the same one, which stays in the cache. */
export function keepChunk(machine: Machine): void {
  machine.chunks.push(machine.log.slice());
  machine.counters[2] = 0;
}

export function readInput(machine: Machine, site: number): ScalarValue {
  const { function: fn, edge: id } = machine.sites[site]!;
  const { operation } = machine.program.functions[fn]!.edges[id]!;
  if (operation.kind !== "input") throw new Defect("not an input");
  const { type, source, plan, within = null } = operation;
  const value = nextInput(machine, site, { type, source, within, ...(plan === undefined ? {} : { plan }) });
  return machineValue(machine, operation, value, site);
}

export function nextInput(
  machine: Machine,
  site: number,
  wanted: Pick<InputRequest, "type" | "source" | "plan" | "within" | "memory">,
): InputValue {
  const recorded = machine.recordedInputs[machine.inputs.length];
  if (recorded !== undefined) {
    machine.inputs.push(recorded);
    return recorded.value;
  }
  const { function: fn, edge: id, remaining } = machine.sites[site]!;
  const { range } = machine.program.functions[fn]!.edges[id]!;
  const { source } = wanted;
  const request: InputRequest = { ...wanted, index: machine.inputs.length, range };
  const given = machine.inputSource(request) ?? clockInput(request);
  if (given === null) throw new InputMissing(site, request);
  const value = checkInput(given, request);
  machine.inputs.push({ value, source, function: fn, edge: id, step: countedSteps(machine) - remaining });
  return value;
}

function machineValue(machine: Machine, { type }: Input, value: InputValue, site: number): ScalarValue {
  if (typeof value === "number") return value;
  const canonical = fromBigInt(value);
  return type.kind === "pointer" ? integerToPointer(machine.memory, canonical, site) : canonical;
}

export function resolveCallee(machine: Machine, pointer: number, signature: number, site: number): number {
  const { functions } = machine.program;
  // Functions are the first objects, in order.
  const index = objectIdOf(pointer) - firstObject;
  if (offsetOf(pointer) === 0 && index >= 0 && index < functions.length) {
    const key = signature * functions.length + index;
    const known = machine.callFits[key]!;
    if (known === 1) return index;
    if (known === 0 && fitsSignature(machine.program, functions[index]!, machine.signatures[signature]!)) {
      machine.callFits[key] = 1;
      return index;
    }
  }
  return undefinedRun({ kind: "bad-call", pointer }, site);
}

/** Calls of generated code in an observed replay; `remaining` and `ahead` count later edges of the current block. */

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

/** Library writes from here on belong to this call. */
export function beginLibraryCall(machine: Machine, fn: number, edge: number, remaining: number): void {
  machine.library.currentCall = {
    function: fn as FunctionId,
    edge: edge as EdgeId,
    step: countedSteps(machine) - remaining,
  };
}

/** Thrown when a run exhausts a limit; never leaves this folder. */
export class LimitReached extends Error {
  readonly limit: Limit;

  constructor(limit: Limit) {
    super(limit);
    this.limit = limit;
  }
}
