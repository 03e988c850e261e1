import { neverCancelled } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { createLibraryState } from "../c/library/host.ts";
import type { Program } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { isScalar } from "../ir/type.ts";
import type { CompiledProgram, RunningProgram } from "./compile/compileProgram.ts";
import { stepsBetweenPolls } from "./control.ts";
import { isMisaligned } from "./describeObject.ts";
import { listedInputs } from "./inputs.ts";
import { createLibraryHost } from "./libraryHost.ts";
import { logChunkSize, type Machine } from "./machine.ts";
import { createObject, type Memory, mostMemory, takeBytes } from "./memory/memory.ts";
import { kindArgument } from "./memory/objectLayout.ts";
import { restoreSnapshot, takeSnapshot } from "./memory/snapshot.ts";
import { createProgramMemory, staticLayoutOf } from "./memory/staticLayout.ts";
import { writeInt64, writePointer32 } from "./memory/write.ts";
import { memoryInputs } from "./memoryInputs.ts";
import type { ReplayHooks, RunOptions } from "./run.ts";

/** The state before a run. */
export function createMachine(
  program: Program,
  options: RunOptions,
  compiled: CompiledProgram,
  watching: ReplayHooks,
): Machine {
  const parts = {
    program,
    sites: compiled.sites,
    memory: createProgramMemory(program, memoryLimit(options)),
    writer: watching.writer ?? null,
    tracker: watching.tracker ?? null,
  };
  const machine: Machine = {
    ...parts,
    counters: new Int32Array(5),
    polledSteps: 0,
    limits: { maxSteps: 0, cancellation: neverCancelled },
    library: createLibraryHost(parts),
    inputSource: listedInputs([]),
    inputs: [],
    recordedInputs: watching.inputs ?? [],
    log: new Int32Array(compiled.mode.record ? logChunkSize : 0),
    chunks: [],
    callFits: new Uint8Array(compiled.signatures.length * program.functions.length),
    signatures: compiled.signatures,
    frame: [],
    observer: watching.observer ?? null,
    variation: watching.variation ?? null,
    captures: watching.captures ?? null,
  };
  if (program.memoryIsInput === true) machine.memory.draw = memoryInputs(machine);
  if (compiled.mode.undefinedBehaviour === "stop")
    machine.memory.isMisaligned = (pointer, size, site) => isMisaligned(machine, pointer, size, site);
  prepareMachine(machine, options);
  return machine;
}

export function memoryLimit({ maxMemory = mostMemory }: RunOptions): number {
  return Math.min(maxMemory, mostMemory);
}

/** Resets all state but memory for the next run, and applies its `options`. */
export function prepareMachine(machine: Machine, options: RunOptions): void {
  const { inputs = [], maxSteps = 50_000_000 } = options;
  machine.counters.fill(0);
  machine.counters[1] = Math.min(maxSteps, stepsBetweenPolls);
  machine.polledSteps = 0;
  machine.limits = { maxSteps, cancellation: options.cancellation ?? neverCancelled };
  const { stdin, files, onOutput: sink, test } = options;
  const keeps = options.expected?.stdout !== undefined;
  machine.library.state = createLibraryState({ stdin, files, sink, keeps, test });
  machine.library.expected = options.expected ?? null;
  machine.inputSource = typeof inputs === "function" ? inputs : listedInputs(inputs);
  machine.inputs.length = 0;
  machine.chunks.length = 0;
  machine.library.currentCall = null;
}

export function entryArguments(
  machine: Machine,
  options: { readonly programName?: string | undefined; readonly args?: readonly string[] | undefined },
): ScalarValue[] {
  const { program } = machine;
  const entry = nth(program.functions, program.entry);
  const types = entry.parameters.map((id) => nth(program.variables, id).type);
  if (types.length === 0) return [];
  const shape = types.map((type) => (isScalar(type) ? type.kind : "other")).join(" ");
  if (!"int pointer pointer".startsWith(shape)) {
    throw new TracefoldError({
      code: "TF143",
      message: `${entry.name} cannot be the entry: its parameters are not those of main`,
      range: entry.range,
      help: "Write a function without parameters that calls it, with inputs as arguments.",
    });
  }
  const strings = [options.programName ?? "program", ...(options.args ?? [])].map((text) =>
    new TextEncoder().encode(text),
  );
  const pointers = strings.map((bytes, i) => placeString(machine, bytes, i));
  const values: ScalarValue[] = [strings.length, pointerArray(machine, pointers), pointerArray(machine, [])];
  return values.slice(0, types.length);
}

function placeString(machine: Machine, bytes: Uint8Array, index: number): number {
  const { memory } = machine;
  const base = takeBytes(memory, bytes.length + 1);
  memory.bytes.fill(0, base, base + bytes.length + 1);
  memory.bytes.set(bytes, base);
  return createObject(memory, base, bytes.length + 1, kindArgument, index);
}

/** Ends with a null pointer. */
function pointerArray(machine: Machine, pointers: readonly number[]): number {
  const { memory } = machine;
  const { pointerBytes } = memory;
  const size = (pointers.length + 1) * pointerBytes;
  const array = createObject(memory, takeBytes(memory, size), size, kindArgument, -1);
  [...pointers, 0].forEach((pointer, i) => {
    if (pointerBytes === 8) writeInt64(memory, array, i * 8, pointer, -1);
    else writePointer32(memory, array, i * 4, pointer, -1);
  });
  return array;
}

/** A machine for many runs. V8 folds the parts of a machine into the code of its program as long as there is only one. */
export type WarmMachine = {
  readonly machine: Machine;
  readonly running: RunningProgram;
  /** Resets everything for the next run, and applies its `options`. */
  prepare(options: RunOptions): void;
};

export function createWarmMachine(
  program: Program,
  options: RunOptions,
  compiled: CompiledProgram,
  watching: ReplayHooks = {},
): WarmMachine {
  return warmed(program, createMachine(program, options, compiled, watching), compiled);
}

function warmed(program: Program, machine: Machine, compiled: CompiledProgram): WarmMachine {
  const snapshot = takeSnapshot(machine.memory, staticLayoutOf(program).literals);
  const running = compiled.start(machine);
  let isFresh = true;
  return {
    machine,
    running,
    prepare(options) {
      if (!isFresh) restoreSnapshot(machine.memory, snapshot);
      isFresh = false;
      running.reset();
      prepareMachine(machine, options);
    },
  };
}

/** The machine of the last plain run of each program. */
const idle = new WeakMap<CompiledProgram, WarmMachine>();

const mostBytes = 2 ** 22;
const mostObjectFields = 2 ** 20;

function isSmall({ bytes, objects }: Memory): boolean {
  return bytes.length <= mostBytes && objects.length <= mostObjectFields;
}

/** Gives `work` a machine that is ready for a run without hooks; it may be that of an earlier run. */
export function withPlainMachine<Result>(
  program: Program,
  options: RunOptions,
  compiled: CompiledProgram,
  work: (machine: Machine, running: RunningProgram) => Result,
): Result {
  let warm = idle.get(compiled);
  // A run inside of this one needs another machine.
  idle.delete(compiled);
  if (warm === undefined || warm.machine.memory.maxBytes !== memoryLimit(options)) {
    const machine = createMachine(program, options, compiled, {});
    if (!isSmall(machine.memory)) return work(machine, compiled.start(machine));
    warm = warmed(program, machine, compiled);
  }
  warm.prepare(options);
  const result = work(warm.machine, warm.running);
  if (isSmall(warm.machine.memory)) idle.set(compiled, warm);
  return result;
}
