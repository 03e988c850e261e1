import { absolute, greater } from "../integer.ts";
import { hull, isSquare, type Range, rangeOf, rangeOfProduct, unboundedRange } from "../range.ts";
import type { Division, Term, Variable } from "../term.ts";

/** A range with both ends. */
export type Bounded = { readonly min: bigint; readonly max: bigint };

export function isBounded(range: Range): range is Bounded {
  return range.min !== null && range.max !== null;
}

/** As `rangeOf`, to any depth: ranges of all integer terms in an order in which subterms come first. */
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

/** By 0 the result is taken as 0 (see `vectorText`). */
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
