import type { Program } from "../ir/program.ts";
import type { CompiledProgram, RunningProgram } from "./compile/compileProgram.ts";
import { createMachine, memoryLimit, prepareMachine } from "./createMachine.ts";
import type { Machine } from "./machine.ts";
import type { Memory } from "./memory/memory.ts";
import { restoreSnapshot, takeSnapshot } from "./memory/snapshot.ts";
import type { ReplayHooks, RunOptions } from "./run.ts";

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
  return warmed(createMachine(program, options, compiled, watching), compiled);
}

function warmed(machine: Machine, compiled: CompiledProgram): WarmMachine {
  const snapshot = takeSnapshot(machine.memory);
  const running = compiled.start(machine);
  return {
    machine,
    running,
    prepare(options) {
      restoreSnapshot(machine.memory, snapshot);
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
  if (warm !== undefined && warm.machine.memory.maxBytes === memoryLimit(options)) warm.prepare(options);
  else {
    const machine = createMachine(program, options, compiled, {});
    if (!isSmall(machine.memory)) return work(machine, compiled.start(machine));
    warm = warmed(machine, compiled);
  }
  const result = work(warm.machine, warm.running);
  if (isSmall(warm.machine.memory)) idle.set(compiled, warm);
  return result;
}
