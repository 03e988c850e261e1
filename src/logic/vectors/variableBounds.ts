import { hull, type Range, unboundedRange } from "../range.ts";
import { conjuncts, type Term, type Variable } from "../term.ts";

/** What the conjuncts of formulas say of single variables, each by itself: `x <= 7`, `x = 3`, `x = 1 or x = 4`. */
export function variableBounds(formulas: readonly Term[]): ReadonlyMap<Variable, Range> {
  const bounds = new Map<Variable, Range>();
  for (const formula of formulas) {
    for (const conjunct of conjuncts(formula)) {
      const found = boundOf(conjunct);
      if (found === null) continue;
      bounds.set(found.variable, meet(bounds.get(found.variable) ?? unboundedRange, found.range));
    }
  }
  return bounds;
}

type Bound = { readonly variable: Variable; readonly range: Range };

function boundOf(formula: Term): Bound | null {
  if (formula.kind === "or") return boundOfAll(formula.arguments);
  if (formula.kind === "and") return null;
  if (formula.kind !== "le" && formula.kind !== "eq") return null;
  const { sum, bound } = formula;
  if (sum.kind === "variable") {
    return { variable: sum, range: { min: formula.kind === "eq" ? bound : null, max: bound } };
  }
  if (formula.kind === "eq" || sum.kind !== "sum" || sum.monomials.length !== 1 || sum.constant !== 0n) return null;
  const [{ coefficient, term }] = sum.monomials as readonly [(typeof sum.monomials)[number]];
  if (coefficient !== -1n || term.kind !== "variable") return null;
  return { variable: term, range: { min: -bound, max: null } };
}

/** Several values of one variable. */
function boundOfAll(choices: readonly Term[]): Bound | null {
  const all = choices.map(boundOf);
  const [first] = all;
  if (first === null || first === undefined) return null;
  let { range } = first;
  for (const one of all) {
    if (one === null || one.variable !== first.variable) return null;
    range = hull(range, one.range);
  }
  return { variable: first.variable, range };
}

function meet(a: Range, b: Range): Range {
  return {
    min: a.min === null || (b.min !== null && b.min > a.min) ? b.min : a.min,
    max: a.max === null || (b.max !== null && b.max < a.max) ? b.max : a.max,
  };
}
