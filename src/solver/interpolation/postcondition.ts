import { freeVariables } from "../../logic/freeVariables.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { flatten, projectVariable } from "./projectVariable.ts";
import type { TraceShape } from "./traceShape.ts";

/**
 * Strongest postconditions: at each position everything the prefix says, with the variables that the rest of the trace
 * does not know projected away. Where a variable cannot be eliminated the conjuncts that mention it are dropped, which
 * is sound for a prefix but no longer the strongest (`exact` is false), and may no longer contradict the suffix.
 */
export function interpolateForwards(
  terms: Terms,
  shape: TraceShape,
): { readonly sequence: readonly Term[]; readonly exact: boolean } {
  const dying = new Map<number, Variable[]>();
  for (const [variable, { first, last }] of shape.occurrence) {
    // An initial variable may occur in every interpolant.
    if (first === 0) continue;
    const list = dying.get(last);
    if (list === undefined) dying.set(last, [variable]);
    else list.push(variable);
  }
  let exact = true;
  let known: readonly Term[] = [];
  let next = 0;
  const sequence: Term[] = [];
  for (let step = 1; step < shape.steps; step++) {
    const added: Term[] = [];
    for (; next < shape.items.length && shape.items[next]!.step === step; next++) {
      added.push(shape.items[next]!.formula);
    }
    if (added.length > 0) known = flatten(terms, [...known, ...added]);
    for (const variable of (dying.get(step) ?? []).toReversed()) {
      const projected = projectVariable(terms, known, variable);
      if (projected === null) exact = false;
      known = projected ?? known.filter((formula) => !freeVariables(formula).includes(variable));
    }
    sequence.push(terms.all(known));
  }
  return { sequence, exact };
}
