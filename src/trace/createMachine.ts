import { neverCancelled } from "../base/cancellation.ts";
import { createLibraryState } from "../c/library/host.ts";
import type { Program } from "../ir/program.ts";
import type { CompiledProgram } from "./compile/compileProgram.ts";
import { stepsBetweenPolls } from "./control.ts";
import { listedInputs } from "./inputs.ts";
import { createLibraryHost } from "./libraryHost.ts";
import { logChunkSize, type Machine } from "./machine.ts";
import { createProgramMemory } from "./memory/staticLayout.ts";
import { memoryInputs } from "./memoryInputs.ts";
import type { RunOptions, Watching } from "./runOptions.ts";

/** The state of a run that has not begun. */
export function createMachine(
  program: Program,
  options: RunOptions,
  compiled: CompiledProgram,
  watching: Watching,
): Machine {
  const parts = {
    program,
    sites: compiled.sites,
    memory: createProgramMemory(program, options.maxMemory ?? 2 ** 30),
    writer: watching.writer ?? null,
    tracker: watching.tracker ?? null,
  };
  const machine: Machine = {
    ...parts,
    counters: new Int32Array(4),
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
  prepareMachine(machine, options);
  return machine;
}

/** All that one run leaves behind is as before the first, memory apart; `options` say what the next one is given. */
export function prepareMachine(machine: Machine, options: RunOptions): void {
  const { inputs = [], maxSteps = 50_000_000 } = options;
  machine.counters.fill(0);
  machine.counters[1] = Math.min(maxSteps, stepsBetweenPolls);
  machine.polledSteps = 0;
  machine.limits = { maxSteps, cancellation: options.cancellation ?? neverCancelled };
  const { stdin, files, onOutput: sink } = options;
  machine.library.state = createLibraryState({ stdin, files, sink, keeps: options.expected?.stdout !== undefined });
  machine.library.expected = options.expected ?? null;
  machine.inputSource = typeof inputs === "function" ? inputs : listedInputs(inputs);
  machine.inputs.length = 0;
  machine.chunks.length = 0;
  machine.library.underWay = null;
}
