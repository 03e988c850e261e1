import { absolute, greater } from "../linear.ts";
import { hull, isSquare, type Range, rangeOf, rangeOfProduct, unboundedRange } from "../range.ts";
import { conjuncts, type Division, type Term, type Variable } from "../term.ts";

export type BoundedRange = { readonly min: bigint; readonly max: bigint };

export function isBounded(range: Range): range is BoundedRange {
  return range.min !== null && range.max !== null;
}

/** Like `rangeOf`, to any depth: ranges of all integer terms of a list with subterms first. */
export function termRanges(order: readonly Term[], variables: ReadonlyMap<Variable, Range>): (term: Term) => Range {
  const ranges = new Map<Term, Range>();
  const known = (term: Term) => ranges.get(term) ?? unboundedRange;
  for (const term of order) if (term.sort === "Int") ranges.set(term, ownRange(term, variables, known));
  return known;
}

function ownRange(term: Term, variables: ReadonlyMap<Variable, Range>, known: (term: Term) => Range): Range {
  switch (term.kind) {
    case "variable":
      return variables.get(term) ?? unboundedRange;
    case "sum": {
      let sum: Range = { min: term.constant, max: term.constant };
      for (const { coefficient, term: part } of term.monomials) {
        const { min, max } = known(part);
        const [low, high] = coefficient > 0n ? [min, max] : [max, min];
        sum = {
          min: sum.min === null || low === null ? null : sum.min + coefficient * low,
          max: sum.max === null || high === null ? null : sum.max + coefficient * high,
        };
      }
      return sum;
    }
    case "product":
      return rangeOfProduct(term.factors.map(known), isSquare(term.factors));
    case "ite":
      return hull(known(term.whenTrue), known(term.whenFalse));
    case "div":
    case "mod":
      return rangeOfDivision(term, known);
    default:
      return rangeOf(term);
  }
}

/** Division by 0 gives 0 here (see `vectorText`). */
function rangeOfDivision(term: Division, known: (term: Term) => Range): Range {
  const dividend = known(term.dividend);
  const divisor = known(term.divisor);
  if (term.kind === "mod") {
    if (!isBounded(divisor)) return unboundedRange;
    const most = greater(absolute(divisor.min), absolute(divisor.max));
    return { min: 0n, max: most === 0n ? 0n : most - 1n };
  }
  if (!isBounded(dividend)) return unboundedRange;
  const most = greater(absolute(dividend.min), absolute(dividend.max));
  const isNatural = dividend.min >= 0n && divisor.min !== null && divisor.min >= 0n;
  return { min: isNatural ? 0n : -most, max: most };
}

/** Bounds of single variables in the conjuncts of formulas: `x <= 7`, `x = 3`, `x = 1 or x = 4`. */
export function variableBounds(formulas: readonly Term[]): ReadonlyMap<Variable, Range> {
  const bounds = new Map<Variable, Range>();
  for (const formula of formulas) {
    for (const conjunct of conjuncts(formula)) {
      const found = boundOf(conjunct);
      if (found === null) continue;
      bounds.set(found.variable, meet(bounds.get(found.variable) ?? unboundedRange, found.range));
    }
  }
  return bounds;
}

type Bound = { readonly variable: Variable; readonly range: Range };

function boundOf(formula: Term): Bound | null {
  if (formula.kind === "or") return boundOfAll(formula.arguments);
  if (formula.kind === "and") return null;
  if (formula.kind !== "le" && formula.kind !== "eq") return null;
  const { sum, bound } = formula;
  if (sum.kind === "variable") {
    return { variable: sum, range: { min: formula.kind === "eq" ? bound : null, max: bound } };
  }
  if (formula.kind === "eq" || sum.kind !== "sum" || sum.monomials.length !== 1 || sum.constant !== 0n) return null;
  const [{ coefficient, term }] = sum.monomials as readonly [(typeof sum.monomials)[number]];
  if (coefficient !== -1n || term.kind !== "variable") return null;
  return { variable: term, range: { min: -bound, max: null } };
}

function boundOfAll(choices: readonly Term[]): Bound | null {
  const all = choices.map(boundOf);
  const [first] = all;
  if (first === null || first === undefined) return null;
  let { range } = first;
  for (const one of all) {
    if (one === null || one.variable !== first.variable) return null;
    range = hull(range, one.range);
  }
  return { variable: first.variable, range };
}

function meet(a: Range, b: Range): Range {
  return {
    min: a.min === null || (b.min !== null && b.min > a.min) ? b.min : a.min,
    max: a.max === null || (b.max !== null && b.max < a.max) ? b.max : a.max,
  };
}
