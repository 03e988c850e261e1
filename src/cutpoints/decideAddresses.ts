import { absolute } from "../logic/linear.ts";
import { rangeOf } from "../logic/range.ts";
import type { Junction, Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { createRewriter } from "../logic/traverse.ts";
import { areDistinct } from "../symbolic/createProver.ts";
import { objectDistance, type Symbols } from "../symbolic/symbols.ts";

/**
 * Decides questions about addresses that follow from where objects are: none at zero, and each two of them far apart. The
 * solver is told the same (`axiomsFor`); decided here, pointers that are known are followed by computing.
 */
export function decideAddresses(symbols: Symbols): (root: Term) => Term {
  return createRewriter(
    symbols.terms,
    (term) => decided(symbols, term),
    ({ kind }) => kind !== "forall" && kind !== "exists",
  );
}

function decided(symbols: Symbols, term: Term): Term {
  const { terms } = symbols;
  if (term.kind === "eq") {
    if (absolute(term.bound) < gapOf(symbols, term.sum)) return terms.bool(false);
    return term;
  }
  if (term.kind === "le" && isBase(symbols, term.sum)) {
    const { min, max } = rangeOf(term.sum, symbols.range);
    if (max !== null && max <= term.bound) return terms.bool(true);
    if (min !== null && min > term.bound) return terms.bool(false);
  }
  if ((term.kind === "and" || term.kind === "or") && isDecided(symbols, terms, term)) {
    return terms.bool(term.kind === "or");
  }
  return term;
}

/** `0 <= d` and `d <= 7` of a distance between two objects, or the opposite of both. */
function isDecided(symbols: Symbols, terms: Terms, junction: Junction): boolean {
  return junction.arguments.some((upper) => {
    if (upper.kind !== "le") return false;
    const gap = gapOf(symbols, upper.sum);
    if (gap === 0n) return false;
    const opposite = terms.neg(upper.sum);
    const lower = junction.arguments.find((other) => other.kind === "le" && other.sum === opposite);
    if (lower?.kind !== "le") return false;
    // The values in between: of a conjunction those that it allows, of a disjunction those that it does not.
    const [from, to] = junction.kind === "and" ? [-lower.bound, upper.bound] : [upper.bound + 1n, -lower.bound - 1n];
    return from > -gap && to < gap;
  });
}

/** So large that the term is never closer to zero; 0 where that is not known. */
function gapOf(symbols: Symbols, term: Term): bigint {
  if (isBase(symbols, term)) return objectDistance;
  if (term.kind === "sum" && term.monomials.length === 1 && term.constant === 0n) {
    const [{ coefficient, term: part }] = term.monomials as readonly [Monomial];
    return coefficient === -1n ? gapOf(symbols, part) : 0n;
  }
  if (term.kind === "div" && term.divisor.kind === "int" && term.divisor.value > 0n) {
    const constant = term.dividend.kind === "sum" ? term.dividend.constant : 0n;
    const gap = isDistance(symbols, term.dividend) ? objectDistance - absolute(constant) : 0n;
    return gap <= 0n ? 0n : gap / term.divisor.value - 1n;
  }
  return term.kind === "sum" && term.constant === 0n && isDistance(symbols, term) ? objectDistance : 0n;
}

type Monomial = { readonly coefficient: bigint; readonly term: Term };

function isBase(symbols: Symbols, term: Term): boolean {
  return term.kind === "variable" && symbols.objectWithBase(term) !== null;
}

/** The distance of the beginnings of two objects, and perhaps a number. */
function isDistance(symbols: Symbols, term: Term): boolean {
  if (term.kind !== "sum" || term.monomials.length !== 2) return false;
  const [a, b] = term.monomials as readonly [Monomial, Monomial];
  if (a.coefficient ** 2n !== 1n || a.coefficient !== -b.coefficient) return false;
  if (a.term.kind !== "variable" || b.term.kind !== "variable") return false;
  return areDistinct(symbols, a.term, b.term);
}
