import { evaluate } from "../../logic/evaluate.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import type { Value } from "../../logic/value.ts";
import type { Transition } from "./traceFormula.ts";

/**
 * What follows from formulas without a solver: an equation with one variable left gives that variable's value. In order,
 * as statements compute. `mayLearn` says of which variables.
 */
export function propagateValues(
  values: Map<Variable, Value>,
  formulas: readonly Term[],
  mayLearn: (variable: Variable) => boolean = () => true,
): void {
  const assignment = (variable: Variable) => values.get(variable);
  for (const part of formulas.flatMap(conjuncts)) {
    if (part.kind !== "eq") continue;
    const { sum, bound } = part;
    if (sum.kind === "variable") {
      if (mayLearn(sum)) values.set(sum, bound);
      continue;
    }
    if (sum.kind !== "sum") continue;
    const open = sum.monomials.filter(({ term }) => typeof evaluate(term, assignment) !== "bigint");
    const [only] = open;
    if (open.length !== 1 || only!.term.kind !== "variable" || !mayLearn(only!.term)) continue;
    const known = sum.monomials
      .filter((monomial) => monomial !== only)
      .reduce(
        (total, { coefficient, term }) => total + coefficient * (evaluate(term, assignment) as bigint),
        sum.constant,
      );
    if (only!.coefficient === 1n) values.set(only!.term, bound - known);
    else if (only!.coefficient === -1n) values.set(only!.term, known - bound);
  }
}

/** The values that the definitions of a run fix, each from the definitions that it depends on alone. */
export function definedValues(transitions: readonly Transition[]): ReadonlyMap<Variable, Value> {
  const values = new Map<Variable, Value>();
  for (const { formula, writes } of transitions) {
    if (writes.length === 0) continue;
    propagateValues(values, [formula], (variable) => writes.some(({ version }) => version === variable));
  }
  return values;
}
