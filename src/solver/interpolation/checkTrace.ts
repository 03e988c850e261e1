import { nth, present } from "../../base/checked.ts";
import type { Value } from "../../logic/evaluate.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { createGrowingSubstituter, freeVariables } from "../../logic/traverse.ts";
import { createModel, type Model } from "../answers.ts";
import type { CheckResult, Limits, Solver } from "../solver.ts";
import type { TraceShape } from "./traceShape.ts";

/** Larger cores are not made irredundant. */
const minimiseUpTo = 40;

/** A definition with more summands is left to the solver: unfolding sums of sums would be quadratic. */
const summandLimit = 40;

/**
 * Whether the trace is feasible, and if not, which constraints contradict. Definitions are unfolded first, so that the
 * solver sees conditions on the inputs and irrelevant definitions vanish.
 */
export function checkTrace(terms: Terms, shape: TraceShape, solver: Solver, limits?: Partial<Limits>): CheckResult {
  const { apply, replace } = createGrowingSubstituter(terms);
  const kept: Term[] = [];
  const origin = new Map<Term, Term>();
  for (const item of shape.items) {
    if (item.kind === "definition") {
      const value = apply(item.value);
      if (value.kind === "sum" && value.monomials.length > summandLimit) kept.push(terms.eq(item.variable, value));
      else replace(item.variable, value);
      continue;
    }
    const condition = apply(item.formula);
    if (isFalse(condition)) return { kind: "unsat", core: [item.formula] };
    if (!isTrue(condition)) origin.set(condition, item.formula);
  }
  const conditions = [...origin.keys()];
  const options = limits && { limits };
  solver.push();
  try {
    solver.assert(...kept);
    let result = solver.check(conditions, options);
    if (result.kind === "sat") return { kind: "sat", model: completeModel(shape, result.model) };
    if (result.kind === "unknown") return result;
    if (result.core.length <= minimiseUpTo && result.core.length > 1) {
      const smaller = solver.check(result.core, { ...options, model: false, minimiseCore: true });
      if (smaller.kind === "unsat") result = smaller;
    }
    return { kind: "unsat", core: result.core.map((condition) => present(origin.get(condition))) };
  } finally {
    solver.pop();
  }
}

/** The values of the unfolded variables; a cached model may have others for them. */
function completeModel(shape: TraceShape, model: Model): Model {
  const values = new Map<Variable, Value>(model.values);
  const complete = createModel(values);
  for (const item of shape.items) {
    if (item.kind !== "definition") continue;
    const value = complete.evaluate(item.value);
    if (value === null) values.delete(item.variable);
    else values.set(item.variable, value);
  }
  return complete;
}

/** The used constraints with the definitions that they depend on, step by step. */
export function relevantSteps(shape: TraceShape, used: ReadonlySet<Term>): readonly (readonly Term[])[] {
  const steps: Term[][] = Array.from({ length: shape.steps }, () => []);
  const needed = new Set<Variable>();
  for (const item of shape.items.toReversed()) {
    if (item.kind === "definition" ? !needed.has(item.variable) : !used.has(item.formula)) continue;
    for (const variable of freeVariables(item.formula)) needed.add(variable);
    nth(steps, item.step - 1).unshift(item.formula);
  }
  return steps;
}
