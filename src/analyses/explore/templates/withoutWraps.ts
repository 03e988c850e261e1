import { euclideanDiv } from "../../../logic/linear.ts";
import type { Term } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { postOrder, substitute } from "../../../logic/traverse.ts";

export type Implies = (assumptions: readonly Term[], goal: Term) => boolean;

export type Unwrapped = {
  readonly values: readonly Term[];
  readonly assumptions: readonly Term[];
  /** The condition that nothing wraps, if it does not follow from the assumptions. */
  readonly condition: Term;
};

/** Narrower types usually wrap on purpose. */
const leastModulus = 1n << 31n;

/**
 * Unsigned and wrapping arithmetic is modulo 2^n; without the modulus, progressions are linear. It is dropped if a
 * round cannot wrap; otherwise the template covers only rounds that do not wrap, and other rounds leave the cycle.
 */
export function withoutWraps(
  terms: Terms,
  assumptions: readonly Term[],
  values: readonly Term[],
  implies: Implies,
): Unwrapped {
  const simple = new Map<Term, Term>();
  const conditions: Term[] = [];
  const done: Term[] = [];
  const unwrap = (term: Term): Term => {
    let current = substitute(terms, term, simple);
    for (let i = 0; i < 20; i++) {
      const wrap = postOrder([current]).find(isWrap);
      if (wrap?.kind !== "mod") break;
      const whole = reducedBy(terms, wrap.dividend, wrap.divisor);
      for (const fits of [terms.ge(whole, terms.int(0n)), terms.lt(whole, wrap.divisor)]) {
        if (!implies([...done, ...conditions], fits)) conditions.push(fits);
      }
      simple.set(wrap, whole);
      current = substitute(terms, current, new Map([[wrap, whole]]));
    }
    return current;
  };
  for (const assumption of assumptions) done.push(unwrap(assumption));
  const unwrapped = values.map(unwrap);
  return { values: unwrapped, assumptions: done, condition: terms.all(conditions) };
}

function isWrap(term: Term): boolean {
  return term.kind === "mod" && term.divisor.kind === "int" && term.divisor.value > leastModulus;
}

/** A typical number of a program. */
const usualValue = 1000n;

/** Removes the multiples of the modulus that the dividend has for typical values: `x - 1` for `x + (2^32 - 1)`. */
function reducedBy(terms: Terms, dividend: Term, divisor: Term): Term {
  if (dividend.kind !== "sum" || divisor.kind !== "int") return dividend;
  const usual = dividend.monomials.reduce((sum, { coefficient }) => sum + coefficient * usualValue, dividend.constant);
  const multiples = euclideanDiv(usual, divisor.value);
  return terms.sub(dividend, terms.scale(multiples, divisor));
}
