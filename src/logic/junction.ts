import { isNegative } from "./comparison.ts";
import type { LessOrEqual, Term } from "./term.ts";
import type { Terms } from "./terms.ts";

type Used = Pick<Terms, "not" | "neg" | "equals" | "all" | "any">;

/** Clauses inside a junction are only compared with its other arguments while both are small. */
const pairwiseLimit = 64;

/**
 * The arguments of the canonical `and` (or `or`) of `given`: flattened, ordered, distinct, bounds on one sum merged,
 * absorbed clauses dropped. `null` when they decide it: false for an `and`, true for an `or`.
 */
export function joinArguments(terms: Used, kind: "and" | "or", given: readonly Term[]): readonly Term[] | null {
  const arguments_ = new Set<Term>();
  const neutral = kind === "and";
  let comparisons = 0;
  let clauses = 0;
  const take = (term: Term) => {
    if (term.kind === "le") comparisons++;
    else if (term.kind === "and" || term.kind === "or") clauses++;
    arguments_.add(term);
  };
  for (const term of given) {
    if (term.kind === "bool") {
      if (term.value !== neutral) return null;
    } else if (term.kind === kind) for (const inner of term.arguments) take(inner);
    else take(term);
  }
  if (comparisons > 1) {
    const merged = mergeBounds(terms, kind, arguments_);
    if (merged === "decided") return null;
    if (merged === "joined") return joinArguments(terms, kind, [...arguments_]);
  }
  for (const term of arguments_) if (term.kind === "not" && arguments_.has(term.operand)) return null;
  if (clauses > 0 && arguments_.size <= pairwiseLimit) {
    const again = absorb(terms, kind, arguments_);
    if (again !== null) return joinArguments(terms, kind, again);
  }
  return [...arguments_].sort((a, b) => a.id - b.id);
}

type Bounds = { upper: LessOrEqual | null; lower: LessOrEqual | null };

/**
 * Keeps one upper and one lower bound for each sum, and joins the two where they meet. `decided` when they contradict
 * (for `or`: when they cover everything), `joined` when an equality or its negation took the place of two bounds.
 */
function mergeBounds(terms: Used, kind: "and" | "or", arguments_: Set<Term>): "decided" | "joined" | "kept" {
  let result: "joined" | "kept" = "kept";
  const bySum = new Map<Term, Bounds>();
  for (const term of [...arguments_]) {
    if (term.kind !== "le") continue;
    const negative = isNegative(term.sum);
    const axis = negative ? terms.neg(term.sum) : term.sum;
    let bounds = bySum.get(axis);
    if (bounds === undefined) {
      bounds = { upper: null, lower: null };
      bySum.set(axis, bounds);
    }
    const side = negative ? "lower" : "upper";
    const known = bounds[side];
    if (known === null) bounds[side] = term;
    else {
      const tighter = term.bound < known.bound;
      const loser = tighter === (kind === "and") ? known : term;
      arguments_.delete(loser);
      if (loser === known) bounds[side] = term;
    }
  }
  for (const [axis, { upper, lower }] of bySum) {
    if (upper === null || lower === null) continue;
    const least = -lower.bound;
    if (kind === "and") {
      if (least > upper.bound) return "decided";
      if (least === upper.bound) replace(terms.equals(axis, least), upper, lower);
    } else {
      if (least <= upper.bound + 1n) return "decided";
      if (least === upper.bound + 2n) replace(terms.not(terms.equals(axis, least - 1n)), upper, lower);
    }
  }
  return result;

  function replace(by: Term, ...old: readonly Term[]) {
    result = "joined";
    for (const term of old) arguments_.delete(term);
    arguments_.add(by);
  }
}

/**
 * For `and`: a clause `a or b` goes when `a` is an argument, and loses `a` when `not a` is one. For `or` the dual.
 * Null when nothing changed, else the new arguments.
 */
function absorb(terms: Used, kind: "and" | "or", arguments_: ReadonlySet<Term>): Term[] | null {
  const dual = kind === "and" ? "or" : "and";
  const result: Term[] = [];
  let changed = false;
  for (const term of arguments_) {
    if (term.kind !== dual || term.arguments.length > pairwiseLimit) {
      result.push(term);
      continue;
    }
    if (term.arguments.some((inner) => arguments_.has(inner))) {
      changed = true;
      continue;
    }
    const left = term.arguments.filter((inner) => !arguments_.has(terms.not(inner)));
    if (left.length === term.arguments.length) result.push(term);
    else {
      changed = true;
      result.push(rejoin(terms, dual, left));
    }
  }
  return changed ? result : null;
}

function rejoin(terms: Used, kind: "and" | "or", left: readonly Term[]): Term {
  return kind === "and" ? terms.all(left) : terms.any(left);
}
