import type { SourceRange } from "../../base/sourceRange.ts";
import type { BlockLeave } from "../../cutpoints/block.ts";
import type { LoopSystem } from "../../cutpoints/loopSystem.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { FoldedLoop } from "../../recordedRun/foldedRun.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import type { RunObligation } from "./runObligation.ts";

/**
 * All runs like a recorded one, in terms: they have inputs of their own, follow its single steps, and go round its folded loops as
 * often as they like. What has to be shown of them so that they all fail in the same way is kept with each piece.
 */
export type EncodedRuns = {
  /** One for each recorded input; null for those that are read inside of a folded loop, or are no integers. */
  readonly inputs: readonly (Variable | null)[];
  /** Inputs that are no integers and have to be what they were. */
  readonly fixed: ReadonlySet<number>;
  /** The first bytes of standard input, with the values that they had: those that are read before a loop is folded. */
  readonly bytes: readonly ByteOfRuns[];
  readonly pieces: readonly Piece[];
};

export type ByteOfRuns = { readonly variable: Variable; readonly value: number };

export type Piece = SteppedPiece | LoopPiece;

/** Single steps of the recorded run; the last ones end with the failure. */
export type SteppedPiece = {
  readonly kind: "steps";
  readonly steps: readonly ObligedStep[];
};

/** `facts` hold of every run that comes to the step; with its obligations met, the step is taken, and `taken` holds. */
export type ObligedStep = {
  readonly facts: readonly Term[];
  readonly obligations: readonly RunObligation[];
  readonly taken: readonly Term[];
};

/** A folded loop. Formulas before it are about earlier values of the places that it writes: see `earlier`. */
export type LoopPiece = {
  readonly kind: "loop";
  readonly fold: FoldedLoop;
  readonly range: SourceRange;
  /** Where the loop is entered, in the terms of what is before it. */
  readonly entry: SymbolicState;
  /** A formula of what is before it, where places are those of the loop. */
  earlier(formula: Term): Term;
  /** What is known at all cut points: what the loop does not write. */
  readonly state: SymbolicState;
  /** The loop's body from there on. */
  readonly system: LoopSystem;
  readonly blocks: ReadonlyMap<string, ObligedBlock>;
  /** The ways on which every such run goes on; empty where all runs fail in the loop. */
  readonly exits: readonly Exit[];
  /** A number for each exit: through which of them a run goes; null where there is one at most. */
  readonly chosen: Variable | null;
};

export type ObligedBlock = {
  readonly start: InlinedNode;
  /** Of a run that comes to the operation, which it does if `guard` holds. */
  readonly obligations: readonly (RunObligation & { readonly guard: Term })[];
  /** Ways out of the loop that are not those of the recorded run. */
  readonly detours: readonly BlockLeave[];
};

export type Exit = { readonly cutPoint: string; readonly guard: Term };
