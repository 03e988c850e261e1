import { nth } from "../../base/checked.ts";
import { conjuncts, isTrue, type Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, substitute } from "../../logic/traverse.ts";
import { type Limits, type Solver, type Unknown, unknown } from "../solver.ts";
import type { TraceShape } from "./traceShape.ts";

/** Steps whose implications are checked in one query. */
const batchSize = 50;

export type ValidationResult =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly step: number }
  | Unknown;

/**
 * Checks a sequence from scratch: with `true` before and `false` after it, every formula and the next step imply the
 * next formula, and each formula mentions only variables of both sides. Steps that follow by substituting definitions
 * are recognised by equal terms; the rest is asked in batches.
 */
export function validateInterpolants(
  terms: Terms,
  shape: TraceShape,
  sequence: readonly Term[],
  solver: Solver,
  limits?: Partial<Limits>,
): ValidationResult {
  for (const [i, formula] of sequence.entries())
    for (const variable of freeVariables(formula)) {
      const { first, last } = shape.occurrence.get(variable) ?? { first: Number.POSITIVE_INFINITY, last: 0 };
      if (first > i + 1 || last <= i + 1) return { kind: "invalid", step: i + 1 };
    }
  const formulas = [terms.bool(true), ...sequence, terms.bool(false)];
  const byStep: Term[][] = Array.from({ length: shape.steps }, () => []);
  for (const item of shape.items) nth(byStep, item.step - 1).push(item.formula);
  const open: { readonly step: number; readonly violation: Term }[] = [];
  let next = 0;
  for (let step = 1; step <= shape.steps; step++) {
    const definitions: Extract<TraceShape["items"][number], { kind: "definition" }>[] = [];
    const constraints: Term[] = [];
    for (; next < shape.items.length && nth(shape.items, next).step === step; next++) {
      const item = nth(shape.items, next);
      if (item.kind === "definition") definitions.push(item);
      else constraints.push(item.formula);
    }
    const [before, after] = [nth(formulas, step - 1), nth(formulas, step)];
    if (before === after || isTrue(after)) continue;
    const unfold = (formula: Term) =>
      definitions.reduceRight((f, { variable, value }) => substitute(terms, f, new Map([[variable, value]])), formula);
    const required = terms.any([...constraints.map((c) => terms.not(unfold(c))), unfold(after)]);
    if (follows(terms, before, required) || follows(terms, before, unfold(after))) continue;
    const violation = terms.all([before, ...nth(byStep, step - 1), terms.not(after)]);
    if (violation.kind !== "bool" || violation.value) open.push({ step, violation });
  }
  for (let start = 0; start < open.length; start += batchSize) {
    const batch = open.slice(start, start + batchSize);
    const result = ask(batch.map(({ violation }) => violation));
    if (result.kind === "unsat") continue;
    // One by one, to name the step; a batch may also be too hard where each alone is not.
    for (const { step, violation } of batch) {
      const single = ask([violation]);
      if (single.kind === "sat") return { kind: "invalid", step };
      if (single.kind === "unknown") return unknown(single.reason, `interpolant at step ${step}: ${single.message}`);
    }
  }
  return { kind: "valid" };

  function ask(violations: readonly Term[]) {
    solver.push();
    solver.assert(terms.any(violations));
    const result = solver.check([], { model: false, ...(limits && { limits }) });
    solver.pop();
    return result;
  }
}

function follows(terms: Terms, premise: Term, conclusion: Term): boolean {
  if (premise === conclusion || isTrue(conclusion)) return true;
  const known = new Set(conjuncts(premise));
  if (conjuncts(conclusion).every((part) => known.has(part))) return true;
  // A bound implies a looser bound on the same sum.
  return conclusion.kind === "le" && terms.and(premise, conclusion) === premise;
}
