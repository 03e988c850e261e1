import type { Term } from "./term.ts";
import type { Terms } from "./terms.ts";

/** Integer functions that `bigint` lacks; `div` and `mod` are those of SMT-LIB. */

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = absolute(a);
  let y = absolute(b);
  if (x === 1n || y === 1n) return 1n;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function lcm(a: bigint, b: bigint): bigint {
  return a === 0n || b === 0n ? 0n : absolute((a / gcd(a, b)) * b);
}

/** The remainder is in `0 .. |divisor| - 1`; the divisor is not 0. */
export function euclideanMod(dividend: bigint, divisor: bigint): bigint {
  const r = dividend % divisor;
  return r < 0n ? r + absolute(divisor) : r;
}

export function euclideanDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend - euclideanMod(dividend, divisor)) / divisor;
}

export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const q = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? q - 1n : q;
}

export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** An exact rational in lowest terms with a positive denominator, so equal numbers have equal fields. */
export type Rational = { readonly numerator: bigint; readonly denominator: bigint };

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError("denominator 0");
  const sign = denominator < 0n ? -1n : 1n;
  if (denominator * sign === 1n) return { numerator: numerator * sign, denominator: 1n };
  const divisor = gcd(numerator, denominator) * sign;
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export const zero: Rational = { numerator: 0n, denominator: 1n };
export const one: Rational = { numerator: 1n, denominator: 1n };

export function addRational(a: Rational, b: Rational): Rational {
  if (a.denominator === 1n && b.denominator === 1n) return { numerator: a.numerator + b.numerator, denominator: 1n };
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function mulRational(a: Rational, b: Rational): Rational {
  if (a.denominator === 1n && b.denominator === 1n) return { numerator: a.numerator * b.numerator, denominator: 1n };
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function negRational(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

export function divRational(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function compareRational(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isZero(a: Rational): boolean {
  return a.numerator === 0n;
}

/**
 * An integer term as a linear expression: rational coefficients of terms that are not sums (variables, but also
 * products, reads, quotients, which count as unknowns), plus a constant. No coefficient is zero.
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

/** An `le` or `eq` as a constraint; null for every other formula (a disequality is a case split). */
export function linearConstraint(formula: Term): LinearConstraint | null {
  if (formula.kind !== "le" && formula.kind !== "eq") return null;
  const { coefficients, constant } = linearView(formula.sum);
  const expression = { coefficients, constant: addRational(constant, rational(-formula.bound)) };
  return { relation: formula.kind === "le" ? "<=" : "=", expression };
}

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
 * All linear equations that hold for every row: a basis of the vectors `c` with `c · row = 0`, as coprime integers, the
 * first non-zero one positive. Fraction-free elimination, so nothing is rounded.
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
    // Sets the free coordinate to the product of the pivots, so that the others are whole.
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
