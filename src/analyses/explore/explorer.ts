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
import type { ExplorationEnvironment, PathInput, TransferRelation } from "./transfer.ts";
import type { TreeBuilder } from "./tree.ts";

/**
 * `bounded`: variables that a loop writes stay within bounds; `merged`: loops are unrolled with all their ways merged.
 */
export type Mode = "classic" | "concolic" | "compact" | "bounded" | "merged";

export type Explorer = {
  readonly symbols: Symbols;
  readonly mode: Mode;
  readonly limits: ExplorationLimits;
  /** True to prune states that cannot reach a target. */
  readonly prune: boolean;
  /** True if undefined behaviour outside of the targets must be impossible, too; otherwise nothing is unreachable. */
  readonly strict: boolean;
  readonly cancellation: Cancellation;
  readonly transfer: TransferRelation;
  readonly environment: ExplorationEnvironment;
  readonly feasibility: FeasibilityCheck;
  readonly confirm: Confirm;
  readonly searcher: Searcher;
  readonly tree: TreeBuilder;
  readonly targets: OpenTargets;
  readonly summarise: Summarise | null;
  readonly bound: BoundLoop | null;
  readonly counts: Counts;
  /** The reasons why the tree is incomplete, by reason and place. */
  readonly cuts: Map<string, Cut>;
  readonly tests: InputValue[][];
  /** Receives each leaf. */
  readonly leaves: ((state: ExplorationState, edge: Edge) => void) | null;
};

export type ExplorationLimits = {
  readonly maxStates: number;
  /** The largest number of branches on one path. */
  readonly maxDepth: number;
};

export type Counts = {
  /** The number of visited states: one for each followed edge of the tree. */
  states: number;
  deepest: number;
  /** The number of template applications. */
  applied: number;
  questions: number;
  runs: number;
};

export type Cut = { readonly reason: string; readonly range: SourceRange; readonly help: string };

/** The effect of a template (004 §3.2) on a state at the entry of its cycle, after κ rounds. */
export type LoopSummary = {
  readonly core: LoopCore;
  readonly memory: SymbolicState;
  /** The additions to the path condition. */
  readonly formulas: readonly Term[];
  readonly parameter: RoundParameter;
  readonly inputs: PathInput | null;
  /** If this is false, one more round along the core is not included. */
  readonly covered: Term;
};

/** `chooseTemplate` and the composition of 004's Algorithm 2; null if there is no template. */
export type Summarise = (at: {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** The cycle that was just executed. */
  readonly recent: LoopCore | null;
  /** Tells whether some run here satisfies the formulas. */
  isFeasible(formulas: readonly Term[]): Feasible;
}) => LoopSummary | null;

/** A state that covers the loop's head after any number of rounds; null if there is none. */
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
  /** φ: the condition of the runs that reach this state. */
  readonly path: Trail<Term>;
  readonly inputs: Trail<PathInput>;
  /** Memory that holds inputs. */
  readonly drawn: Trail<DrawnMemory>;
  readonly parameters: Trail<RoundParameter>;
  /** A model of the path condition; null if none was computed since it grew. */
  readonly model: Model | null;
  /** A model of an earlier, shorter path condition. */
  readonly near: Model | null;
  /** The requirements of operations since the last branch, with the length of the path condition before each. */
  readonly pending: Trail<PendingObligation>;
  /** The number of decided branches. */
  readonly depth: number;
  /** The tree node that it continues. */
  readonly parent: number;
  /** The edges from the start. */
  readonly way: Trail<WayStep>;
  /** The visited loop heads, outer before inner, each with the length of the way at its last visit. */
  readonly heads: Trail<{ readonly key: string; readonly at: number }>;
  /** After a template: the core that must not be completed, because a larger κ covers that. */
  readonly leaving: LoopLeaving | null;
  /** Loops of which this state covers all rounds: reaching their heads again is nothing new. */
  readonly bounded: Trail<string>;
  /** Failures whose runs are excluded from the path condition. */
  readonly excluded: ReadonlySet<CoveredInputs>;
};

/** A core of which `at` edges were followed again. If `covered` fails, a larger κ does not cover its completion. */
export type LoopLeaving = { readonly core: LoopCore; readonly at: number; readonly covered: Term };

/** An edge and the node that it led to, which is one of several for a call through a pointer. */
export type WayStep = { readonly edge: Edge; readonly to: string };

/** A cyclic way from a loop's head back to it: π of 004, Definition 1. */
export type LoopCore = readonly WayStep[];

export type PendingObligation = OperationObligation & {
  readonly edge: Edge;
  readonly function: number;
  readonly before: Trail<Term>;
};

/** κ, the number of rounds of a template. */
export type RoundParameter = {
  readonly kappa: Variable;
  /** Replacements for its formulas and arrays with κ as this number, without quantifiers. */
  instance(value: bigint): readonly (readonly [from: Term, to: Term])[];
};

export type Trail<Item> = { readonly item: Item; readonly before: Trail<Item> | null; readonly length: number } | null;

export function append<Item>(trail: Trail<Item>, item: Item): Trail<Item> {
  return { item, before: trail, length: lengthOf(trail) + 1 };
}

export function lengthOf<Item>(trail: Trail<Item>): number {
  return trail?.length ?? 0;
}

export function itemsOf<Item>(trail: Trail<Item>): Item[] {
  const items = new Array<Item>(lengthOf(trail));
  for (let at = trail; at !== null; at = at.before) items[at.length - 1] = at.item;
  return items;
}
