import type { Arithmetic } from "./arithmetic.ts";
import type { Booleans } from "./boolean.ts";
import type { Comparisons } from "./comparison.ts";
import { euclideanDiv, euclideanMod } from "./linear.ts";
import { isWithin, type RangeOfVariable, rangeOf } from "./range.ts";
import type { Division, Monomial, Term, TermTable } from "./term.ts";

export type Divisions = {
  /** Euclidean quotient as in SMT-LIB: the remainder is never negative. Division by 0 is an unspecified number. */
  div(dividend: Term, divisor: Term): Term;
  mod(dividend: Term, divisor: Term): Term;
  /** C's `/`, which truncates. */
  truncatingDiv(dividend: Term, divisor: Term, variables?: RangeOfVariable): Term;
  /** C's `%`, with the sign of the dividend. */
  truncatingRem(dividend: Term, divisor: Term, variables?: RangeOfVariable): Term;
  /** Conversion to an integer type of `bits` bits (modulo `2^bits`); the term itself if it is certainly in range. */
  wrap(term: Term, bits: number, signed: boolean, variables?: RangeOfVariable): Term;
  /** `min <= term <= max` of the integer type. */
  inRange(term: Term, bits: number, signed: boolean): Term;
};

export function divisions(table: TermTable, terms: Arithmetic & Comparisons & Booleans): Divisions {
  function div(dividend: Term, divisor: Term): Term {
    table.own(dividend, "Int");
    table.own(divisor, "Int");
    if (divisor.kind !== "int" || divisor.value === 0n) return node("div", dividend, divisor);
    const m = divisor.value;
    if (m < 0n) return terms.neg(div(dividend, terms.int(-m)));
    if (m === 1n) return dividend;
    if (dividend.kind === "int") return terms.int(euclideanDiv(dividend.value, m));
    const { quotient, rest } = splitMultiples(dividend, m);
    if (rest.kind === "int") return terms.add(quotient, terms.int(euclideanDiv(rest.value, m)));
    const range = rangeOf(rest);
    if (range.min !== null && range.max !== null) {
      const low = euclideanDiv(range.min, m);
      if (low === euclideanDiv(range.max, m)) return terms.add(quotient, terms.int(low));
    }
    // x div 4 div 2 = x div 8
    if (rest.kind === "div" && rest.divisor.kind === "int" && rest.divisor.value > 0n)
      return terms.add(quotient, div(rest.dividend, terms.int(rest.divisor.value * m)));
    return terms.add(quotient, node("div", rest, divisor));
  }

  function mod(dividend: Term, divisor: Term): Term {
    table.own(dividend, "Int");
    table.own(divisor, "Int");
    if (divisor.kind !== "int" || divisor.value === 0n) return node("mod", dividend, divisor);
    const m = divisor.value;
    if (m < 0n) return mod(dividend, terms.int(-m));
    if (m === 1n) return terms.int(0n);
    if (dividend.kind === "int") return terms.int(euclideanMod(dividend.value, m));
    if (isWithin(rangeOf(dividend), 0n, m - 1n)) return dividend;
    const rest = reduce(dividend, m);
    if (rest.kind === "int") return terms.int(euclideanMod(rest.value, m));
    if (isWithin(rangeOf(rest), 0n, m - 1n)) return rest;
    return node("mod", rest, divisor);
  }

  function node(kind: "div" | "mod", dividend: Term, divisor: Term): Term {
    const shape: Omit<Division, "id"> = { kind, sort: "Int", dividend, divisor };
    return table.intern(`${kind === "div" ? "/" : "%"}${dividend.id},${divisor.id}`, shape);
  }

  /** `term = m * quotient + rest`: the quotient takes every monomial whose coefficient is a multiple of `m`. */
  function splitMultiples(term: Term, m: bigint): { quotient: Term; rest: Term } {
    if (term.kind !== "sum") return { quotient: terms.int(0n), rest: term };
    const multiples: Monomial[] = [];
    const others: Monomial[] = [];
    for (const monomial of term.monomials) {
      if (monomial.coefficient % m !== 0n) others.push(monomial);
      else multiples.push({ coefficient: monomial.coefficient / m, term: monomial.term });
    }
    return {
      quotient: terms.linear(multiples, euclideanDiv(term.constant, m)),
      rest: terms.linear(others, euclideanMod(term.constant, m)),
    };
  }

  /** A term congruent to `term` modulo `m`: coefficients of least absolute value, constant in `0 .. m - 1`. */
  function reduce(term: Term, m: bigint): Term {
    const monomials = term.kind === "sum" ? term.monomials : [{ coefficient: 1n, term }];
    const constant = term.kind === "sum" ? term.constant : 0n;
    let changed = false;
    const reduced = monomials.map((monomial) => {
      const inner = monomial.term;
      const nested = inner.kind === "mod" && inner.divisor.kind === "int" && inner.divisor.value % m === 0n;
      const least = leastResidue(monomial.coefficient, m);
      if (nested) changed = true;
      return { coefficient: least, term: nested ? inner.dividend : inner };
    });
    const result = terms.linear(reduced, euclideanMod(constant, m));
    return changed ? reduce(result, m) : result;
  }

  const isNonNegative = (term: Term, variables?: RangeOfVariable) => {
    const { min } = rangeOf(term, variables);
    return min !== null && min >= 0n;
  };

  /** The Euclidean operation agrees with C's on a non-negative dividend; a negative one is mirrored. */
  function truncating(operation: typeof div, dividend: Term, divisor: Term, variables?: RangeOfVariable): Term {
    const direct = operation(dividend, divisor);
    if (isNonNegative(dividend, variables)) return direct;
    const mirrored = terms.neg(operation(terms.neg(dividend), divisor));
    if (isNonNegative(terms.neg(dividend), variables)) return mirrored;
    return terms.ite(terms.ge(dividend, terms.int(0n)), direct, mirrored);
  }

  return {
    div,
    mod,
    truncatingDiv: (dividend, divisor, variables) => truncating(div, dividend, divisor, variables),
    truncatingRem: (dividend, divisor, variables) => truncating(mod, dividend, divisor, variables),
    wrap(term, bits, signed, variables) {
      const { min, max } = integerRange(bits, signed);
      if (isWithin(rangeOf(term, variables), min, max)) return term;
      const modulus = terms.int(1n << BigInt(bits));
      if (!signed) return mod(term, modulus);
      return terms.linear([{ coefficient: 1n, term: mod(terms.add(term, terms.int(-min)), modulus) }], min);
    },
    inRange(term, bits, signed) {
      const { min, max } = integerRange(bits, signed);
      return terms.and(terms.le(terms.int(min), term), terms.le(term, terms.int(max)));
    },
  };
}

export function integerRange(bits: number, signed: boolean): { readonly min: bigint; readonly max: bigint } {
  const size = 1n << BigInt(bits);
  return signed ? { min: -(size / 2n), max: size / 2n - 1n } : { min: 0n, max: size - 1n };
}

function leastResidue(value: bigint, m: bigint): bigint {
  const r = euclideanMod(value, m);
  return 2n * r > m ? r - m : r;
}
