import { conjuncts, isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables } from "../../logic/traverse.ts";

/** A definition gives a value to a variable that does not occur before; everything else is a constraint. */
export type TraceItem =
  | {
      readonly kind: "definition";
      readonly step: number;
      readonly formula: Term;
      readonly variable: Variable;
      readonly value: Term;
    }
  | { readonly kind: "constraint"; readonly step: number; readonly formula: Term };

export type TraceShape = {
  readonly steps: number;
  /** All conjuncts in order. */
  readonly items: readonly TraceItem[];
  /** The first and last step (from 1) in which a variable occurs. */
  readonly occurrence: ReadonlyMap<Variable, { readonly first: number; readonly last: number }>;
};

export function shapeOfTrace(terms: Terms, steps: readonly (readonly Term[])[]): TraceShape {
  const items: TraceItem[] = [];
  const occurrence = new Map<Variable, { first: number; last: number }>();
  for (const [index, formulas] of steps.entries()) {
    const step = index + 1;
    for (const formula of formulas.flatMap(conjuncts)) {
      if (isTrue(formula)) continue;
      const isFresh = (variable: Variable) => !occurrence.has(variable);
      const definition = asDefinition(terms, formula, isFresh);
      items.push(
        definition === null
          ? { kind: "constraint", step, formula }
          : { kind: "definition", step, formula, ...definition },
      );
      for (const variable of freeVariables(formula)) {
        const known = occurrence.get(variable);
        if (known === undefined) occurrence.set(variable, { first: step, last: step });
        else known.last = step;
      }
    }
  }
  return { steps: steps.length, items, occurrence };
}

/** Reads an equality (or a literal of sort Bool) as the value of a variable that `isFresh` accepts. */
export function asDefinition(
  terms: Terms,
  formula: Term,
  isFresh: (variable: Variable) => boolean,
): { readonly variable: Variable; readonly value: Term } | null {
  switch (formula.kind) {
    case "eq":
      return solveEquation(terms, formula.sum, formula.bound, isFresh);
    case "arrayEq": {
      const sides = [
        [formula.right, formula.left],
        [formula.left, formula.right],
      ] as const;
      for (const [variable, value] of sides)
        if (variable.kind === "variable" && isFresh(variable) && !occurs(variable, value)) return { variable, value };
      return null;
    }
    case "variable":
      return isFresh(formula) ? { variable: formula, value: terms.bool(true) } : null;
    case "not": {
      const { operand } = formula;
      return operand.kind === "variable" && isFresh(operand) ? { variable: operand, value: terms.bool(false) } : null;
    }
    case "ite":
      return solveEquivalence(terms, formula.condition, formula.whenTrue, formula.whenFalse, isFresh);
    default:
      return null;
  }
}

/** `sum = bound` for the newest variable with coefficient 1 or -1. */
function solveEquation(
  terms: Terms,
  sum: Term,
  bound: bigint,
  isFresh: (variable: Variable) => boolean,
): { variable: Variable; value: Term } | null {
  const monomials = sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
  for (const { coefficient, term } of monomials.toReversed()) {
    if (term.kind !== "variable" || (coefficient !== 1n && coefficient !== -1n) || !isFresh(term)) continue;
    const rest = monomials.filter((m) => m.term !== term);
    if (rest.some((m) => occurs(term, m.term))) continue;
    const value = terms.linear(
      rest.map((m) => ({ coefficient: -coefficient * m.coefficient, term: m.term })),
      coefficient * bound,
    );
    return { variable: term, value };
  }
  return null;
}

/** `p <=> f` is `ite(p, f, not f)` or `ite(f, p, not p)`. */
function solveEquivalence(
  terms: Terms,
  condition: Term,
  whenTrue: Term,
  whenFalse: Term,
  isFresh: (variable: Variable) => boolean,
): { variable: Variable; value: Term } | null {
  if (whenFalse !== terms.not(whenTrue)) return null;
  for (const [side, other] of [
    [whenTrue, condition],
    [condition, whenTrue],
  ] as const) {
    const variable = side.kind === "not" ? side.operand : side;
    if (variable.kind !== "variable" || !isFresh(variable) || occurs(variable, other)) continue;
    return { variable, value: side.kind === "not" ? terms.not(other) : other };
  }
  return null;
}

function occurs(variable: Variable, term: Term): boolean {
  return freeVariables(term).includes(variable);
}
