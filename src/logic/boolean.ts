import { Defect } from "../base/errors.ts";
import type { Arithmetic } from "./arithmetic.ts";
import type { Comparisons } from "./comparison.ts";
import { joinArguments } from "./junction.ts";
import { negateTerm } from "./negate.ts";
import type { Quantified, Term, Variable } from "./term.ts";
import type { TermTable } from "./termTable.ts";

export type Booleans = {
  bool(value: boolean): Term;
  not(term: Term): Term;
  /** Build a long conjunction with one call: adding conjuncts one by one to a growing `and` is quadratic. */
  and(...terms: readonly Term[]): Term;
  or(...terms: readonly Term[]): Term;
  all(terms: readonly Term[]): Term;
  any(terms: readonly Term[]): Term;
  implies(left: Term, right: Term): Term;
  iff(left: Term, right: Term): Term;
  /** Of any sort; both branches have the same. */
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
