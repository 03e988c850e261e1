import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { FunctionId, Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { compileProgram, type RunningProgram } from "../compile/compileProgram.ts";
import type { CompileMode, ResumePoint } from "../compile/context.ts";
import { InputMissing, LimitReached, RunEnded } from "../control.ts";
import { createMachine, createWarmMachine, entryArguments, prepareMachine } from "../createMachine.ts";
import { unmetAtEnd, WrongOutput } from "../expected.ts";
import { countedSteps, type Machine } from "../machine.ts";
import { MemoryExhausted } from "../memory/memory.ts";
import { UnrepresentablePointer } from "../memory/pointerArithmetic.ts";
import { staticLayoutOf } from "../memory/staticLayout.ts";
import { UndefinedRun } from "../problem.ts";
import {
  collectLog,
  initialise,
  plainMode,
  type ReplayHooks,
  type RunOptions,
  type RunResult,
  runToEnd,
} from "../run.ts";
import { settingsOf, type Trace, traceOf } from "../trace.ts";
import { StopTracking } from "../track/tracker.ts";
import { type Checkpoint, createCapturing, restoreCheckpoint } from "./checkpoints.ts";
import { variedPlacesOf } from "./places.ts";
import { createInstanceLog, createVariation, type InstanceLog, type Variation } from "./variation.ts";

/** Runs one program repeatedly, warm, in one machine; `variation` defines the differences. */
export type Rerunner = {
  readonly variation: Variation;
  /** Resets the variation's counts, keeps its overrides, discards output. With `from` it begins there. */
  run(options: RunOptions & { readonly entry?: FunctionId }, from?: Checkpoint): Rerun;
};

export type Rerun = {
  /**
   * - `exit`: it ended on its own, with `code`; 0 where it is as was expected. - `failure`: an assertion, an error
   * location, an abort, undefined behaviour, an end that was not expected. - `limit`: a limit of steps, memory or
   * recursion. - `invalid`: it is no run of the program: an assumption was violated, or it wanted an input that there
   * is not.
   */
  readonly end: "exit" | "failure" | "limit" | "invalid";
  readonly code: number;
  /** True if undefined behaviour ended it. */
  readonly isUndefined: boolean;
  /** Blocks that were begun count as a whole. */
  readonly steps: number;
  /** How often the run passed the watched place. */
  readonly passed: number;
  /** The edge where it ended, if known. */
  readonly at: { readonly function: number; readonly edge: number } | null;
};

export type RerunMode = Pick<CompileMode, "undefinedBehaviour" | "watch" | "entries" | "resumes"> & {
  /** Bytes for the program's objects. They must be cleared after each run. */
  readonly maxMemory?: number;
};

export const defaultMaxMemory = 2 ** 24;

/** Programs with large arrays need more. */
function usualMemory(program: Program): number {
  const { variables } = staticLayoutOf(program);
  const statics = [...variables.values()].reduce((sum, { size }) => sum + size, 0);
  return Math.max(defaultMaxMemory, 2 * statics + 2 ** 20);
}

export function createRerunner(program: Program, mode: RerunMode): Rerunner {
  const compiled = compileProgram(program, { ...mode, record: false, writes: false, vary: true, hooks: null });
  const variation = createVariation();
  const watching: ReplayHooks = { variation };
  const limits = { maxMemory: mode.maxMemory ?? usualMemory(program) };
  const { machine, running, prepare } = createWarmMachine(program, limits, compiled, watching);
  return {
    variation,
    run(options, from) {
      const unheard = { ...options, onOutput: ignoreOutput };
      if (from === undefined) {
        prepare(unheard);
        const { numbers } = variation;
        numbers[0] = 0;
        numbers[2] = 0;
      } else {
        prepareMachine(machine, unheard);
        restoreCheckpoint(machine, running, from);
      }
      return rerun(machine, () =>
        from === undefined ? runFromStart(machine, running, options) : running.resume(from.frames),
      );
    },
  };
}

/** Runs `start`, which returns the result of the entry function, and classifies the end. */
export function rerun(machine: Machine, start: () => ScalarValue | undefined): Rerun {
  // The stacks of these errors are unused, and collecting them takes longer than a short run.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return exited(machine, null, Number(start() ?? 0) & 255);
  } catch (error) {
    return endOfRerun(machine, error);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

export function runFromStart(
  machine: Machine,
  running: RunningProgram,
  options: RunOptions & { readonly entry?: FunctionId },
): ScalarValue | undefined {
  const { program } = machine;
  initialise(machine, running);
  const entry = options.entry ?? program.entry;
  const passed = entry === program.entry ? entryArguments(machine, options) : [];
  return running.functions[entry]!(...passed);
}

function ignoreOutput(): void {}

function ended(
  machine: Machine,
  end: Rerun["end"],
  site: number | null,
  { code = 0, isUndefined = false }: { readonly code?: number; readonly isUndefined?: boolean } = {},
): Rerun {
  const place = site === null ? undefined : machine.sites[site];
  return {
    end,
    code,
    isUndefined,
    steps: countedSteps(machine),
    passed: machine.counters[4]!,
    at: place === undefined ? null : { function: place.function, edge: place.edge },
  };
}

/** The expectation decides whether the end is right; without one, the exit code does. */
function exited(machine: Machine, site: number | null, code: number): Rerun {
  const { expected, state } = machine.library;
  if (expected === null) return ended(machine, "exit", site, { code });
  return ended(machine, unmetAtEnd(expected, state, code) === null ? "exit" : "failure", site);
}

/** Classifies an error that ends a run; rethrows any other. */
export function endOfRerun(machine: Machine, error: unknown): Rerun {
  if (error instanceof RunEnded) {
    const { function: fn, edge } = nth(machine.sites, error.site);
    const { operation } = nth(nth(machine.program.functions, fn).edges, edge);
    const reason = operation.kind === "fail" ? operation.reason : "abort";
    if (reason === "exit") return exited(machine, error.site, error.code);
    return ended(machine, reason === "assumption" || reason === "unsupported" ? "invalid" : "failure", error.site);
  }
  if (error instanceof UndefinedRun) return ended(machine, "failure", error.site, { isUndefined: true });
  if (error instanceof WrongOutput) return ended(machine, "failure", error.site);
  if (error instanceof InputMissing) return ended(machine, "invalid", error.site);
  if (error instanceof LimitReached || error instanceof MemoryExhausted || isOfJavaScript(error)) {
    return ended(machine, "limit", null);
  }
  if (error instanceof StopTracking) return ended(machine, "limit", null);
  // An input that does not fit, or a pointer that no number holds: not the program's doing.
  if (error instanceof TracefoldError || error instanceof UnrepresentablePointer)
    return ended(machine, "invalid", null);
  throw error;
}

/** JavaScript's stack or an array cannot grow further. */
function isOfJavaScript(error: unknown): boolean {
  return error instanceof RangeError && /call stack|allocation failed/.test(error.message);
}

export type CheckpointedRun = {
  /** In the order of the run. */
  readonly checkpoints: readonly Checkpoint[];
  /** The `CompileMode.resumes` that the checkpoints need. */
  readonly points: readonly ResumePoint[];
  /** The run's instances from a step on. */
  readonly log: InstanceLog;
  readonly run: Pick<Rerun, "steps" | "passed"> & {
    /** Bytes that the run needed. */
    readonly memory: number;
    /** The maximum of active calls of functions that call others. */
    readonly depth: number;
  };
};

/** Shorter runs start from the beginning: copying memory takes as long. */
const leastSteps = 20_000;
/** At most this many checkpoints per run, fewer if they exceed the memory limit. */
const most = 32;
const maxSize = 2 ** 26;

/** Repeats a recorded run and keeps evenly spaced checkpoints; null if not worth it. */
export function checkpointsOf(
  trace: Trace,
  options: RunOptions,
  watch: CompileMode["watch"],
  limits: { readonly leastSteps?: number; readonly spacing?: number; readonly logsFrom?: number } = {},
): CheckpointedRun | null {
  const { program, settings, steps } = trace;
  // Inputs from uninitialised memory are drawn by the reader.
  if (steps < (limits.leastSteps ?? leastSteps) || program.memoryIsInput === true) return null;
  const { undefinedBehaviour } = settings;
  const mode = { undefinedBehaviour, record: false, writes: false, vary: true, captures: true, hooks: null };
  const compiled = compileProgram(program, watch === undefined ? mode : { ...mode, watch });
  const spacing = limits.spacing ?? Math.ceil(Math.min(steps, options.maxSteps ?? steps) / (most + 1));
  const captures = createCapturing(spacing, maxSize);
  const log = createInstanceLog(limits.logsFrom ?? 0, variedPlacesOf(program).list.length);
  const variation = { ...createVariation(log), measuresDepth: true };
  variation.numbers[3] = 0;
  const given = { ...options, onOutput: () => undefined };
  const machine = createMachine(program, given, compiled, { variation, captures });
  const running = compiled.start(machine);
  captures.begin(machine, running);
  const { steps: made, passed } = rerun(machine, () => runFromStart(machine, running, given));
  const run = { steps: made, passed, memory: machine.memory.top, depth: variation.numbers[3]! };
  return { checkpoints: captures.checkpoints, points: captures.points, log, run };
}

/** Runs one program repeatedly in one machine: thousands of short runs a second. Output is discarded. */
export type WarmRuns = {
  run(options: RunOptions): RunResult;
};

/** Like `WarmRuns`, with a record of each run. */
export type WarmRecorder = {
  record(options: RunOptions): Trace;
};

type WarmSettings = Pick<RunOptions, "undefinedBehaviour" | "maxMemory">;

export function createWarmRuns(program: Program, settings: WarmSettings): WarmRuns {
  const { run } = warmMachine(program, settings, false);
  return { run: (options) => run(options).result };
}

export function createWarmRecorder(program: Program, settings: WarmSettings): WarmRecorder {
  const { run, blocks } = warmMachine(program, settings, true);
  return {
    record(options) {
      const { result, paths } = run(options);
      return traceOf(program, blocks, paths, result, settingsOf({ ...options, ...settings }));
    },
  };
}

function warmMachine(program: Program, settings: WarmSettings, record: boolean) {
  const mode = { ...plainMode, undefinedBehaviour: settings.undefinedBehaviour ?? "stop", record };
  const compiled = compileProgram(program, mode);
  const { machine, running, prepare } = createWarmMachine(program, settings, compiled);
  const nothing = new Uint8Array(0);
  // The remains of such a run are unused.
  const unseen = { stdout: nothing, stderr: nothing, files: new Map(), outsidePaths: [], tests: [] };
  return {
    blocks: compiled.blocks,
    run(options: RunOptions) {
      prepare({ ...options, onOutput: ignoreOutput });
      // The stacks of these errors are unused, and collecting them takes longer than a short run.
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      try {
        const { outcome, steps } = runToEnd(machine, running, options);
        const result: RunResult = { outcome, steps, inputs: [...machine.inputs], ...unseen };
        return { result, paths: record ? collectLog(machine) : [] };
      } finally {
        Error.stackTraceLimit = limit;
      }
    },
  };
}
