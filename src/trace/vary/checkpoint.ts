import { copyLibraryState, type LibraryState } from "../../c/library/host.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { RunningProgram } from "../compile/compileProgram.ts";
import type { SavedFrame } from "../compile/mode.ts";
import type { Machine, RecordedInput } from "../machine.ts";
import { type MemoryCopy, restoreMemory } from "../memory/memoryCopy.ts";

/** All of a run at one point of it: a re-run that does nothing different before may begin there. */
export type Checkpoint = {
  /** Steps that have been begun; all but calls under way are complete. */
  readonly steps: number;
  /** Instances of conditions and values so far, how often the run got past the watched place, calls under way. */
  readonly instances: number;
  readonly passed: number;
  readonly calls: number;
  /** Activations so far. */
  readonly activations: number;
  /** The entry function first. */
  readonly frames: readonly SavedFrame[];
  readonly statics: readonly ScalarValue[];
  readonly memory: MemoryCopy;
  readonly library: LibraryState;
  /** The first `inputCount` of these had been read. */
  readonly inputs: readonly RecordedInput[];
  readonly inputCount: number;
  /** Bytes, about. */
  readonly size: number;
};

/** The machine is prepared for a run; it goes on here instead of at the beginning. */
export function restoreCheckpoint(machine: Machine, running: RunningProgram, from: Checkpoint): void {
  restoreMemory(machine.memory, from.memory);
  running.restore(from.statics);
  machine.library.state = copyLibraryState(from.library)!;
  for (let i = 0; i < from.inputCount; i++) machine.inputs.push(from.inputs[i]!);
  machine.polledSteps = from.steps;
  machine.counters[1] = Math.min(machine.limits.maxSteps - from.steps, machine.counters[1]!);
  const { numbers } = machine.variation!;
  numbers[0] = from.instances;
  numbers[3] = from.passed;
  numbers[4] = from.calls;
  const { tracker } = machine;
  if (tracker === null) return;
  tracker.step = from.steps - 1;
  tracker.activations = from.activations;
}
