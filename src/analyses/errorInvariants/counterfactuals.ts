import { type Assignment, evaluate, type Value } from "../../logic/evaluate.ts";
import { createKnownValues } from "../../logic/knownValues.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { isInRange, oneWay } from "./otherRuns.ts";

/**
 * For versions that only one transition reads, a value with which the run would not have failed: had the version had that
 * value, and all that it does not influence what it had, each transition would still be true and the target not. Found
 * backwards in one pass, each from the value of what its reader writes.
 */
export function counterfactuals(
  symbols: Symbols,
  recorded: Assignment,
  transitions: readonly Transition[],
  target: Term,
): ReadonlyMap<Variable, Value> {
  const values = new Map<Variable, Value>();
  const readers = countReaders(transitions, target);
  /** Solves the formula for a version, with `changed` for another one and the recorded values for the rest. */
  const solve = (goals: readonly Term[], unknown: Variable, changed: Variable | null) => {
    const known = createKnownValues((variable) => variable === unknown);
    for (const goal of goals) {
      for (const variable of freeVariables(goal)) {
        const value = variable === changed ? values.get(variable) : recorded(variable);
        if (variable !== unknown && value !== undefined) known.assume(variable, value);
      }
      known.learn(goal);
    }
    const value = known.assignment(unknown);
    if (value === undefined || value === recorded(unknown) || !isInRange(symbols, unknown, value)) return;
    if (goals.every((goal) => evaluate(goal, known.assignment) === true)) values.set(unknown, value);
  };
  const { terms } = symbols;
  const failure = oneWay(terms, terms.not(target));
  for (const variable of freeVariables(target)) {
    if (readers.get(variable) === 1) solve(failure, variable, null);
  }
  for (const { formula, writes } of transitions.toReversed()) {
    const changed = writes.map(({ version }) => version).find((version) => values.has(version));
    if (changed === undefined) continue;
    for (const variable of freeVariables(formula)) {
      const isRead = !writes.some(({ version }) => version === variable);
      if (isRead && readers.get(variable) === 1) solve([formula], variable, changed);
    }
  }
  return values;
}

/** How many transitions read each version; the target is one of them. */
function countReaders(transitions: readonly Transition[], target: Term): ReadonlyMap<Variable, number> {
  const count = new Map<Variable, number>();
  const reads = (variables: readonly Variable[]) => {
    for (const variable of variables) count.set(variable, (count.get(variable) ?? 0) + 1);
  };
  reads(freeVariables(target));
  for (const transition of transitions) reads(readBy(transition));
  return count;
}

/** The versions that a transition speaks of and does not write. */
export function readBy({ formula, writes }: Transition): readonly Variable[] {
  return freeVariables(formula).filter((variable) => !writes.some(({ version }) => version === variable));
}
