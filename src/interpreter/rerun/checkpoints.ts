import { nth } from "../../base/checked.ts";
import { copyLibraryState, type LibraryState } from "../../c/library/host.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { RunningProgram } from "../compile/compileProgram.ts";
import type { ResumePoint, SavedFrame, SavedValue } from "../compile/context.ts";
import type { Machine, RecordedInput } from "../machine.ts";
import { copyMemory, type MemoryCopy, restoreMemory } from "../memory/snapshot.ts";

/** The checkpoints that a run keeps. */
export type Capturing = Captures & {
  readonly points: ResumePoint[];
  readonly checkpoints: Checkpoint[];
  /** Steps between two checkpoints. */
  spacing: number;
  /** Total bytes of the checkpoints, and their limit. */
  size: number;
  readonly maxSize: number;
  /** Starts keeping checkpoints, once the program exists. */
  begin(machine: Machine, running: RunningProgram): void;
};

export function createCapturing(spacing: number, maxSize: number): Capturing {
  let under: { readonly machine: Machine; readonly running: RunningProgram } | null = null;
  const capturing: Capturing = {
    callers: [],
    activations: 0,
    points: [],
    checkpoints: [],
    spacing,
    size: 0,
    maxSize,
    begin(machine, running) {
      under = { machine, running };
      machine.counters[1] = Math.min(machine.counters[1]!, spacing);
    },
    keep(fn, kind, at, activation, values) {
      const { machine, running } = under!;
      if (fn !== machine.program.initializer) {
        keepCheckpoint(capturing, machine, running, { function: fn, kind, at }, activation, values);
      }
      machine.counters[1] = Math.min(machine.counters[1]!, capturing.spacing);
    },
  };
  return capturing;
}

/** Deeper recursion is not kept: a resumed run may exhaust JavaScript's stack elsewhere. */
const maxFrames = 1000;

function keepCheckpoint(
  capturing: Capturing,
  machine: Machine,
  running: RunningProgram,
  point: ResumePoint,
  activation: number,
  values: readonly SavedValue[],
): void {
  const { callers } = capturing;
  const { numbers } = machine.variation!;
  if (callers.length > 4 * maxFrames) return;
  const library = copyLibraryState(machine.library.state);
  // If one copy takes half of the room, there is nothing to choose from.
  if (library === null || machine.memory.top > capturing.maxSize / 4) return;
  const memory = copyMemory(machine.memory);
  const frames: SavedFrame[] = [];
  for (let i = 0; i < callers.length; i += 4) {
    const [caller, edge, of, kept] = callers.slice(i, i + 4) as [number, number, number, readonly SavedValue[]];
    frames.push(savedFrame(capturing, { function: caller, kind: "call", at: edge }, of, kept));
  }
  frames.push(savedFrame(capturing, point, activation, values));
  const size = memory.size + frames.reduce((sum, frame) => sum + 40 + 8 * frame.values.length, 0);
  capturing.checkpoints.push({
    steps: machine.polledSteps,
    instances: numbers[0]!,
    passed: machine.counters[4]!,
    calls: numbers[2]!,
    // A function at its entry begins again.
    activations: point.kind === "entry" ? activation : capturing.activations,
    frames,
    statics: running.statics(),
    memory,
    library,
    inputs: machine.inputs,
    inputCount: machine.inputs.length,
    size,
  });
  capturing.size += size;
  while (capturing.size > capturing.maxSize) thinOut(capturing);
}

/** Drops every other checkpoint and doubles the spacing. */
function thinOut(capturing: Capturing): void {
  const { checkpoints } = capturing;
  const kept = checkpoints.filter((_, i) => i % 2 === 1);
  checkpoints.splice(0, checkpoints.length, ...kept);
  capturing.size = kept.reduce((sum, { size }) => sum + size, 0);
  capturing.spacing *= 2;
}

function savedFrame(
  { points }: Capturing,
  point: ResumePoint,
  activation: number,
  values: readonly SavedValue[],
): SavedFrame {
  let number = points.findIndex(
    ({ function: fn, kind, at }) => fn === point.function && kind === point.kind && at === point.at,
  );
  if (number === -1) number = points.push(point) - 1;
  // The list of `alloca` blocks may grow.
  return { point: number, activation, values: values.map((value) => (Array.isArray(value) ? [...value] : value)) };
}

/** The interface for code compiled with `mode.captures`. */
export type Captures = {
  /** Four entries per active call: function, edge, activation, values. */
  readonly callers: (number | readonly SavedValue[])[];
  activations: number;
  /** The run was just polled in this function, at its entry (`at` is -1) or at a location. */
  keep(fn: number, kind: "entry" | "location", at: number, activation: number, values: readonly SavedValue[]): void;
};

/** The full state of a run at one point: a re-run that differs only later may begin there. */
export type Checkpoint = {
  /** Steps begun; all but active calls are complete. */
  readonly steps: number;
  /** Counts so far: instances of conditions and values, passes of the watched place, active calls. */
  readonly instances: number;
  readonly passed: number;
  readonly calls: number;
  readonly activations: number;
  /** The entry function first. */
  readonly frames: readonly SavedFrame[];
  readonly statics: readonly ScalarValue[];
  readonly memory: MemoryCopy;
  readonly library: LibraryState;
  /** The first `inputCount` of these had been read. */
  readonly inputs: readonly RecordedInput[];
  readonly inputCount: number;
  /** Approximate bytes. */
  readonly size: number;
};

/** The machine is prepared for a run; it continues here instead of at the beginning. */
export function restoreCheckpoint(machine: Machine, running: RunningProgram, from: Checkpoint): void {
  restoreMemory(machine.memory, from.memory);
  running.restore(from.statics);
  machine.library.state = copyLibraryState(from.library)!;
  for (let i = 0; i < from.inputCount; i++) machine.inputs.push(nth(from.inputs, i));
  machine.polledSteps = from.steps;
  machine.counters[1] = Math.min(machine.limits.maxSteps - from.steps, machine.counters[1]!);
  const { numbers } = machine.variation!;
  numbers[0] = from.instances;
  machine.counters[4] = from.passed;
  numbers[2] = from.calls;
  const { tracker } = machine;
  if (tracker === null) return;
  tracker.step = from.steps - 1;
  tracker.activations = from.activations;
}
