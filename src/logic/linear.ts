import { addRational, gcd, isZero, lcm, mulRational, type Rational, rational, zero } from "./numbers.ts";
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

/**
 * All linear equations that hold of every row: a basis of the vectors `c` with `c · row = 0`, as integers without a
 * common divisor, the first non-zero one positive. Fraction-free elimination, so nothing is rounded.
 */
export function nullSpace(rows: readonly (readonly bigint[])[], width: number): bigint[][] {
  const pivots: { column: number; row: bigint[] }[] = [];
  for (const given of rows) {
    const row = [...given];
    for (const pivot of pivots) eliminate(row, pivot.row, pivot.column);
    const column = row.findIndex((value) => value !== 0n);
    if (column === -1) continue;
    reduce(row);
    for (const pivot of pivots) eliminate(pivot.row, row, column);
    pivots.push({ column, row });
    if (pivots.length === width) return [];
  }
  const bound = new Set(pivots.map((pivot) => pivot.column));
  const basis: bigint[][] = [];
  for (let free = 0; free < width; free++) {
    if (bound.has(free)) continue;
    // Set the free coordinate to the product of the pivots, so that the others are whole.
    const scale = pivots.reduce((product, { column, row }) => lcm(product, row[column]!), 1n);
    const vector: bigint[] = new Array(width).fill(0n);
    vector[free] = scale;
    for (const { column, row } of pivots) vector[column] = (-row[free]! * scale) / row[column]!;
    reduce(vector);
    basis.push(vector);
  }
  return basis;
}

/** Subtracts a multiple of `pivot` (after scaling) so that `row[column]` is zero. */
function eliminate(row: bigint[], pivot: readonly bigint[], column: number): void {
  const factor = row[column]!;
  if (factor === 0n) return;
  const scale = pivot[column]!;
  for (let i = 0; i < row.length; i++) row[i] = row[i]! * scale - pivot[i]! * factor;
  reduce(row);
}

function reduce(row: bigint[]): void {
  let divisor = 0n;
  for (const value of row) divisor = gcd(divisor, value);
  const first = row.find((value) => value !== 0n);
  if (first === undefined) return;
  const signed = first < 0n ? -divisor : divisor;
  if (signed !== 1n) for (let i = 0; i < row.length; i++) row[i] = row[i]! / signed;
}
