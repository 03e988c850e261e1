import type { Cancellation } from "../base/cancellation.ts";
import type { FileSource } from "../c/library/files.ts";
import type { RunningProgram } from "./compile/compileProgram.ts";
import type { DependenceTracker } from "./dependence/tracker.ts";
import type { Expected } from "./expected.ts";
import type { InputSource, InputValue } from "./inputs.ts";
import type { Machine, RecordedInput, WriteVisitor } from "./machine.ts";
import type { Captures } from "./vary/captures.ts";
import type { Variation } from "./vary/variation.ts";

export type RunOptions = {
  /** Values for nondeterministic reads: a list, or a source such as `randomInputs(seed)`. Default: none. */
  readonly inputs?: readonly InputValue[] | InputSource;
  /** The program's own arguments, without its name. */
  readonly args?: readonly string[];
  /** `argv[0]`. */
  readonly programName?: string;
  readonly stdin?: Uint8Array;
  /** What signed overflow does; see `CompileMode`. */
  readonly undefinedBehaviour?: "stop" | "wrap";
  /** Default 50 million. */
  readonly maxSteps?: number;
  /** Bytes for the program's objects; default 1 GiB. */
  readonly maxMemory?: number;
  /** The run ends when it is no longer wanted. */
  readonly cancellation?: Cancellation;
  /** The files that the program finds. Default: none. */
  readonly files?: FileSource;
  /** What it has to print and end with. Default: anything. */
  readonly expected?: Expected;
  /** Receives standard output while the program runs; `RunResult.stdout` is then empty. */
  readonly onOutput?: (bytes: Uint8Array) => void;
};

/** What a replay adds to a run. */
export type Watching = {
  /** What the run read: it fits, and is read again as it is. */
  readonly inputs?: readonly RecordedInput[];
  /** Called before the first step. */
  readonly begin?: (machine: Machine, running: RunningProgram) => void;
  readonly observer?: (hook: number, step: number) => void;
  readonly writer?: WriteVisitor;
  readonly tracker?: DependenceTracker;
  readonly variation?: Variation;
  readonly captures?: Captures;
};
