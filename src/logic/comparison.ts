import type { Arithmetic } from "./arithmetic.ts";
import type { Booleans } from "./boolean.ts";
import { absolute, floorDiv, gcd } from "./linear.ts";
import { rangeOf } from "./range.ts";
import type { Monomial, Term, TermTable } from "./term.ts";

export type Comparisons = {
  le(left: Term, right: Term): Term;
  lt(left: Term, right: Term): Term;
  ge(left: Term, right: Term): Term;
  gt(left: Term, right: Term): Term;
  eq(left: Term, right: Term): Term;
  ne(left: Term, right: Term): Term;
  /** `sum <= bound` for a sum in any form. */
  atMost(sum: Term, bound: bigint): Term;
  equals(sum: Term, bound: bigint): Term;
};

export function comparisons(table: TermTable, terms: Arithmetic & Booleans): Comparisons {
  function atMost(sum: Term, bound: bigint): Term {
    const { direction, rest, divisor } = normalise(sum, bound);
    if (divisor === 0n) return terms.bool(rest >= 0n);
    const limit = floorDiv(rest, divisor);
    const range = rangeOf(direction);
    if (range.max !== null && range.max <= limit) return terms.bool(true);
    if (range.min !== null && range.min > limit) return terms.bool(false);
    return (
      decideIte(direction, (value) => value <= limit) ??
      table.intern(`<${direction.id},${limit}`, { kind: "le", sort: "Bool", sum: direction, bound: limit })
    );
  }

  function equals(sum: Term, bound: bigint): Term {
    const { direction, rest, divisor } = normalise(sum, bound);
    if (divisor === 0n) return terms.bool(rest === 0n);
    if (rest % divisor !== 0n) return terms.bool(false);
    const value = rest / divisor;
    const range = rangeOf(direction);
    if ((range.max !== null && range.max < value) || (range.min !== null && range.min > value))
      return terms.bool(false);
    const decided = decideIte(direction, (v) => v === value);
    if (decided !== null) return decided;
    return isNegative(direction) ? positiveEqual(terms.neg(direction), -value) : positiveEqual(direction, value);
  }

  function positiveEqual(direction: Term, value: bigint): Term {
    return table.intern(`=${direction.id},${value}`, { kind: "eq", sort: "Bool", sum: direction, bound: value });
  }

  /**
   * `sum <= bound` as `divisor * direction <= rest` with coprime coefficients in `direction`; divisor 0: no variable.
   */
  function normalise(sum: Term, bound: bigint): { direction: Term; rest: bigint; divisor: bigint } {
    table.own(sum, "Int");
    if (sum.kind === "int") return { direction: sum, rest: bound - sum.value, divisor: 0n };
    if (sum.kind !== "sum") return { direction: sum, rest: bound, divisor: 1n };
    let divisor = 0n;
    for (const m of sum.monomials) {
      divisor = gcd(divisor, m.coefficient);
      if (divisor === 1n) break;
    }
    const rest = bound - sum.constant;
    if (divisor === 1n && sum.constant === 0n) return { direction: sum, rest, divisor };
    if (divisor === 1n) return { direction: terms.withoutConstant(sum), rest, divisor };
    const monomials: Monomial[] = sum.monomials.map((m) => ({ coefficient: m.coefficient / divisor, term: m.term }));
    return { direction: terms.linear(monomials), rest, divisor };
  }

  /** A comparison of `±ite(c, 3, 5)` with a number is `c`, its negation, or decided. */
  function decideIte(direction: Term, holds: (value: bigint) => boolean): Term | null {
    const monomial = direction.kind === "sum" && direction.monomials.length === 1 ? direction.monomials[0] : undefined;
    const sign = monomial?.coefficient ?? 1n;
    if (absolute(sign) !== 1n) return null;
    return decideLeaves(monomial?.term ?? direction, (value) => holds(sign * value), 8);
  }

  function decideLeaves(term: Term, holds: (value: bigint) => boolean, depth: number): Term | null {
    if (term.kind !== "ite" || depth === 0) return null;
    const [a, b] = [term.whenTrue, term.whenFalse].map((branch) =>
      branch.kind === "int" ? terms.bool(holds(branch.value)) : decideLeaves(branch, holds, depth - 1),
    );
    return a && b ? terms.ite(term.condition, a, b) : null;
  }

  function eq(left: Term, right: Term): Term {
    table.own(right, table.own(left).sort);
    if (left === right) return terms.bool(true);
    if (left.sort === "Bool") return terms.iff(left, right);
    if (left.sort === "Int") return equals(terms.sub(left, right), 0n);
    const [a, b] = left.id < right.id ? [left, right] : [right, left];
    return table.intern(`[=${a.id},${b.id}`, { kind: "arrayEq", sort: "Bool", left: a, right: b });
  }

  return {
    le: (left, right) => atMost(terms.sub(left, right), 0n),
    lt: (left, right) => atMost(terms.sub(left, right), -1n),
    ge: (left, right) => atMost(terms.sub(right, left), 0n),
    gt: (left, right) => atMost(terms.sub(right, left), -1n),
    eq,
    ne: (left, right) => terms.not(eq(left, right)),
    atMost,
    equals,
  };
}

export function isNegative(sum: Term): boolean {
  return sum.kind === "sum" && sum.monomials[0]!.coefficient < 0n;
}
