import { compileProgram } from "../compile/compileProgram.ts";
import type { ResumePoint } from "../compile/context.ts";
import { createMachine } from "../createMachine.ts";
import type { RunOptions } from "../run.ts";
import type { Trace } from "../trace.ts";
import { createTracker, type DependenceTracker } from "../track/tracker.ts";
import { type Checkpoint, restoreCheckpoint } from "./checkpoints.ts";
import { variedPlacesOf } from "./places.ts";
import { rerun, runFromStart } from "./rerun.ts";
import { createInstanceLog, createVariation, type InstanceLog, type Variation } from "./variation.ts";

/** Re-runs that also track writers, or log instances. Much slower than those of a `Rerunner`. */
export type TrackedRerunner = {
  /** The unchanged run: its instances from step `from` on. */
  logInstances(from: number): InstanceLog;
  /** Negates one instance's condition at step `step`; tracks the steps that it controls, at most `maxSteps`. */
  trackFlip(instance: number, step: number, maxSteps: number, from?: Checkpoint): DependenceTracker;
};

/** `resumes` are the points of the checkpoints to begin from. */
export function createTrackedRerunner(trace: Trace, resumes: readonly ResumePoint[] = []): TrackedRerunner {
  const { program, settings } = trace;
  const { undefinedBehaviour } = settings;
  const mode = { undefinedBehaviour, record: false, writes: false, dependence: true, vary: true, resumes, hooks: null };
  const compiled = compileProgram(program, mode);
  const options: RunOptions = { ...rerunOptions(trace), onOutput: () => {} };
  // However the run ends, its steps so far are recorded.
  const run = (tracker: DependenceTracker, variation: Variation, from?: Checkpoint): void => {
    const machine = createMachine(program, options, compiled, { tracker, variation });
    const running = compiled.start(machine);
    if (from !== undefined) restoreCheckpoint(machine, running, from);
    rerun(machine, () => (from === undefined ? runFromStart(machine, running, options) : running.resume(from.frames)));
  };
  return {
    logInstances(from) {
      const log = createInstanceLog(from, variedPlacesOf(program).list.length);
      run(createTracker(trace.steps + 1, 1), createVariation(log));
      return log;
    },
    trackFlip(instance, step, maxSteps, from) {
      const tracker = createTracker(step, maxSteps, true);
      const variation = createVariation();
      variation.numbers[1] = instance;
      run(tracker, variation, from);
      return tracker;
    },
  };
}

export function rerunOptions({ settings, inputs }: Trace): RunOptions {
  return {
    inputs: inputs.map(({ value }) => value),
    args: settings.args,
    ...(settings.programName === null ? {} : { programName: settings.programName }),
    stdin: settings.stdin,
    files: settings.files,
    ...(settings.expected === null ? {} : { expected: settings.expected }),
    ...(settings.test === null ? {} : { test: settings.test }),
    undefinedBehaviour: settings.undefinedBehaviour,
    maxSteps: settings.maxSteps,
    maxMemory: settings.maxMemory,
  };
}
