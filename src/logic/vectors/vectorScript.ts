import { assertNever } from "../../base/errors.ts";
import { euclideanMod } from "../linear.ts";
import { printSymbol } from "../printSmtLib.ts";
import type { Range } from "../range.ts";
import type { BitOperation, Division, Monomial, Sum, Term, Variable } from "../term.ts";
import { freeVariablesOf, postOrder } from "../traverse.ts";
import { type BoundedRange, isBounded, termRanges, variableBounds } from "./bounds.ts";

/** Formulas over bounded integers as formulas over bit vectors. */
export type VectorScript = {
  /** Declarations with the range of each number, and definitions, in order. */
  readonly commands: readonly string[];
  readonly texts: readonly string[];
  /** The declared vectors, in two's complement, and truth values (`width` null). */
  readonly variables: readonly { readonly variable: Variable; readonly width: number | null }[];
  /** The largest width of a multiplication or of a division by a non-constant; 0 if there is none. */
  readonly nonlinear: number;
};

/** null for arrays, functions, quantifiers and unbounded numbers. `asserted`, which gives bounds, must be asserted. */
export function vectorScript(formulas: readonly Term[], asserted: readonly Term[]): VectorScript | null {
  const order = postOrder(formulas);
  const rangeOf = termRanges(order, variableBounds(asserted));
  try {
    const variables = freeVariablesOf(formulas).map((variable) => ({
      variable,
      width: declaredWidth(variable, rangeOf),
    }));
    const names = wantedTexts(formulas, order, rangeOf);
    const commands = variables.flatMap(({ variable, width }) => [
      `(declare-fun ${printSymbol(variable.name)} () ${sortText(width)})`,
      ...(width === null ? [] : [rangeText(variable, width, boundedRange(rangeOf(variable)))]),
    ]);
    const texts = new Map<Term, Map<number | null, string>>();
    const use: Use = (term, width) => texts.get(term)!.get(width)!;
    for (const term of order) {
      const own = new Map<number | null, string>();
      texts.set(term, own);
      // Wider ones are made from narrower ones.
      for (const width of [...(names.get(term) ?? [])].sort((a, b) => (a ?? 0) - (b ?? 0))) {
        const text = textOf(term, width, rangeOf, use);
        if (isShort(term, text)) own.set(width, text);
        else {
          const name = width === null ? `tf!v${term.id}` : `tf!v${term.id}_${width}`;
          commands.push(`(define-fun ${name} () ${sortText(width)} ${text})`);
          own.set(width, name);
        }
      }
    }
    const asked = formulas.map((formula) => use(formula, null));
    return { commands, texts: asked, variables, nonlinear: nonlinearWidth(names, rangeOf) };
  } catch (error) {
    if (error instanceof NoVector) return null;
    throw error;
  }
}

/** The widths in which each term is used: a first pass that prints nothing. */
function wantedTexts(
  formulas: readonly Term[],
  order: readonly Term[],
  rangeOf: (term: Term) => Range,
): ReadonlyMap<Term, ReadonlySet<number | null>> {
  const wanted = new Map<Term, Set<number | null>>();
  const want: Use = (term, width) => {
    const known = wanted.get(term);
    if (known === undefined) wanted.set(term, new Set([width]));
    else known.add(width);
    return "";
  };
  for (const formula of formulas) want(formula, null);
  for (const term of order.toReversed()) {
    // A use in more bits than the term has also needs its own width: the set grows meanwhile.
    for (const width of wanted.get(term) ?? []) textOf(term, width, rangeOf, want);
  }
  return wanted;
}

function nonlinearWidth(wanted: ReadonlyMap<Term, ReadonlySet<number | null>>, rangeOf: (term: Term) => Range): number {
  let widest = 0;
  for (const [term, widths] of wanted) {
    if (term.kind === "product") widest = Math.max(widest, ...[...widths].map((width) => width ?? 0));
    const isDivision = term.kind === "div" || term.kind === "mod";
    if (isDivision && term.divisor.kind !== "int") {
      widest = Math.max(widest, widthOf(boundedRange(rangeOf(term.dividend))));
    }
  }
  return widest;
}

function textOf(term: Term, width: number | null, rangeOf: (term: Term) => Range, use: Use): string {
  return width === null ? formulaText(term, rangeOf, use) : vectorText(term, width, rangeOf, use);
}

function formulaText(term: Term, rangeOf: (term: Term) => Range, use: Use): string {
  switch (term.kind) {
    case "bool":
      return `${term.value}`;
    case "variable":
      return printSymbol(term.name);
    case "not":
      return `(not ${use(term.operand, null)})`;
    case "and":
    case "or":
      return `(${term.kind} ${term.arguments.map((argument) => use(argument, null)).join(" ")})`;
    case "ite":
      return `(ite ${use(term.condition, null)} ${use(term.whenTrue, null)} ${use(term.whenFalse, null)})`;
    case "le":
      return comparisonText("bvsle", term.sum, term.bound, rangeOf, use);
    case "eq":
      return comparisonText("=", term.sum, term.bound, rangeOf, use);
    default:
      throw new NoVector();
  }
}

function declaredWidth(variable: Variable, rangeOf: (term: Term) => Range): number | null {
  if (variable.sort === "Bool") return null;
  if (variable.sort === "Array" || !isBounded(rangeOf(variable))) throw new NoVector();
  return widthOf(boundedRange(rangeOf(variable)));
}

/** The range is asserted separately; sums in it take no more bits than it needs. */
function rangeText(variable: Variable, width: number, { min, max }: BoundedRange): string {
  const name = printSymbol(variable.name);
  return `(assert (and (bvsle ${literal(min, width)} ${name}) (bvsle ${name} ${literal(max, width)})))`;
}

function sortText(width: number | null): string {
  return width === null ? "Bool" : `(_ BitVec ${width})`;
}

function isShort(term: Term, text: string): boolean {
  return term.kind === "int" || term.kind === "bool" || !text.startsWith("(");
}

/** Thrown if a formula has no bit-vector form. */
export class NoVector extends Error {}

/** Longer vectors would not be answered anyway. */
const mostBits = 600;

/** The text of a subterm: the low `width` bits of an integer, or, with null, a formula. */
export type Use = (term: Term, width: number | null) => string;

/** The two's complement bits for all numbers of a range. */
export function widthOf({ min, max }: BoundedRange): number {
  const bits = (value: bigint) => (value < 0n ? -value - 1n : value).toString(2).length + 1;
  const width = Math.max(min === 0n ? 1 : bits(min), max === 0n ? 1 : bits(max));
  if (width > mostBits) throw new NoVector();
  return width;
}

export function boundedRange(range: Range): BoundedRange {
  if (!isBounded(range)) throw new NoVector();
  return range;
}

/**
 * Bounded integers as bit vectors. Invariant: the text for a term and a width k is the term modulo 2^k, and equals the
 * term if k bits hold its range in two's complement. So sums and products need only the bits asked for, and `mod 2^k`,
 * which is frequent in C, is free. Exact except that division by zero gives 0; no formula depends on it, since every
 * use states that the divisor is not 0.
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

/** `sum <= bound` and `sum = bound`, with negative coefficients moved to the other side. */
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

function rangeOfSum(monomials: readonly Monomial[], constant: bigint, rangeOf: (term: Term) => Range): BoundedRange {
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
