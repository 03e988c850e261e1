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

/** The state of one run, shared by generated code and library. */
export type Machine = {
  readonly program: Program;
  readonly sites: readonly TrapSite[];
  readonly memory: Memory;
  /**
   * Counters of generated code in one small array: `[0]` steps since the last poll, `[1]` the number of them that
   * triggers the next poll, `[2]` used entries of `log`, `[3]` the unfinished path when the run ended, or 0.
   */
  readonly counters: Int32Array;
  /** Steps up to the last poll. */
  polledSteps: number;
  limits: RunLimits;
  /** The machine as the C library sees it. */
  readonly library: CallingHost;
  inputSource: InputSource;
  readonly inputs: RecordedInput[];
  /** In a replay the inputs to read again; else empty. */
  readonly recordedInputs: readonly RecordedInput[];
  /** The current chunk of the path log, and copies of the full ones. */
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

/** Steps counted so far; a block is counted when it begins. */
export function countedSteps(machine: Machine): number {
  return machine.polledSteps + machine.counters[0]!;
}

export type RunLimits = {
  readonly maxSteps: number;
  readonly cancellation: Cancellation;
};

/** Entries of one chunk of the path log: small enough for a core's cache. */
export const logChunkSize = 16384;

export type RecordedInput = {
  readonly value: InputValue;
  readonly source: string;
  readonly function: FunctionId;
  readonly edge: EdgeId;
  readonly step: number;
};

/** Receives the writes of a replay, in order. */
export type WriteVisitor = {
  /** `edge` is -1 for the parameters of the call at `step`. */
  register(step: number, fn: FunctionId, edge: EdgeId, variable: number, value: ScalarValue | undefined): void;
  /** `value` is undefined if bytes rather than one scalar were written. */
  memory(
    step: number,
    fn: FunctionId,
    edge: EdgeId,
    pointer: number,
    size: number,
    value: ScalarValue | undefined,
  ): void;
};

/** What the C library needs of a machine. */
export type LibraryParts = Pick<Machine, "program" | "sites" | "memory" | "writer" | "tracker">;

/** The interpreter as the C library sees it. */
export type CallingHost = Omit<Host, "state"> & {
  readonly parts: LibraryParts;
  state: LibraryState;
  /** The site of the call, set by generated code before each one. */
  site: number;
  expected: Expected | null;
  /** The current call, if writes are reported. */
  currentCall: { readonly function: FunctionId; readonly edge: EdgeId; readonly step: number } | null;
};

/** A place in generated code where a run may end. */
export type TrapSite = {
  readonly function: FunctionId;
  readonly edge: EdgeId;
  /** The expression that fails; null for the operation itself. */
  readonly expression: Expression | null;
  /** Edges of the block from this one on: counted when the block began, but not executed. */
  readonly remaining: number;
};
