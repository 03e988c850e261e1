import { type FileSource, noFiles } from "../c/library/files.ts";
import type { Program } from "../ir/program.ts";
import type { CompileMode } from "./compile/context.ts";
import type { Expected } from "./expected.ts";
import type { RecordedInput, WriteVisitor } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import { type Blocks, expandPaths } from "./paths.ts";
import {
  type Execution,
  execute,
  plainMode,
  type ReplayHooks,
  type RunOptions,
  type RunResult,
  StopReplay,
} from "./run.ts";

/**
 * A recorded run: its paths, in order, and all that is needed to execute it again. Everything else (values, call depth,
 * iterations) is computed on demand, by walking the blocks (`stepCursor`) or by a replay (`observe`, `replayWrites`).
 */
export type Trace = {
  readonly program: Program;
  readonly blocks: Blocks;
  /** Numbers of the recorded paths; the last one or two may extend past the end of the run. */
  readonly paths: readonly Int32Array[];
  /** Ids of executed blocks, in chunks; computed from `paths` on demand. */
  readonly log: readonly Int32Array[];
  /** Completed edges; all blocks of the log but perhaps the last are complete. */
  readonly steps: number;
  readonly inputs: readonly RecordedInput[];
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  readonly outsidePaths: readonly string[];
  readonly tests: readonly string[];
  readonly settings: ReplaySettings;
};

/** What a run depends on besides program and inputs. */
export type ReplaySettings = {
  readonly args: readonly string[];
  readonly programName: string | null;
  readonly stdin: Uint8Array;
  readonly files: FileSource;
  readonly expected: Expected | null;
  readonly test: string | null;
  readonly undefinedBehaviour: "stop" | "wrap";
  readonly maxSteps: number;
  readonly maxMemory: number;
};

export const defaultMaxSteps = 50_000_000;
const defaultMaxMemory = 2 ** 30;

export function recordTrace(program: Program, options: RunOptions = {}): Trace {
  const settings = settingsOf(options);
  const mode = { ...plainMode, undefinedBehaviour: settings.undefinedBehaviour, record: true };
  const { result, compiled, paths } = execute(program, options, mode);
  return traceOf(program, compiled.blocks, paths, result, settings);
}

/** The same for long runs, which take less time and memory without a record: it is made if it is asked for. */
export function runTrace(program: Program, options: RunOptions = {}): Trace {
  const settings = settingsOf(options);
  const { result, compiled } = execute(program, options, {
    ...plainMode,
    undefinedBehaviour: settings.undefinedBehaviour,
  });
  const record = () => replay({ program, ...result, settings }, { ...plainMode, record: true }).paths;
  return traceOf(program, compiled.blocks, record, result, settings);
}

export function settingsOf(options: RunOptions): ReplaySettings {
  return {
    args: options.args ?? [],
    programName: options.programName ?? null,
    stdin: options.stdin ?? new Uint8Array(0),
    files: options.files ?? noFiles,
    expected: options.expected ?? null,
    test: options.test ?? null,
    undefinedBehaviour: options.undefinedBehaviour ?? "stop",
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    maxMemory: options.maxMemory ?? defaultMaxMemory,
  };
}

export function traceOf(
  program: Program,
  blocks: Blocks,
  paths: readonly Int32Array[] | (() => readonly Int32Array[]),
  result: RunResult,
  settings: ReplaySettings,
): Trace {
  let known = typeof paths === "function" ? null : paths;
  let log: readonly Int32Array[] | undefined;
  return {
    program,
    blocks,
    get paths() {
      known ??= typeof paths === "function" ? paths() : paths;
      return known;
    },
    get log() {
      log ??= expandPaths(program, this.paths, result.steps);
      return log;
    },
    ...result,
    settings,
  };
}

/** Replays a trace, bit for bit. Time limits do not apply; a run that one ended, ends at the same step. */
export function replay(
  trace: Pick<Trace, "program" | "steps" | "inputs" | "outcome" | "settings">,
  mode: Omit<CompileMode, "undefinedBehaviour">,
  watching: ReplayHooks = {},
): Execution {
  const { settings, outcome } = trace;
  const cutShort = outcome.kind === "limit" && outcome.limit !== "steps" && outcome.limit !== "memory";
  const options: RunOptions = {
    args: settings.args,
    ...(settings.programName === null ? {} : { programName: settings.programName }),
    stdin: settings.stdin,
    files: settings.files,
    ...(settings.expected === null ? {} : { expected: settings.expected }),
    ...(settings.test === null ? {} : { test: settings.test }),
    maxSteps: cutShort ? trace.steps - 1 : settings.maxSteps,
    maxMemory: settings.maxMemory,
  };
  return execute(
    trace.program,
    options,
    { ...mode, undefinedBehaviour: settings.undefinedBehaviour },
    { ...watching, inputs: trace.inputs },
  );
}

/** All that a run would have printed that ended at the first wrong byte. */
export function wholeOutput({ program, steps, inputs, outcome, settings }: Trace): Uint8Array {
  const free = { ...settings, expected: null, maxSteps: 2 * steps + someSteps };
  return replay({ program, steps, inputs, outcome, settings: free }, plainMode).result.stdout;
}

const someSteps = 100_000;

/**
 * The writes of the steps from `from` up to but not including `to`, in order. A step writes a register, a scalar in
 * memory, or bytes (struct assignment, library functions); a call writes the callee's parameters, a return the caller's
 * target.
 */
export function replayWrites(trace: Trace, from: number, to: number, visitor: WriteVisitor): void {
  const end = Math.min(to, trace.steps);
  replay(
    trace,
    { record: false, writes: true, hooks: null },
    {
      writer: {
        register(step, ...rest) {
          if (step >= end) throw new StopReplay();
          if (step >= from) visitor.register(step, ...rest);
        },
        memory(step, ...rest) {
          if (step >= end) throw new StopReplay();
          if (step >= from) visitor.memory(step, ...rest);
        },
      },
    },
  );
}
