import type { RecordedInput } from "../interpreter/machine.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import type { StepCursor } from "../interpreter/stepCursor.ts";
import type { Loop } from "../ir/loops.ts";
import type { Edge, Function, LocationId, Program } from "../ir/program.ts";
import type { Assignment, Value } from "../logic/evaluate.ts";
import type { Term } from "../logic/term.ts";
import type { CallEdge, InlinedNode } from "../symbolic/followEdge.ts";
import type { RecordedCall, RecordedPlace } from "../symbolic/library/libraryCall.ts";
import type { FrameId, SymbolicObject, Symbols } from "../symbolic/symbols.ts";

/**
 * A recorded run as symbolic work sees it, whoever recorded it: its steps, the frames and loops that they belong to, and
 * values of the program's places on the way, which are found by running once more. `runOf` makes one of a trace.
 */
export type Run = {
  readonly program: Program;
  /** How many steps it took. */
  readonly steps: number;
  readonly outcome: Outcome;
  readonly inputs: readonly RecordedInput[];
  readonly undefinedBehaviour: "stop" | "wrap";
  readonly argumentCount: number;
  /** The steps `from .. to - 1`, and the frames that are live before the first of them. */
  between(from: number, to: number): RunSteps;
  /** All steps, without an object for each. */
  walk(): StepCursor;
  /** The outermost loop activations that begin in a part of the run, in order; arrivals at or after its end do not count. */
  activations(query: ActivationQuery): readonly Activation[];
  /** Values of terms at chosen arrivals before a step. One list per point. */
  sample(symbols: Symbols, points: readonly SamplePoint[], until: number): readonly (readonly Sample[])[];
  /** The values of places right before a step, for `use` alone; null where the run does not come there. */
  valuesAt<Result>(symbols: Symbols, at: RunPoint, use: (assignment: Assignment) => Result): Result | null;
  /** The objects that addresses over places point into there; null for null and for what dangles. */
  objectsAt(symbols: Symbols, at: RunPoint, addresses: readonly Term[]): readonly (SymbolicObject | null)[];
  /** The target of an address there; null for a null pointer. */
  placeAt(symbols: Symbols, at: RunPoint, address: Term): RecordedPlace | null;
  /** The effect of the library call at a step; undefined if there is none. */
  libraryCall(step: number): RecordedCall | undefined;
  /** The reason why the run's last operation is undefined, if no value shows it. */
  event(): RunEvent | null;
};

/** One step of a recorded run. */
export type TraceStep = {
  readonly step: number;
  readonly edge: Edge;
  /** For a call, and for the return of the program's initialisation: the activation that begins. */
  readonly entered?: LiveFrame;
};

export type RunSteps = { readonly steps: readonly TraceStep[]; readonly stack: readonly LiveFrame[] };

/** An activation that has not returned; `call` is the edge of the caller that entered it, null at the bottom. */
export type LiveFrame = { readonly frame: FrameId; readonly function: Function; readonly call: CallEdge | null };

/** A point of the run: right before a step, with the frames that are live there. */
export type RunPoint = {
  readonly step: number;
  readonly location: LocationId;
  readonly stack: readonly LiveFrame[];
};

/**
 * One activation of a natural loop in one frame: from the first arrival at its head to the last. `visits` are the
 * numbers of the steps that come right after each arrival.
 */
export type Activation = {
  readonly frame: FrameId;
  readonly function: Function;
  readonly loop: Loop;
  readonly visits: readonly number[];
  /** The step before which the loop was left, or the part that was searched ended. */
  readonly end: number;
  /** The frames that were live, this one last. */
  readonly stack: readonly LiveFrame[];
};

export type ActivationQuery = {
  readonly from: number;
  readonly to: number;
  /** Loops that are looked through: what is inside of them counts as outermost. */
  isTransparent(frame: FrameId, loop: Loop): boolean;
};

/** A point of the program at which values are wanted, in a certain frame. */
export type SamplePoint = {
  /** In a frame of `stack`, or in one that is called from its top (`context`). */
  readonly node: InlinedNode;
  /** The recorded frames that are live, bottom first; the node's own, or that of its outermost caller, is the last. */
  readonly stack: readonly LiveFrame[];
  readonly terms: readonly Term[];
  /** Is the arrival right before this step wanted? */
  wanted(step: number): boolean;
};

export type Sample = { readonly step: number; readonly values: readonly (Value | null)[] };

/**
 * Something that happened on a run and that no value says: a variable lost its value, a block was freed. The logic knows it
 * as a condition that a step makes true, as observed on the run. Branches that went past what would have ended it keep it.
 */
export type RunEvent = {
  /** `uninitialised(fee)`: how the condition is called. */
  readonly name: string;
  /** The step that makes it true. */
  readonly step: number;
  /** Branches whose other side would have ended it. */
  readonly passed: ReadonlySet<number>;
};
