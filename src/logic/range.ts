import { absolute, euclideanDiv, greater, lesser } from "./linear.ts";
import type { Term, Variable } from "./term.ts";

/** A closed interval; `null` means unbounded. */
export type Range = { readonly min: bigint | null; readonly max: bigint | null };

/** Known ranges of variables; the caller must also assert them if it matters. */
export type RangeOfVariable = (variable: Variable) => Range;

export const unboundedRange: Range = { min: null, max: null };

/** Deeper terms count as unbounded, so that constructors stay cheap. */
const depthLimit = 8;

/** An interval with every value of an integer term, from its structure and its variables' ranges. */
export function rangeOf(term: Term, variables: RangeOfVariable = () => unboundedRange, depth = depthLimit): Range {
  if (depth === 0) return unboundedRange;
  switch (term.kind) {
    case "int":
      return { min: term.value, max: term.value };
    case "variable":
      return variables(term);
    case "sum": {
      let min: bigint | null = term.constant;
      let max: bigint | null = term.constant;
      for (const { coefficient, term: part } of term.monomials) {
        const inner = rangeOf(part, variables, depth - 1);
        const [low, high] = coefficient > 0n ? [inner.min, inner.max] : [inner.max, inner.min];
        min = min === null || low === null ? null : min + coefficient * low;
        max = max === null || high === null ? null : max + coefficient * high;
        if (min === null && max === null) return unboundedRange;
      }
      return { min, max };
    }
    case "product":
      return rangeOfProduct(
        term.factors.map((f) => rangeOf(f, variables, depth - 1)),
        isSquare(term.factors),
      );
    case "mod":
      return term.divisor.kind === "int" && term.divisor.value !== 0n
        ? { min: 0n, max: absolute(term.divisor.value) - 1n }
        : unboundedRange;
    case "div": {
      if (term.divisor.kind !== "int" || term.divisor.value <= 0n) return unboundedRange;
      const divisor = term.divisor.value;
      const inner = rangeOf(term.dividend, variables, depth - 1);
      return {
        min: inner.min === null ? null : euclideanDiv(inner.min, divisor),
        max: inner.max === null ? null : euclideanDiv(inner.max, divisor),
      };
    }
    case "bits":
      return { min: 0n, max: (1n << BigInt(term.width)) - 1n };
    case "ite":
      return hull(rangeOf(term.whenTrue, variables, depth - 1), rangeOf(term.whenFalse, variables, depth - 1));
    default:
      return unboundedRange;
  }
}

export function hull(a: Range, b: Range): Range {
  return {
    min: a.min === null || b.min === null ? null : lesser(a.min, b.min),
    max: a.max === null || b.max === null ? null : greater(a.max, b.max),
  };
}

export function isWithin(range: Range, min: bigint, max: bigint): boolean {
  return range.min !== null && range.max !== null && range.min >= min && range.max <= max;
}

export function isSquare(factors: readonly Term[]): boolean {
  return factors.length === 2 && factors[0] === factors[1];
}

export function rangeOfProduct(factors: readonly Range[], square: boolean): Range {
  let result: Range = { min: 1n, max: 1n };
  for (const factor of factors) {
    const { min: a, max: b } = result;
    const { min: c, max: d } = factor;
    if (a === null || b === null || c === null || d === null) {
      const nonNegative = factors.every((f) => f.min !== null && f.min >= 0n);
      return { min: square || nonNegative ? 0n : null, max: null };
    }
    const corners = [a * c, a * d, b * c, b * d];
    result = { min: corners.reduce(lesser), max: corners.reduce(greater) };
  }
  return square && result.min !== null && result.min < 0n ? { min: 0n, max: result.max } : result;
}
