import { assertNever, Defect } from "../base/errors.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { type Comparisons, isNegative } from "./comparison.ts";
import type { LessOrEqual, Quantified, Term, TermTable, Variable } from "./term.ts";
import type { Terms } from "./terms.ts";

export type Booleans = {
  bool(value: boolean): Term;
  not(term: Term): Term;
  /** Build a long conjunction with one call: adding conjuncts one by one is quadratic. */
  and(...terms: readonly Term[]): Term;
  or(...terms: readonly Term[]): Term;
  all(terms: readonly Term[]): Term;
  any(terms: readonly Term[]): Term;
  implies(left: Term, right: Term): Term;
  iff(left: Term, right: Term): Term;
  /** Both branches have the same sort. */
  ite(condition: Term, whenTrue: Term, whenFalse: Term): Term;
  forall(bound: readonly Variable[], body: Term): Term;
  exists(bound: readonly Variable[], body: Term): Term;
};

export function booleans(table: TermTable, terms: Arithmetic & Comparisons & Booleans): Booleans {
  const yes = table.intern("true", { kind: "bool", sort: "Bool", value: true });
  const no = table.intern("false", { kind: "bool", sort: "Bool", value: false });
  const bool = (value: boolean) => (value ? yes : no);
  const not = (term: Term) => negateTerm(table, terms, table.own(term, "Bool"));

  function junction(kind: "and" | "or", given: readonly Term[]): Term {
    for (const term of given) table.own(term, "Bool");
    const joined = joinArguments(terms, kind, given);
    if (joined === null) return bool(kind === "or");
    const [first] = joined;
    if (first === undefined) return bool(kind === "and");
    if (joined.length === 1) return first;
    let key = kind === "and" ? "&" : "|";
    for (const term of joined) key += `${term.id},`;
    return table.intern(key, { kind, sort: "Bool", arguments: joined });
  }

  function ite(condition: Term, whenTrue: Term, whenFalse: Term): Term {
    table.own(condition, "Bool");
    table.own(whenFalse, table.own(whenTrue).sort);
    if (condition.kind === "bool") return condition.value ? whenTrue : whenFalse;
    if (whenTrue === whenFalse) return whenTrue;
    if (whenTrue.sort === "Bool") {
      if (whenTrue === condition || whenTrue === yes) return junction("or", [condition, whenFalse]);
      if (whenFalse === condition || whenFalse === no) return junction("and", [condition, whenTrue]);
      if (whenTrue === no) return junction("and", [not(condition), whenFalse]);
      if (whenFalse === yes) return junction("or", [not(condition), whenTrue]);
    }
    const opposite = not(condition);
    if (opposite.id < condition.id) return ordered(opposite, whenFalse, whenTrue);
    return ordered(condition, whenTrue, whenFalse);
  }

  /** `condition` is older than its negation. A nested choice by the same condition is decided by the outer one. */
  function ordered(condition: Term, whenTrue: Term, whenFalse: Term): Term {
    const a = whenTrue.kind === "ite" && whenTrue.condition === condition ? whenTrue.whenTrue : whenTrue;
    const b = whenFalse.kind === "ite" && whenFalse.condition === condition ? whenFalse.whenFalse : whenFalse;
    if (a !== whenTrue || b !== whenFalse) return ite(condition, a, b);
    const shape = { kind: "ite", sort: a.sort, condition, whenTrue: a, whenFalse: b } as const;
    return table.intern(`?${condition.id},${a.id},${b.id}`, shape);
  }

  function iff(left: Term, right: Term): Term {
    table.own(left, "Bool");
    table.own(right, "Bool");
    if (left === right) return yes;
    if (left.kind === "bool") return left.value ? right : not(right);
    if (right.kind === "bool") return right.value ? left : not(left);
    const oppositeLeft = not(left);
    const oppositeRight = not(right);
    if (oppositeLeft === right) return no;
    const a = Math.min(left.id, oppositeLeft.id);
    const b = Math.min(right.id, oppositeRight.id);
    return a < b ? ite(left, right, oppositeRight) : ite(right, left, oppositeLeft);
  }

  function quantified(kind: "forall" | "exists", bound: readonly Variable[], body: Term): Term {
    table.own(body, "Bool");
    for (const variable of bound) if (table.own(variable).kind !== "variable") throw new Defect("binds no variable");
    if (bound.length === 0 || body.kind === "bool") return body;
    const shape: Omit<Quantified, "id"> = { kind, sort: "Bool", bound: [...bound], body };
    return table.intern(`${kind}${bound.map((v) => v.id)};${body.id}`, shape);
  }

  return {
    bool,
    not,
    and: (...given) => junction("and", given),
    or: (...given) => junction("or", given),
    all: (given) => junction("and", given),
    any: (given) => junction("or", given),
    implies: (left, right) => junction("or", [not(left), right]),
    iff,
    ite,
    forall: (bound, body) => quantified("forall", bound, body),
    exists: (bound, body) => quantified("exists", bound, body),
  };
}

type Used = Pick<Terms, "not" | "neg" | "equals" | "all" | "any">;

/** Clauses are compared pairwise only up to this size. */
const pairwiseLimit = 64;

/**
 * The arguments of the canonical `and` (or `or`) of `given`: flattened, ordered, distinct, bounds on one sum merged,
 * absorbed clauses dropped. `null` if they decide it: false for an `and`, true for an `or`.
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
 * Keeps one upper and one lower bound per sum, and joins the two if they meet. `decided` if they contradict (for `or`:
 * if they cover everything), `joined` if an equality or its negation replaced two bounds.
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

/** For `and`: drops `a or b` if `a` is an argument, and its `a` if `not a` is one. `or` is dual. null: no change. */
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

/** The negation in negation normal form, cached both ways, so that `not(not(t)) === t`. Linear in the term. */
export function negateTerm(table: TermTable, terms: Arithmetic & Comparisons & Booleans, root: Term): Term {
  const done = table.negation;
  const known = done.get(root.id);
  if (known !== undefined) return known;
  const stack: Term[] = [root];
  while (stack.length > 0) {
    const term = stack.at(-1)!;
    const waiting = done.has(term.id) ? [] : negatedParts(term).filter((part) => !done.has(part.id));
    if (waiting.length > 0) {
      for (const part of waiting) stack.push(part);
      continue;
    }
    stack.pop();
    if (done.has(term.id)) continue;
    const negated = negateNode(table, terms, term, (part) => done.get(part.id)!);
    done.set(term.id, negated);
    if (!done.has(negated.id)) done.set(negated.id, term);
  }
  return done.get(root.id)!;
}

function negatedParts(term: Term): readonly Term[] {
  switch (term.kind) {
    case "and":
    case "or":
      return term.arguments;
    case "ite":
      return [term.whenTrue, term.whenFalse];
    case "forall":
    case "exists":
      return [term.body];
    default:
      return [];
  }
}

function negateNode(
  table: TermTable,
  terms: Arithmetic & Comparisons & Booleans,
  term: Term,
  negationOf: (part: Term) => Term,
): Term {
  switch (term.kind) {
    case "bool":
      return terms.bool(!term.value);
    case "le":
      return terms.atMost(terms.neg(term.sum), -term.bound - 1n);
    case "and":
      return terms.any(term.arguments.map(negationOf));
    case "or":
      return terms.all(term.arguments.map(negationOf));
    case "ite":
      return terms.ite(term.condition, negationOf(term.whenTrue), negationOf(term.whenFalse));
    case "forall":
      return terms.exists(term.bound, negationOf(term.body));
    case "exists":
      return terms.forall(term.bound, negationOf(term.body));
    case "not":
      return term.operand;
    case "variable":
    case "apply":
    case "eq":
    case "arrayEq":
      return table.intern(`!${term.id}`, { kind: "not", sort: "Bool", operand: term });
    case "int":
    case "sum":
    case "product":
    case "div":
    case "mod":
    case "bits":
    case "select":
    case "store":
    case "constantArray":
      throw new TypeError(`${term.kind} is no formula`);
    default:
      return assertNever(term);
  }
}
