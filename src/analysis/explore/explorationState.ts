import type { Edge } from "../../ir/program.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import type { InlinedNode } from "../../symbolic/inlinedNode.ts";
import type { OperationObligation } from "../../symbolic/obligation.ts";
import type { SymbolicState } from "../../symbolic/symbolicState.ts";
import type { DrawnMemory } from "./confirm.ts";
import type { CoveredInputs } from "./coveredInputs.ts";
import type { PathInput } from "./pathInput.ts";
import type { Trail } from "./trail.ts";

/** A state of symbolic execution (004 §2): a program point with its stack, a symbolic memory and a path condition. */
export type ExplorationState = {
  readonly node: InlinedNode;
  readonly memory: SymbolicState;
  /** φ: what a run must satisfy to come here. */
  readonly path: Trail<Term>;
  readonly inputs: Trail<PathInput>;
  /** Memory that holds inputs. */
  readonly drawn: Trail<DrawnMemory>;
  readonly parameters: Trail<Parameter>;
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
  readonly leaving: Leaving | null;
  /** Loops for all of whose rounds this state stands, and perhaps for more: coming to their heads again is nothing new. */
  readonly bounded: Trail<string>;
  /** Failures whose runs are left out of the path condition. */
  readonly excluded: ReadonlySet<CoveredInputs>;
};

/** A core of which `at` edges were followed again. Where `covered` fails, completing it is not what a larger κ stands for. */
export type Leaving = { readonly core: Core; readonly at: number; readonly covered: Term };

/** An edge and the node that it led to, which for a call through a pointer is one of several. */
export type WayStep = { readonly edge: Edge; readonly to: string };

/** A cyclic way from a loop's head back to it: π of 004, Definition 1. */
export type Core = readonly WayStep[];

export type PendingObligation = OperationObligation & {
  readonly edge: Edge;
  readonly function: number;
  readonly before: Trail<Term>;
};

/** κ, the number of rounds that a template stands for. */
export type Parameter = {
  readonly kappa: Variable;
  /** What replaces its formulas and arrays where κ is this number, so that no quantifier is left. */
  instance(value: bigint): readonly (readonly [from: Term, to: Term])[];
};
