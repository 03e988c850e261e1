import { freeVariables } from "../../logic/freeVariables.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { type CheckResult, type Limits, type Solver, unknown } from "../solver.ts";
import type { TraceShape } from "./traceShape.ts";

/** Cores up to this size are made irredundant; larger ones are taken as they come. */
const minimiseUpTo = 40;

/**
 * Whether the trace is feasible, and if not, which constraints contradict. Definitions are asserted, not assumed: those
 * that do not matter vanish by themselves.
 */
export function checkTrace(shape: TraceShape, solver: Solver, limits?: Partial<Limits>): CheckResult {
  const constraints = shape.items.filter((item) => item.kind === "constraint").map((item) => item.formula);
  const options = limits && { limits };
  solver.push();
  try {
    for (const item of shape.items) if (item.kind === "definition") solver.assert(item.formula);
    const distinct = [...new Set(constraints)];
    const result = solver.check(distinct, { ...options, model: false });
    if (result.kind === "sat") {
      // Asked again for the model: a trace that is to be interpolated is rarely feasible.
      const again = solver.check(distinct, { ...options });
      return again.kind === "unsat" ? unknown("failure", "the solver answers differently when asked again") : again;
    }
    if (result.kind === "unsat" && result.core.length <= minimiseUpTo && result.core.length > 1) {
      const smaller = solver.check(result.core, { ...options, model: false, minimiseCore: true });
      return smaller.kind === "unsat" ? smaller : result;
    }
    return result;
  } finally {
    solver.pop();
  }
}

/** The used constraints with the definitions that they depend on, step by step. */
export function relevantSteps(shape: TraceShape, used: ReadonlySet<Term>): readonly (readonly Term[])[] {
  const steps: Term[][] = Array.from({ length: shape.steps }, () => []);
  const needed = new Set<Variable>();
  for (const item of shape.items.toReversed()) {
    if (item.kind === "definition" ? !needed.has(item.variable) : !used.has(item.formula)) continue;
    for (const variable of freeVariables(item.formula)) needed.add(variable);
    steps[item.step - 1]!.unshift(item.formula);
  }
  return steps;
}
