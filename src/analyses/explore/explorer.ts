import type { Cancellation } from "../../base/cancellation.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Edge } from "../../ir/program.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import type { OperationObligation } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Confirm, DrawnMemory } from "./confirm.ts";
import type { CoveredInputs } from "./coveredRuns.ts";
import type { FeasibilityCheck, Feasible } from "./feasibility.ts";
import type { OpenTargets } from "./openTargets.ts";
import type { Searcher } from "./searcher.ts";
import type { PathInput, TransferRelation } from "./transfer.ts";
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
export type LoopSummary = {
  readonly core: LoopCore;
  readonly memory: SymbolicState;
  /** What is added to the path condition. */
  readonly formulas: readonly Term[];
  readonly parameter: RoundParameter;
  readonly inputs: PathInput | null;
  /** One more round along the core is not among them where this is false. */
  readonly covered: Term;
};

/** `chooseTemplate` and the composition of 004's Algorithm 2; null where no template is to be had. */
export type Summarise = (at: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** The cycle that was gone round just before. */
  readonly recent: LoopCore | null;
  /** Are there runs here that satisfy the formulas? */
  isFeasible(formulas: readonly Term[]): Feasible;
}) => LoopSummary | null;

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

/** A state of symbolic execution (004 §2): a program point with its stack, a symbolic memory and a path condition. */
export type ExplorationState = {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** φ: what a run must satisfy to come here. */
  readonly path: Trail<Term>;
  readonly inputs: Trail<PathInput>;
  /** Memory that holds inputs. */
  readonly drawn: Trail<DrawnMemory>;
  readonly parameters: Trail<RoundParameter>;
  /** An assignment that satisfies the path condition; null where none was looked for since it grew. */
  readonly model: Model | null;
  /** Where there is none, one that satisfied it before it grew. */
  readonly near: Model | null;
  /** What operations since the last branch require, with the length that the path condition had before. */
  readonly pending: Trail<PendingObligation>;
  /** Branches that were decided on the way. */
  readonly depth: number;
  /** The node of the tree that it goes on from. */
  readonly parent: number;
  /** Edges that were followed from the start. */
  readonly way: Trail<WayStep>;
  /** Loop heads that were come to, each with the length of the way at the last time; those inside later than those around. */
  readonly heads: Trail<{ readonly key: string; readonly at: number }>;
  /** Behind a template: the core that must not be followed to its end, because a larger κ stands for that. */
  readonly leaving: LoopLeaving | null;
  /** Loops for all of whose rounds this state stands, and perhaps for more: coming to their heads again is nothing new. */
  readonly bounded: Trail<string>;
  /** Failures whose runs are left out of the path condition. */
  readonly excluded: ReadonlySet<CoveredInputs>;
};

/** A core of which `at` edges were followed again. Where `covered` fails, completing it is not what a larger κ stands for. */
export type LoopLeaving = { readonly core: LoopCore; readonly at: number; readonly covered: Term };

/** An edge and the node that it led to, which for a call through a pointer is one of several. */
export type WayStep = { readonly edge: Edge; readonly to: string };

/** A cyclic way from a loop's head back to it: π of 004, Definition 1. */
export type LoopCore = readonly WayStep[];

export type PendingObligation = OperationObligation & {
  readonly edge: Edge;
  readonly function: number;
  readonly before: Trail<Term>;
};

/** κ, the number of rounds that a template stands for. */
export type RoundParameter = {
  readonly kappa: Variable;
  /** What replaces its formulas and arrays where κ is this number, so that no quantifier is left. */
  instance(value: bigint): readonly (readonly [from: Term, to: Term])[];
};

/** A list that grows at its end and is shared by all that go on from one of its elements. */
export type Trail<Item> = { readonly item: Item; readonly before: Trail<Item> | null; readonly length: number } | null;

export function append<Item>(trail: Trail<Item>, item: Item): Trail<Item> {
  return { item, before: trail, length: lengthOf(trail) + 1 };
}

export function lengthOf<Item>(trail: Trail<Item>): number {
  return trail?.length ?? 0;
}

/** First to last. */
export function itemsOf<Item>(trail: Trail<Item>): Item[] {
  const items = new Array<Item>(lengthOf(trail));
  for (let at = trail; at !== null; at = at.before) items[at.length - 1] = at.item;
  return items;
}
