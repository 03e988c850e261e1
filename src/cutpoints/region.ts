import type { SourceRange } from "../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { Term } from "../logic/term.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import type { SymbolicState } from "../symbolic/symbolicState.ts";
import type { OperationObligation } from "../symbolic/symbolicStep.ts";

/** Where an error is, and what it is. */
export type ErrorSite = {
  readonly kind: "assertion" | "error-location" | UndefinedBehaviour;
  readonly text: string;
  readonly range: SourceRange;
};

export type ErrorWay = ErrorSite & { readonly guard: Term };

/**
 * All ways from one cut point to the next ones, as one formula: under which condition, over the values at the start and the
 * unknowns on the way, each cut point is reached and with which state, and under which condition an error is. The states of
 * different ways are merged where they meet.
 */
export type Region = {
  readonly exits: readonly RegionExit[];
  readonly errors: readonly ErrorWay[];
  /** What names in the others stand for; goes with every question. */
  readonly definitions: readonly Term[];
  /** What is read from outside, in the order of every run, and the condition under which it is. */
  readonly inputs: readonly RegionInput[];
  /** Undefined behaviour that is no error here: what is said of the region holds for runs that satisfy these. */
  readonly assumed: readonly AssumedObligation[];
};

export type RegionExit = { readonly node: InlinedNode; readonly guard: Term; readonly state: SymbolicState };
export type RegionInput = { readonly variable: Term; readonly guard: Term };
export type AssumedObligation = OperationObligation & { readonly guard: Term };

/** Ways into a location: the condition under which each is taken. */
export type Way = { readonly guard: Term; readonly state: SymbolicState };

/** How ways that meet become one state; definitions that it needs are pushed. */
export type Merge = (ways: readonly Way[], definitions: Term[]) => SymbolicState;
