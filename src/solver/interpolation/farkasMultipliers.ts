import { nth, present } from "../../base/checked.ts";
import {
  addRational,
  compareRational,
  divRational,
  isZero,
  type LinearExpression,
  mulRational,
  negRational,
  one,
  type Rational,
  rational,
  zero,
} from "../../logic/linear.ts";
import { readSExpressions, type SExpression } from "../../logic/parseSmtLib.ts";
import type { Term } from "../../logic/term.ts";
import type { Limits, Solver } from "../solver.ts";

/** `expression <= 0`, or `= 0`, over undefined variables. */
export type BaseConstraint = { readonly relation: "<=" | "="; readonly expression: LinearExpression };

/** By index of the constraint; positive for inequalities. */
export type Multipliers = ReadonlyMap<number, Rational>;

/** A half space `direction · x + constant <= 0`, `factor` times its constraint. */
type Side = {
  readonly constraint: number;
  readonly factor: Rational;
  readonly constant: Rational;
  readonly expression: LinearExpression;
};

/**
 * Multipliers that add the constraints up to a positive constant: by Farkas' lemma a proof that they contradict in the
 * rationals. null if there are none, or the solver does not find them. Contradictions of one or two constraints are
 * found without the solver, later ones first; else it gets only the tightest ones in each direction.
 */
export function findMultipliers(
  constraints: readonly BaseConstraint[],
  solver: Solver,
  limits?: Partial<Limits>,
): Multipliers | null {
  const tightest = new Map<string, Side>();
  for (let index = constraints.length - 1; index >= 0; index--) {
    const { relation, expression } = nth(constraints, index);
    if (expression.coefficients.size === 0) {
      if (compareRational(expression.constant, zero) > 0) return new Map([[index, one]]);
      if (relation === "=" && !isZero(expression.constant)) return new Map([[index, negRational(one)]]);
      continue;
    }
    for (const sign of relation === "=" ? [1n, -1n] : [1n]) {
      const side = sideOf(index, expression, sign);
      const key = directionKey(side.expression);
      const known = tightest.get(key);
      if (known === undefined || compareRational(side.constant, known.constant) > 0) tightest.set(key, side);
    }
  }
  for (const side of tightest.values()) {
    const opposite = tightest.get(directionKey(side.expression, -1n));
    if (opposite === undefined || compareRational(addRational(side.constant, opposite.constant), zero) <= 0) continue;
    return collect([
      [side, one],
      [opposite, one],
    ]);
  }
  return askSolver([...tightest.values()], solver, limits);
}

/** Scaled so that the coefficient of the first variable is 1 or -1. */
function sideOf(constraint: number, expression: LinearExpression, sign: bigint): Side {
  const first = firstCoefficient(expression);
  const size = first.numerator < 0n ? negRational(first) : first;
  const factor = divRational(rational(sign), size);
  const coefficients = new Map<Term, Rational>();
  for (const [term, c] of expression.coefficients) coefficients.set(term, mulRational(factor, c));
  const constant = mulRational(factor, expression.constant);
  return { constraint, factor, constant, expression: { coefficients, constant } };
}

function firstCoefficient({ coefficients }: LinearExpression): Rational {
  let first: Term | null = null;
  for (const term of coefficients.keys()) if (first === null || term.id < first.id) first = term;
  return present(coefficients.get(first!));
}

function directionKey({ coefficients }: LinearExpression, sign = 1n): string {
  return [...coefficients]
    .sort(([a], [b]) => a.id - b.id)
    .map(([term, c]) => `${term.id}:${sign * c.numerator}/${c.denominator}`)
    .join();
}

function collect(parts: readonly (readonly [Side, Rational])[]): Multipliers {
  const result = new Map<number, Rational>();
  for (const [side, weight] of parts) {
    const sum = addRational(result.get(side.constraint) ?? zero, mulRational(weight, side.factor));
    if (isZero(sum)) result.delete(side.constraint);
    else result.set(side.constraint, sum);
  }
  return result;
}

/** One query of linear rational arithmetic: weights of the sides that cancel every variable and leave 1. */
function askSolver(sides: readonly Side[], solver: Solver, limits?: Partial<Limits>): Multipliers | null {
  if (sides.length === 0) return null;
  const sums = new Map<Term, string[]>();
  const constants: string[] = [];
  const lines = ["(set-option :produce-models true)", "(set-logic QF_LRA)"];
  for (const [i, side] of sides.entries()) {
    lines.push(`(declare-fun w${i} () Real)(assert (>= w${i} 0.0))`);
    for (const [term, c] of side.expression.coefficients) {
      const parts = sums.get(term);
      if (parts === undefined) sums.set(term, [`(* ${printRational(c)} w${i})`]);
      else parts.push(`(* ${printRational(c)} w${i})`);
    }
    constants.push(`(* ${printRational(side.constant)} w${i})`);
  }
  for (const parts of [...sums.values()]) lines.push(`(assert (= ${printSum(parts)} 0.0))`);
  lines.push(`(assert (= ${printSum(constants)} 1.0))`, "(check-sat)");
  lines.push(`(get-value (${sides.map((_, i) => `w${i}`).join(" ")}))`);
  // If there are no weights, asking for their values is an error: null either way.
  const output = solver.run(lines.join("\n"), limits);
  if (output.kind === "unknown") return null;
  const [verdict, pairs] = readSExpressions(output.text);
  if (verdict !== "sat" || !Array.isArray(pairs) || pairs.length !== sides.length) return null;
  const weighted: (readonly [Side, Rational])[] = [];
  for (const [i, side] of sides.entries()) {
    const weight = readRational(nth(pairs[i] as readonly SExpression[], 1));
    if (weight === null) return null;
    if (!isZero(weight)) weighted.push([side, weight]);
  }
  return collect(weighted);
}

function printSum(parts: readonly string[]): string {
  return parts.length === 1 ? nth(parts, 0) : `(+ ${parts.join(" ")})`;
}

function printRational({ numerator, denominator }: Rational): string {
  const size = numerator < 0n ? -numerator : numerator;
  const text = denominator === 1n ? `${size}.0` : `(/ ${size}.0 ${denominator}.0)`;
  return numerator < 0n ? `(- ${text})` : text;
}

function readRational(expression: SExpression): Rational | null {
  if (typeof expression === "string") {
    const match = /^(\d+)(?:\.(\d+))?$/.exec(expression);
    if (match === null) return null;
    const decimals = match[2] ?? "";
    return rational(BigInt(nth(match, 1) + decimals), 10n ** BigInt(decimals.length));
  }
  const [head, a, b] = expression;
  const left = a === undefined ? null : readRational(a);
  if (left === null) return null;
  if (head === "-" && b === undefined) return negRational(left);
  const right = b === undefined ? null : readRational(b);
  return head === "/" && right !== null && !isZero(right) ? divRational(left, right) : null;
}
