import { compileProgram } from "../compile/compileProgram.ts";
import type { CompileMode, ResumePoint } from "../compile/mode.ts";
import { createMachine } from "../createMachine.ts";
import type { RunOptions } from "../runOptions.ts";
import type { Trace } from "../trace.ts";
import { createCapturing } from "./captureRun.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { variedPlacesOf } from "./places.ts";
import { type Rerun, rerun, runFromStart } from "./rerun.ts";
import { createInstanceLog, createVariation, type InstanceLog } from "./variation.ts";

/** A run once more, and its state now and then. */
export type CheckpointedRun = {
  /** In the order of the run. */
  readonly checkpoints: readonly Checkpoint[];
  /** What `CompileMode.resumes` has to have for them. */
  readonly points: readonly ResumePoint[];
  /** The instances of the run from a step on. */
  readonly log: InstanceLog;
  readonly run: Pick<Rerun, "steps" | "passed"> & {
    /** Bytes that it needed. */
    readonly memory: number;
    /** Calls under way of functions that call others, at most. */
    readonly depth: number;
  };
};

/** Runs of fewer steps are run from their beginning: copying memory takes as long. */
const leastSteps = 20_000;
/** A run has so many checkpoints, or fewer where they would take more than so many bytes. */
const most = 32;
const maxSize = 2 ** 26;

/** Runs a recorded run once more and keeps its state now and then, evenly spaced; null where that is not worth it. */
export function checkpointsOf(
  trace: Trace,
  options: RunOptions,
  watch: CompileMode["watch"],
  limits: { readonly leastSteps?: number; readonly spacing?: number; readonly logsFrom?: number } = {},
): CheckpointedRun | null {
  const { program, settings, steps } = trace;
  // Inputs that memory is drawn from are asked for by whoever reads it.
  if (steps < (limits.leastSteps ?? leastSteps) || program.memoryIsInput === true) return null;
  const { undefinedBehaviour } = settings;
  const mode = { undefinedBehaviour, record: false, writes: false, vary: true, captures: true, hooks: null };
  const compiled = compileProgram(program, watch === undefined ? mode : { ...mode, watch });
  const spacing = limits.spacing ?? Math.ceil(Math.min(steps, options.maxSteps ?? steps) / (most + 1));
  const captures = createCapturing(spacing, maxSize);
  const log = createInstanceLog(limits.logsFrom ?? 0, variedPlacesOf(program).list.length);
  const variation = { ...createVariation(log), measuresDepth: true };
  variation.numbers[5] = 0;
  const given = { ...options, onOutput: () => undefined };
  const machine = createMachine(program, given, compiled, { variation, captures });
  const running = compiled.start(machine);
  captures.begin(machine, running);
  const { steps: made, passed } = rerun(machine, () => runFromStart(machine, running, given));
  const run = { steps: made, passed, memory: machine.memory.top, depth: variation.numbers[5]! };
  return { checkpoints: captures.checkpoints, points: captures.points, log, run };
}
