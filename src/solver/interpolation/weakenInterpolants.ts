import { nth } from "../../base/checked.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { entails, type Limits, type Solver } from "../solver.ts";
import type { TraceShape } from "./traceShape.ts";

/**
 * Makes a valid sequence weaker and simpler, from the end to the start: keeps only the conjuncts that the next step
 * needs, and only the summands of a comparison that both neighbours need. An `unknown` changes nothing.
 */
export function weakenInterpolants(
  terms: Terms,
  shape: TraceShape,
  sequence: readonly Term[],
  solver: Solver,
  limits?: Partial<Limits>,
): readonly Term[] {
  const result = [...sequence];
  const options = { model: false, ...(limits && { limits }) };
  const steps: Term[][] = Array.from({ length: shape.steps }, () => []);
  for (const item of shape.items) nth(steps, item.step - 1).push(item.formula);
  const formulaAt = (position: number) =>
    position === 0 ? terms.bool(true) : position === shape.steps ? terms.bool(false) : nth(result, position - 1);

  for (let position = shape.steps - 1; position >= 1; position--) {
    dropConjuncts(position);
    dropSummands(position);
  }
  return result;

  function dropConjuncts(position: number) {
    const parts = conjuncts(formulaAt(position));
    if (parts.length === 0) return;
    solver.push();
    solver.assert(...nth(steps, position), terms.not(formulaAt(position + 1)));
    const check = solver.check(parts, { ...options, minimiseCore: true });
    solver.pop();
    if (check.kind === "unsat") result[position - 1] = terms.all(check.core);
  }

  function dropSummands(position: number) {
    for (;;) {
      const formula = formulaAt(position);
      const simpler = withoutOneSummand(terms, formula).find(
        (candidate) =>
          entails(terms, solver, [formulaAt(position - 1), ...nth(steps, position - 1)], candidate, options).kind ===
            "valid" &&
          entails(terms, solver, [candidate, ...nth(steps, position)], formulaAt(position + 1), options).kind ===
            "valid",
      );
      if (simpler === undefined) return;
      result[position - 1] = simpler;
    }
  }
}

function withoutOneSummand(terms: Terms, formula: Term): readonly Term[] {
  if (formula.kind !== "le" || formula.sum.kind !== "sum" || formula.sum.monomials.length < 2) return [];
  const { sum, bound } = formula;
  return sum.monomials.map((left) => terms.atMost(terms.linear(sum.monomials.filter((m) => m !== left)), bound));
}
