import type { Cancellation } from "../../../base/cancellation.ts";
import type { RegionContext } from "../../../cutpoints/regionContext.ts";
import { type Assignment, evaluate } from "../../../logic/evaluate.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../../logic/term.ts";
import { freeVariablesOf } from "../../../logic/traverse.ts";
import type { ProofSession, Prover } from "../../../solver/solver.ts";
import type { InlinedNode } from "../../../symbolic/followEdge.ts";
import type { SymbolicState } from "../../../symbolic/symbolicState.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";

export type Tree = {
  readonly context: RegionContext;
  readonly prover: Prover;
  readonly cancellation: Cancellation;
  readonly interpolates: boolean;
  readonly counts: { states: number; subsumed: number };
  /** The memo table (001 §4): interpolants by location, each weaker than a traversed safe state. */
  readonly memo: Map<string, Term[]>;
  /** The explored states of heads: every arrival at a head is in one of them. */
  readonly heads: Map<string, HeadEntry[]>;
};

/** An explored head: the assumption about all runs that reach it. */
export type HeadEntry = { readonly constraints: readonly Term[] };

/** A state on the way from a head, over the values there. */
export type TreePosition = {
  readonly node: InlinedNode;
  readonly state: SymbolicState;
  /** Branch conditions and requirements of steps, newest last. */
  readonly conditions: readonly Term[];
  /** Inputs that were read since the head, in order. */
  readonly inputs: readonly Term[];
  /** Models of runs that reach this state: a formula that is false in one of them does not hold, without a query. */
  readonly examples: Assignment[];
};

/** The context of a traversal from a head: its assumption, and the handler of arrivals at heads. */
export type Segment = {
  readonly session: ProofSession;
  readonly falsity: Term;
  readonly assumed: readonly Term[];
  readonly places: readonly Variable[];
  /** Handles an arrival at a head. The interpolant is over the places there. */
  arrive(position: TreePosition): Explored;
};

export type ErrorPath = Pick<TreePosition, "conditions" | "inputs">;

export type Explored =
  /**
   * A sufficient condition, over the values at the node, for the absence of errors; null if there is no formula for it.
   */
  | { readonly kind: "safe"; readonly interpolant: Term | null }
  | { readonly kind: "error"; readonly path: ErrorPath }
  | { readonly kind: "unknown"; readonly reason: string };

export const mostStates = 40_000;

const mostExamples = 8;

export function feasible(
  symbols: Symbols,
  { session, falsity }: Segment,
  { conditions, examples }: TreePosition,
  condition: Term,
): { readonly answer: boolean | null; readonly examples: Assignment[] } {
  if (isTrue(condition)) return { answer: true, examples: [...examples] };
  if (isFalse(condition)) return { answer: false, examples: [] };
  const known = hasExample(symbols, condition)
    ? examples.filter((example) => evaluate(condition, example) === true)
    : [];
  if (known.length > 0) return { answer: true, examples: known };
  const result = session.implies([...conditions, condition], falsity);
  if (result.kind === "proved") return { answer: false, examples: [] };
  if (result.kind === "unknown") return { answer: null, examples: [] };
  examples.unshift(result.model);
  examples.length = Math.min(examples.length, mostExamples);
  return { answer: true, examples: [result.model] };
}

export function holdsAt(
  symbols: Symbols,
  { session }: Segment,
  { conditions, examples }: TreePosition,
  formula: Term,
): boolean {
  if (hasExample(symbols, formula) && examples.some((example) => evaluate(formula, example) === false)) return false;
  const result = session.implies(conditions, formula);
  if (result.kind === "refuted") {
    examples.unshift(result.model);
    examples.length = Math.min(examples.length, mostExamples);
  }
  return result.kind === "proved";
}

/** A model has a number for every unmentioned variable, which would be no valid address. */
function hasExample(symbols: Symbols, formula: Term): boolean {
  return freeVariablesOf([formula]).every(
    (variable) => variable.sort !== "Array" && symbols.objectWithBase(variable) === null,
  );
}
