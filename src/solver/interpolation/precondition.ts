import { nth, present } from "../../base/checked.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { flatten, projectVariable } from "./projectVariable.ts";
import type { TraceShape } from "./traceShape.ts";

/**
 * Weakest preconditions of `false`: the interpolant at a position is the negation of the rest's conditions on the state
 * there. Definitions are substituted backwards; variables unknown to the prefix are projected away. If that fails at a
 * position, `cut` is asked for an interpolant there, and the way back restarts from it; null if it has none.
 * `result[i]` is the interpolant at position `i + 1`.
 */
export function interpolateBackwards(
  terms: Terms,
  shape: TraceShape,
  cut: (position: number) => Term | null,
): readonly Term[] | null {
  const sequence: Term[] = new Array(Math.max(0, shape.steps - 1));
  let condition: readonly Term[] = [];
  let next = shape.items.length - 1;
  for (let step = shape.steps; step >= 2; step--) {
    for (; next >= 0 && nth(shape.items, next).step === step; next--) {
      const item = nth(shape.items, next);
      if (item.kind === "constraint") condition = [...condition, item.formula];
      else condition = assign(terms, condition, item.variable, item.value);
    }
    condition = flatten(terms, condition);
    const position = step - 1;
    for (const variable of freeVariablesOf(condition)) {
      const { first } = present(shape.occurrence.get(variable));
      if (first <= position) continue;
      const projected = projectVariable(terms, condition, variable);
      if (projected !== null) {
        condition = projected;
        continue;
      }
      const interpolant = cut(position);
      if (interpolant === null) return null;
      condition = flatten(terms, [terms.not(interpolant)]);
      break;
    }
    sequence[position - 1] = terms.not(terms.all(condition));
  }
  return sequence;
}

/** Substitutes only in the conjuncts that mention the variable. */
function assign(terms: Terms, condition: readonly Term[], variable: Variable, value: Term): readonly Term[] {
  const by = new Map<Term, Term>([[variable, value]]);
  let changed = false;
  const result = condition.map((formula) => {
    const after = substitute(terms, formula, by);
    if (after !== formula) changed = true;
    return after;
  });
  return changed ? result : condition;
}
