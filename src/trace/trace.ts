import type { Program } from "../ir/program.ts";
import type { Blocks } from "./blocks.ts";
import type { RecordedInput } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import { execute, plainMode, type RunOptions } from "./run.ts";

/**
 * A recorded run: the blocks it executed, in order, and all it takes to execute it again. Everything else (values, call
 * depth, loop iterations) is found on demand, by walking the blocks (`stepCursor`) or by running once more with the
 * same inputs (`observe`, `replayWrites`).
 */
export type Trace = {
  readonly program: Program;
  readonly blocks: Blocks;
  /** Ids of executed blocks; chunks of equal length, the last one shorter. */
  readonly log: readonly Int32Array[];
  /** Completed edges; all blocks of the log are complete but the last. */
  readonly steps: number;
  readonly inputs: readonly RecordedInput[];
  readonly outcome: Outcome;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly settings: ReplaySettings;
};

/** What a run depends on besides program and inputs. */
export type ReplaySettings = {
  readonly args: readonly string[];
  readonly programName: string | null;
  readonly stdin: Uint8Array;
  readonly undefinedBehaviour: "stop" | "wrap";
  readonly maxSteps: number;
  readonly maxMemory: number;
};

export const defaultMaxSteps = 50_000_000;
export const defaultMaxMemory = 2 ** 30;

export function recordTrace(program: Program, options: RunOptions = {}): Trace {
  const settings: ReplaySettings = {
    args: options.args ?? [],
    programName: options.programName ?? null,
    stdin: options.stdin ?? new Uint8Array(0),
    undefinedBehaviour: options.undefinedBehaviour ?? "stop",
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    maxMemory: options.maxMemory ?? defaultMaxMemory,
  };
  const mode = { ...plainMode, undefinedBehaviour: settings.undefinedBehaviour, record: true };
  const { result, compiled, chunks } = execute(program, options, mode);
  const { outcome, steps, inputs, stdout, stderr } = result;
  return { program, blocks: compiled.blocks, log: chunks, steps, inputs, outcome, stdout, stderr, settings };
}
