import { type FileSource, noFiles } from "../c/library/files.ts";
import type { Program } from "../ir/program.ts";
import type { Blocks } from "./blocks.ts";
import { expandPaths } from "./expandPaths.ts";
import type { Expected } from "./expected.ts";
import type { RecordedInput } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import { execute, plainMode, type RunResult } from "./run.ts";
import type { RunOptions } from "./runOptions.ts";

/**
 * A recorded run: the paths it took, in order, and all it takes to execute it again. Everything else (values, call
 * depth, loop iterations) is found on demand, by walking the blocks (`stepCursor`) or by running once more with the
 * same inputs (`observe`, `replayWrites`).
 */
export type Trace = {
  readonly program: Program;
  readonly blocks: Blocks;
  /** Numbers of the paths taken, as they were recorded; the last one or two may go on behind the end of the run. */
  readonly paths: readonly Int32Array[];
  /** Ids of executed blocks, in chunks; made from `paths` when first asked for. */
  readonly log: readonly Int32Array[];
  /** Completed edges; all blocks of the log are complete but perhaps the last. */
  readonly steps: number;
  readonly inputs: readonly RecordedInput[];
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  readonly outsidePaths: readonly string[];
  readonly settings: ReplaySettings;
};

/** What a run depends on besides program and inputs. */
export type ReplaySettings = {
  readonly args: readonly string[];
  readonly programName: string | null;
  readonly stdin: Uint8Array;
  readonly files: FileSource;
  readonly expected: Expected | null;
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

export function settingsOf(options: RunOptions): ReplaySettings {
  return {
    args: options.args ?? [],
    programName: options.programName ?? null,
    stdin: options.stdin ?? new Uint8Array(0),
    files: options.files ?? noFiles,
    expected: options.expected ?? null,
    undefinedBehaviour: options.undefinedBehaviour ?? "stop",
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    maxMemory: options.maxMemory ?? defaultMaxMemory,
  };
}

export function traceOf(
  program: Program,
  blocks: Blocks,
  paths: readonly Int32Array[],
  result: RunResult,
  settings: ReplaySettings,
): Trace {
  let log: readonly Int32Array[] | undefined;
  return {
    program,
    blocks,
    paths,
    get log() {
      log ??= expandPaths(program, paths, result.steps);
      return log;
    },
    ...result,
    settings,
  };
}
