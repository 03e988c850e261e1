import type { Cancellation } from "../base/cancellation.ts";
import type { Host, LibraryState } from "../c/library/host.ts";
import type { Expression } from "../ir/expression.ts";
import type { EdgeId, FunctionId, Program } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import type { Expected } from "./expected.ts";
import type { InputSource, InputValue } from "./inputs.ts";
import type { Memory } from "./memory/memory.ts";
import type { Captures } from "./rerun/checkpoints.ts";
import type { Variation } from "./rerun/variation.ts";
import type { DependenceTracker } from "./track/tracker.ts";

/** The state of one run that generated code and library share. */
export type Machine = {
  readonly program: Program;
  readonly sites: readonly TrapSite[];
  readonly memory: Memory;
  /**
   * What generated code counts, in one small array that stays in reach: `[0]` steps since the last poll, `[1]` how many
   * of them call for the next poll, `[2]` entries of `log` in use, `[3]` the path that was under way when the run ended, or 0.
   */
  readonly counters: Int32Array;
  /** Steps up to the last poll. */
  polledSteps: number;
  limits: RunLimits;
  /** What the C library sees of this machine, with what it keeps between calls. */
  readonly library: CallingHost;
  inputSource: InputSource;
  readonly inputs: RecordedInput[];
  /** In a replay what the run read, which is read again; else empty. */
  readonly recordedInputs: readonly RecordedInput[];
  /** The chunk of the path log that is being filled, and copies of those that were full. */
  readonly log: Int32Array;
  readonly chunks: Int32Array[];
  /** For each signature and function, whether a call fits: 0 unknown, 1 yes, 2 no. */
  readonly callFits: Uint8Array;
  readonly signatures: readonly string[];
  /** Where hooks copy the registers of the current function. */
  readonly frame: (ScalarValue | undefined)[];
  readonly observer: ((hook: number, step: number) => void) | null;
  readonly writer: WriteVisitor | null;
  readonly tracker: DependenceTracker | null;
  readonly variation: Variation | null;
  readonly captures: Captures | null;
};

/** Steps counted so far; blocks are counted when they begin. */
export function countedSteps(machine: Machine): number {
  return machine.polledSteps + machine.counters[0]!;
}

export type RunLimits = {
  readonly maxSteps: number;
  readonly cancellation: Cancellation;
};

/** Entries of one chunk of the path log: small enough for the cache of a core. */
export const logChunkSize = 16384;

export type RecordedInput = {
  readonly value: InputValue;
  readonly source: string;
  readonly function: FunctionId;
  readonly edge: EdgeId;
  /** The step that read it. */
  readonly step: number;
};

/** Receives what a replay writes, in order. */
export type WriteVisitor = {
  /** `edge` is -1 for the parameters of a call, which `step` is. */
  register(step: number, fn: FunctionId, edge: EdgeId, variable: number, value: ScalarValue | undefined): void;
  /** `value` is undefined when bytes were written rather than one scalar. */
  memory(
    step: number,
    fn: FunctionId,
    edge: EdgeId,
    pointer: number,
    size: number,
    value: ScalarValue | undefined,
  ): void;
};

/** The interpreter as the C library sees it. */
export type CallingHost = Omit<Host, "state"> & {
  /** Of one run. */
  state: LibraryState;
  /** Where the call is: set by generated code before each one. */
  site: number;
  /** What the program has to print; null for anything. */
  expected: Expected | null;
  /** The call that is under way, where writes are reported. */
  underWay: { readonly function: FunctionId; readonly edge: EdgeId; readonly step: number } | null;
};

/** A place in generated code where a run may end. */
export type TrapSite = {
  readonly function: FunctionId;
  readonly edge: EdgeId;
  /** The expression whose evaluation fails; null for the operation itself. */
  readonly expression: Expression | null;
  /** Edges of the block from this one on: they were counted when the block began and are not executed. */
  readonly remaining: number;
};
