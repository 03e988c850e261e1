import { nth } from "../../base/checked.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables } from "../../logic/traverse.ts";
import { flatten, projectVariable } from "./projectVariable.ts";
import type { TraceShape } from "./traceShape.ts";

/**
 * Strongest postconditions: the prefix at each position, with the variables unknown to the rest projected away.
 * Conjuncts with a variable that cannot be eliminated are dropped: sound for a prefix, but the result may no longer
 * contradict the suffix.
 */
export function interpolateForwards(terms: Terms, shape: TraceShape): readonly Term[] {
  const dying = new Map<number, Variable[]>();
  for (const [variable, { last }] of shape.occurrence) {
    const list = dying.get(last);
    if (list === undefined) dying.set(last, [variable]);
    else list.push(variable);
  }
  let known: readonly Term[] = [];
  let next = 0;
  const sequence: Term[] = [];
  for (let step = 1; step < shape.steps; step++) {
    const added: Term[] = [];
    for (; next < shape.items.length && nth(shape.items, next).step === step; next++) {
      added.push(nth(shape.items, next).formula);
    }
    if (added.length > 0) known = flatten(terms, [...known, ...added]);
    for (const variable of (dying.get(step) ?? []).toReversed()) {
      known =
        projectVariable(terms, known, variable) ??
        known.filter((formula) => !freeVariables(formula).includes(variable));
    }
    sequence.push(terms.all(known));
  }
  return sequence;
}
