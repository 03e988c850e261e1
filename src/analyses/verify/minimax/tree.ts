import type { Cancellation } from "../../../base/cancellation.ts";
import type { RegionContext } from "../../../cutpoints/regionContext.ts";
import { type Assignment, evaluate } from "../../../logic/evaluate.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../../logic/term.ts";
import { freeVariablesOf } from "../../../logic/traverse.ts";
import type { ProofSession, Prover } from "../../../solver/solver.ts";
import type { InlinedNode } from "../../../symbolic/followEdge.ts";
import type { SymbolicState } from "../../../symbolic/symbolicState.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";

/** State that the whole traversal shares. */
export type Tree = {
  readonly context: RegionContext;
  readonly prover: Prover;
  readonly cancellation: Cancellation;
  readonly interpolates: boolean;
  readonly counts: { states: number; subsumed: number; infeasible: number; unrolled: number; locked: number };
  /** The memo table (001 §4): interpolants by location, each weaker than a state that was traversed and found safe. */
  readonly memo: Map<string, Term[]>;
  /** States of heads that were explored: every arrival at a head is in one of them. */
  readonly heads: Map<string, HeadEntry[]>;
};

/** A head that is explored, as what is assumed of all runs that come to it. */
export type HeadEntry = { readonly constraints: readonly Term[] };

/** A state on the way from a head: over the values there. */
export type TreePosition = {
  readonly node: InlinedNode;
  readonly state: SymbolicState;
  /** Conditions of the branches taken and what steps require, newest last. */
  readonly conditions: readonly Term[];
  /** Inputs that were read since the head, in order. */
  readonly inputs: readonly Term[];
  /** Assignments with which runs come here: what is false in one of them does not hold here, and needs no question. */
  readonly examples: Assignment[];
};

/** What a traversal from a head has at hand: what is assumed there, and what to do with arrivals at heads. */
export type Segment = {
  readonly session: ProofSession;
  readonly falsity: Term;
  readonly assumed: readonly Term[];
  readonly places: readonly Variable[];
  /** At another head, or at this one again. The interpolant is over the places there. */
  arrive(position: TreePosition): Explored;
};

/** A way to an error: its conditions, over the values at the head where it starts, and what it reads. */
export type ErrorPath = Pick<TreePosition, "conditions" | "inputs">;

export type Explored =
  /** What suffices, over the values at the node, for no error to come from it; null where it cannot be said. */
  | { readonly kind: "safe"; readonly interpolant: Term | null }
  | { readonly kind: "error"; readonly path: ErrorPath }
  | { readonly kind: "unknown"; readonly reason: string };

/** A traversal ends with this many states. */
export const mostStates = 40_000;

/** At most this many examples of a position are kept, the newest first. */
const mostExamples = 8;

/** Do runs go on from a position with a condition? null: no answer. `examples` are some of them. */
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

/** Does a formula over the values at the segment's head hold at a position? */
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

/** A model has a number for every variable that its question did not mention; as an address it would be none. */
function hasExample(symbols: Symbols, formula: Term): boolean {
  return freeVariablesOf([formula]).every(
    (variable) => variable.sort !== "Array" && symbols.objectWithBase(variable) === null,
  );
}
