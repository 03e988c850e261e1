import type { Cancellation } from "../../base/cancellation.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Edge } from "../../ir/program.ts";
import type { Term } from "../../logic/term.ts";
import type { InlinedNode } from "../../symbolic/inlinedNode.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Confirm } from "./confirm.ts";
import type { Core, ExplorationState, Parameter } from "./explorationState.ts";
import type { FeasibilityCheck, Feasible } from "./feasibility.ts";
import type { OpenTargets } from "./openTargets.ts";
import type { PathInput } from "./pathInput.ts";
import type { Searcher } from "./searcher.ts";
import type { TransferRelation } from "./transfer.ts";
import type { TreeBuilder } from "./tree.ts";

/** `bounded`: what a loop writes stays within bounds; `merged`: loops are unrolled with all their ways merged. */
export type Mode = "classic" | "concolic" | "compact" | "bounded" | "merged";

/** What one exploration works with and finds; its parts change while it goes on. */
export type Explorer = {
  readonly symbols: Symbols;
  readonly mode: Mode;
  readonly limits: ExplorationLimits;
  /** Leave out what cannot lead to a target. */
  readonly prune: boolean;
  /** What is undefined and not looked for must not be possible either: else nothing is unreachable. */
  readonly strict: boolean;
  readonly cancellation: Cancellation;
  readonly transfer: TransferRelation;
  readonly feasibility: FeasibilityCheck;
  readonly confirm: Confirm;
  readonly searcher: Searcher;
  readonly tree: TreeBuilder;
  readonly targets: OpenTargets;
  readonly summarise: Summarise | null;
  readonly bound: BoundLoop | null;
  readonly counts: Counts;
  /** Why the tree is not complete: by reason and place. */
  readonly cuts: Map<string, Cut>;
  readonly tests: InputValue[][];
  /** Told of each leaf, for those who want to look at it. */
  readonly leaves: ((state: ExplorationState, edge: Edge) => void) | null;
};

export type ExplorationLimits = {
  /** Program states that may be visited, open ones included. */
  readonly maxStates: number;
  /** Branches on one path. */
  readonly maxDepth: number;
};

export type Counts = {
  /** Program states that were visited: one for each edge of the tree that was followed. */
  states: number;
  deepest: number;
  /** How often a template was applied. */
  applied: number;
  questions: number;
  runs: number;
};

export type Cut = { readonly reason: string; readonly range: SourceRange; readonly help: string };

/** What a template (004 §3.2) makes of a state at the entry of its cycle: κ rounds later. */
export type Summary = {
  readonly core: Core;
  readonly memory: SymbolicState;
  /** What is added to the path condition. */
  readonly formulas: readonly Term[];
  readonly parameter: Parameter;
  readonly inputs: PathInput | null;
  /** One more round along the core is not among them where this is false. */
  readonly covered: Term;
};

/** `chooseTemplate` and the composition of 004's Algorithm 2; null where no template is to be had. */
export type Summarise = (at: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** The cycle that was gone round just before. */
  readonly recent: Core | null;
  /** Are there runs here that satisfy the formulas? */
  isFeasible(formulas: readonly Term[]): Feasible;
}) => Summary | null;

/** What the states at a loop's head after any number of rounds have in common; null where that is not to be had. */
export type BoundLoop = (at: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  isFeasible(formulas: readonly Term[]): Feasible;
}) => { readonly memory: SymbolicState; readonly formulas: readonly Term[] } | null;

export function cut(ex: Explorer, reason: string, range: SourceRange, help: string): void {
  const key = `${reason}@${range.file}:${range.line}:${range.column}`;
  if (!ex.cuts.has(key)) ex.cuts.set(key, { reason, range, help });
}
