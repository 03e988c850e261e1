import { lcm } from "./integer.ts";
import { addRational, isZero, mulRational, type Rational, rational, zero } from "./rational.ts";
import type { Term } from "./term.ts";
import type { Terms } from "./terms.ts";

/**
 * The linear view of an integer term: rational coefficients of terms that are not sums (variables, but also products,
 * reads, quotients, which linear reasoning takes as unknowns), plus a constant. No coefficient is zero.
 */
export type LinearExpression = { readonly coefficients: ReadonlyMap<Term, Rational>; readonly constant: Rational };

export type LinearConstraint = {
  /** `expression <= 0` or `expression = 0`. */
  readonly relation: "<=" | "=";
  readonly expression: LinearExpression;
};

export function constantExpression(constant: Rational): LinearExpression {
  return { coefficients: new Map(), constant };
}

export const zeroExpression: LinearExpression = constantExpression(zero);

export function linearView(term: Term): LinearExpression {
  if (term.kind === "int") return constantExpression(rational(term.value));
  if (term.kind !== "sum") return { coefficients: new Map([[term, rational(1n)]]), constant: zero };
  const coefficients = new Map<Term, Rational>();
  for (const m of term.monomials) coefficients.set(m.term, rational(m.coefficient));
  return { coefficients, constant: rational(term.constant) };
}

/** The view of an `le` or `eq`; null for every other formula (a disequality is a case split, not a constraint). */
export function linearConstraint(formula: Term): LinearConstraint | null {
  if (formula.kind !== "le" && formula.kind !== "eq") return null;
  const { coefficients, constant } = linearView(formula.sum);
  const expression = { coefficients, constant: addRational(constant, rational(-formula.bound)) };
  return { relation: formula.kind === "le" ? "<=" : "=", expression };
}

/** `a + factor * b`. */
export function addScaled(a: LinearExpression, factor: Rational, b: LinearExpression): LinearExpression {
  if (isZero(factor)) return a;
  const coefficients = new Map(a.coefficients);
  for (const [term, coefficient] of b.coefficients) {
    const sum = addRational(coefficients.get(term) ?? zero, mulRational(factor, coefficient));
    if (isZero(sum)) coefficients.delete(term);
    else coefficients.set(term, sum);
  }
  return { coefficients, constant: addRational(a.constant, mulRational(factor, b.constant)) };
}

/** The expression times the least common multiple of its denominators, as a term; with that multiple. */
export function expressionTerm(terms: Terms, a: LinearExpression): { readonly term: Term; readonly multiple: bigint } {
  let multiple = a.constant.denominator;
  for (const c of a.coefficients.values()) multiple = lcm(multiple, c.denominator);
  const integer = (r: Rational) => (r.numerator * multiple) / r.denominator;
  const monomials = [...a.coefficients].map(([term, c]) => ({ coefficient: integer(c), term }));
  return { term: terms.linear(monomials, integer(a.constant)), multiple };
}
