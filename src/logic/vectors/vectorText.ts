import { assertNever } from "../../base/assertNever.ts";
import { euclideanMod } from "../integer.ts";
import type { Range } from "../range.ts";
import { printSymbol } from "../smtSymbol.ts";
import type { BitOperation, Division, Monomial, Sum, Term } from "../term.ts";
import { type Bounded, isBounded } from "./termRanges.ts";

/** Thrown inside, where a formula has something that no vector of bits stands for. */
export class NoVector extends Error {}

/** No vector is longer: the formulas would not be answered anyway. */
const mostBits = 600;

/** Asks for the text of a subterm: the low `width` bits of an integer, or, with null, a formula. */
export type Use = (term: Term, width: number | null) => string;

/** Bits that hold all numbers of a range, in two's complement. */
export function widthOf({ min, max }: Bounded): number {
  const bits = (value: bigint) => (value < 0n ? -value - 1n : value).toString(2).length + 1;
  const width = Math.max(min === 0n ? 1 : bits(min), max === 0n ? 1 : bits(max));
  if (width > mostBits) throw new NoVector();
  return width;
}

export function boundedRange(range: Range): Bounded {
  if (!isBounded(range)) throw new NoVector();
  return range;
}

/**
 * Integers that stay within bounds as vectors of bits. The law: the text for a term and a width k is the term modulo 2^k, and
 * where k bits hold the term's range in two's complement, the term. So sums and products need no more bits than are asked
 * of them, and `mod 2^k`, which C's conversions and unsigned numbers are full of, costs nothing. Exact, but for divisions by
 * zero, which are unspecified and here 0: no formula depends on them, since every use of one says that there is none.
 */
export function vectorText(term: Term, width: number, rangeOf: (term: Term) => Range, use: Use): string {
  const range = rangeOf(term);
  if (isBounded(range) && term.kind !== "int") {
    const own = widthOf(range);
    if (own < width) return signExtended(use(term, own), width - own);
  }
  if (width > mostBits) throw new NoVector();
  switch (term.kind) {
    case "int":
      return literal(term.value, width);
    case "variable": {
      const own = widthOf(boundedRange(range));
      return low(printSymbol(term.name), own, width);
    }
    case "sum":
      return sumText(term.monomials, term.constant, width, use);
    case "product":
      return `(bvmul ${term.factors.map((factor) => use(factor, width)).join(" ")})`;
    case "ite":
      return `(ite ${use(term.condition, null)} ${use(term.whenTrue, width)} ${use(term.whenFalse, width)})`;
    case "bits":
      return bitsText(term, width, use);
    case "div":
    case "mod":
      return divisionText(term, width, rangeOf, use);
    default:
      throw new NoVector();
  }
}

function sumText(monomials: Sum["monomials"], constant: bigint, width: number, use: Use): string {
  const parts = monomials.map(({ coefficient, term }) => {
    if (coefficient === 1n) return use(term, width);
    if (coefficient === -1n) return `(bvneg ${use(term, width)})`;
    return `(bvmul ${literal(coefficient, width)} ${use(term, width)})`;
  });
  if (constant !== 0n || parts.length === 0) parts.push(literal(constant, width));
  return parts.length === 1 ? parts[0]! : `(bvadd ${parts.join(" ")})`;
}

/** `sum <= bound` and `sum = bound`, with what has a negative coefficient on the other side. */
export function comparisonText(
  operator: "bvsle" | "=",
  sum: Term,
  bound: bigint,
  rangeOf: (term: Term) => Range,
  use: Use,
): string {
  const monomials = sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
  const left = monomials.filter(({ coefficient }) => coefficient > 0n);
  const right = monomials
    .filter(({ coefficient }) => coefficient < 0n)
    .map(({ coefficient, term }) => ({ coefficient: -coefficient, term }));
  const width = Math.max(widthOf(rangeOfSum(left, 0n, rangeOf)), widthOf(rangeOfSum(right, bound, rangeOf)));
  return `(${operator} ${sumText(left, 0n, width, use)} ${sumText(right, bound, width, use)})`;
}

function rangeOfSum(monomials: readonly Monomial[], constant: bigint, rangeOf: (term: Term) => Range): Bounded {
  let [min, max] = [constant, constant];
  for (const { coefficient, term } of monomials) {
    const part = boundedRange(rangeOf(term));
    min += coefficient * part.min;
    max += coefficient * part.max;
  }
  return { min, max };
}

function bitsText({ operator, width: own, left, right }: BitOperation, width: number, use: Use): string {
  switch (operator) {
    case "and":
    case "or":
    case "xor": {
      const needed = Math.min(own, width);
      return zeroExtended(`(bv${operator} ${use(left, needed)} ${use(right, needed)})`, width - needed);
    }
    case "shl":
    case "lshr":
    case "ashr": {
      const shifted = `(bv${operator} ${use(left, own)} ${use(right, own)})`;
      return width <= own ? low(shifted, own, width) : zeroExtended(shifted, width - own);
    }
    default:
      return assertNever(operator);
  }
}

function divisionText(term: Division, width: number, rangeOf: (term: Term) => Range, use: Use): string {
  const { kind, dividend, divisor } = term;
  const exponent = divisor.kind === "int" ? exponentOf(divisor.value) : null;
  if (exponent !== null && kind === "mod") {
    const needed = Math.min(exponent, width);
    return zeroExtended(use(dividend, needed), width - needed);
  }
  if (exponent !== null) return `((_ extract ${exponent + width - 1} ${exponent}) ${use(dividend, exponent + width)})`;
  const [above, below] = [boundedRange(rangeOf(dividend)), boundedRange(rangeOf(divisor))];
  // Room for the absolute value of the divisor and for what a remainder takes off the dividend.
  const own = Math.max(widthOf(above), widthOf(below)) + 2;
  const [a, b] = [use(dividend, own), use(divisor, own)];
  const zero = literal(0n, own);
  const isNatural = above.min >= 0n && below.min >= 0n;
  const absolute = below.min >= 0n ? b : `(ite (bvslt ${b} ${zero}) (bvneg ${b}) ${b})`;
  const rest = isNatural ? `(bvurem ${a} ${b})` : `(bvsmod ${a} ${absolute})`;
  const quotient = isNatural ? `(bvudiv ${a} ${b})` : `(bvsdiv (bvsub ${a} ${rest}) ${b})`;
  const result = kind === "mod" ? rest : quotient;
  const isNever = below.min > 0n || below.max < 0n;
  const total = isNever ? result : `(ite (= ${b} ${zero}) ${zero} ${result})`;
  return width <= own ? low(total, own, width) : signExtended(total, width - own);
}

function exponentOf(value: bigint): number | null {
  return value > 0n && (value & (value - 1n)) === 0n ? value.toString(2).length - 1 : null;
}

export function literal(value: bigint, width: number): string {
  return `(_ bv${euclideanMod(value, 1n << BigInt(width))} ${width})`;
}

function low(text: string, own: number, width: number): string {
  return width === own ? text : `((_ extract ${width - 1} 0) ${text})`;
}

function signExtended(text: string, more: number): string {
  return more === 0 ? text : `((_ sign_extend ${more}) ${text})`;
}

function zeroExtended(text: string, more: number): string {
  return more === 0 ? text : `((_ zero_extend ${more}) ${text})`;
}
