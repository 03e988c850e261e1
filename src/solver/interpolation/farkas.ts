import { nth } from "../../base/checked.ts";
import { Defect } from "../../base/errors.ts";
import {
  addScaled,
  compareRational,
  constantExpression,
  divRational,
  expressionTerm,
  isZero,
  type LinearConstraint,
  type LinearExpression,
  linearConstraint,
  negRational,
  type Rational,
  zero,
  zeroExpression,
} from "../../logic/linear.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { Limits, Solver } from "../solver.ts";
import { type BaseConstraint, findMultipliers, type Multipliers } from "./farkasMultipliers.ts";
import type { TraceShape } from "./traceShape.ts";

/** An item of the trace as a linear constraint; `defines` is the variable that only it introduces. */
type LinearItem = LinearConstraint & { readonly step: number; readonly defines: Variable | null };

/**
 * Sequence interpolants of a conjunctive linear trace from one Farkas certificate (see docs/solver.md). Multipliers add
 * all constraints up to a positive constant `c`; the sum over the first `i` steps, `P_i <= 0`, is an interpolant at
 * position `i`, since the rest, `c - P_i`, consists of the other steps. Exact rationals. null if the trace is not of
 * that shape or has no certificate (it is feasible, at least in the rationals).
 */
export function interpolateFarkas(
  terms: Terms,
  shape: TraceShape,
  solver: Solver,
  limits?: Partial<Limits>,
): readonly Term[] | null {
  const items = linearItems(shape);
  if (items === null) return null;
  const base = substituteForward(items);
  const found = findMultipliers(base.constraints, solver, limits);
  if (found === null) return null;
  const multipliers = completeBackwards(items, base.indices, found);
  const prefixes = prefixSums(shape.steps, items, multipliers);
  return prefixes.slice(1, -1).map((prefix) => interpolantOf(terms, prefix, prefixes.at(-1)!.constant));
}

function linearItems(shape: TraceShape): readonly LinearItem[] | null {
  const result: LinearItem[] = [];
  for (const item of shape.items) {
    const constraint = linearConstraint(item.formula);
    if (constraint === null) {
      if (item.formula.kind !== "bool") return null;
      result.push({
        relation: "<=",
        expression: constantExpression({ numerator: 1n, denominator: 1n }),
        step: item.step,
        defines: null,
      });
      continue;
    }
    for (const term of constraint.expression.coefficients.keys()) if (term.kind !== "variable") return null;
    result.push({ ...constraint, step: item.step, defines: item.kind === "definition" ? item.variable : null });
  }
  return result;
}

/** Substitutes defined variables; the constraints over the others remain. */
function substituteForward(items: readonly LinearItem[]): { constraints: BaseConstraint[]; indices: number[] } {
  const values = new Map<Term, LinearExpression>();
  const constraints: BaseConstraint[] = [];
  const indices: number[] = [];
  for (const [index, item] of items.entries()) {
    let expression = constantExpression(item.expression.constant);
    let own: Rational | null = null;
    for (const [term, coefficient] of item.expression.coefficients) {
      if (term === item.defines) {
        own = coefficient;
        continue;
      }
      const value = values.get(term) ?? { coefficients: new Map([[term, oneRational]]), constant: zero };
      expression = addScaled(expression, coefficient, value);
    }
    if (item.defines !== null && own !== null)
      values.set(item.defines, addScaled(zeroExpression, negRational(divRational(oneRational, own)), expression));
    else {
      constraints.push({ relation: item.relation, expression });
      indices.push(index);
    }
  }
  return { constraints, indices };
}

const oneRational: Rational = { numerator: 1n, denominator: 1n };

/**
 * Multipliers of the definitions, one per item: going backwards, each cancels its variable, which occurs only later.
 */
function completeBackwards(
  items: readonly LinearItem[],
  indices: readonly number[],
  found: Multipliers,
): readonly Rational[] {
  const result: Rational[] = items.map(() => zero);
  for (const [constraint, multiplier] of found) result[nth(indices, constraint)] = multiplier;
  let sum = zeroExpression;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = nth(items, index);
    const present = item.defines === null ? undefined : sum.coefficients.get(item.defines);
    if (present !== undefined) {
      const own = item.expression.coefficients.get(item.defines!)!;
      result[index] = negRational(divRational(present, own));
    }
    sum = addScaled(sum, nth(result, index), item.expression);
  }
  return result;
}

/** `P_0 … P_n`, recomputed from the items; fails unless they prove the contradiction. */
function prefixSums(
  steps: number,
  items: readonly LinearItem[],
  multipliers: readonly Rational[],
): readonly LinearExpression[] {
  const sums: LinearExpression[] = [zeroExpression];
  let sum = zeroExpression;
  let next = 0;
  for (let step = 1; step <= steps; step++) {
    while (next < items.length && nth(items, next).step === step) {
      const multiplier = nth(multipliers, next);
      const item = nth(items, next);
      if (item.relation === "<=" && multiplier.numerator < 0n) throw new Defect("negative Farkas multiplier");
      if (!isZero(multiplier)) sum = addScaled(sum, multiplier, item.expression);
      next++;
    }
    sums.push(sum);
  }
  if (sum.coefficients.size > 0 || compareRational(sum.constant, zero) <= 0) throw new Defect("no Farkas certificate");
  return sums;
}

/**
 * `P <= 0` is the strongest interpolant of the certificate. This is the weakest: the rest, `c - P`, is still positive.
 * Over the integers that is `m*P <= m*c - 1`, with integers `m*P` and `m*c`.
 */
function interpolantOf(terms: Terms, prefix: LinearExpression, constant: Rational): Term {
  const rest = addScaled(constantExpression(constant), { numerator: -1n, denominator: 1n }, prefix);
  const { term } = expressionTerm(terms, rest);
  return terms.ge(term, terms.int(1n));
}
