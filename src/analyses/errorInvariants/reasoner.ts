import { present } from "../../base/checked.ts";
import { type Assignment, evaluate, type Value } from "../../logic/evaluate.ts";
import { createKnownValues } from "../../logic/knownValues.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import { supportOf, type TraceFormula, type Transition } from "../../recordedRun/traceFormula.ts";
import type { Prover } from "../../solver/solver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { isInRange, isRefutedNearby, oneWay } from "./otherRuns.ts";

/**
 * Decides what follows from parts of one run. Most queries are arithmetic with known values, and most wrong ones are
 * refuted by a nearby run: both are computed here. A solver decides the rest. After a cancellation every query is
 * unanswered.
 */
export type Reasoner = {
  decide(
    transitions: readonly Transition[],
    facts: readonly Term[],
    goal: Term,
    effort?: "full" | "quick",
  ): "follows" | "fails" | "unknown";
  /** The same, with unknown as false. */
  follows(transitions: readonly Transition[], facts: readonly Term[], goal: Term): boolean;
  /** The values that the whole run fixes. */
  readonly values: Assignment;
  /** The number of solver queries. */
  questions(): number;
};

/** After this many unanswered queries the solver is not asked again about this run. */
const patience = 6;

export function createReasoner(symbols: Symbols, prover: Prover, formula: TraceFormula): Reasoner {
  const { terms } = symbols;
  const values = fixedBy(formula.transitions);
  const atOnce = decideAtOnce(symbols, formula, values);
  let unanswered = 0;
  let questions = 0;
  const decide: Reasoner["decide"] = (transitions, facts, goal, effort = "full") => {
    if (prover.cancellation.isCancelled()) return "unknown";
    const obvious = goal === formula.target ? atOnce(transitions, facts) : null;
    if (obvious !== null) return obvious;
    const known = createKnownValues();
    const formulas = [...facts, ...transitions.map((transition) => transition.formula)];
    formulas.forEach(known.learn);
    if (evaluate(goal, known.assignment) === true) return "follows";
    const rest = formulas.map((each) => known.simplify(terms, each));
    const open = known.simplify(terms, goal);
    const said = new Set(rest.flatMap(conjuncts));
    if (conjuncts(open).every((part) => said.has(part))) return "follows";
    if (isRefutedNearby(symbols, values, transitions, facts, goal)) return "fails";
    if (unanswered >= patience) return "unknown";
    questions++;
    const session = prover.open(rest, effort);
    const answer = session.implies([], open);
    session.close();
    if (answer.kind !== "unknown") return answer.kind === "proved" ? "follows" : "fails";
    if (effort === "full") unanswered++;
    return "unknown";
  };
  return {
    values,
    questions: () => questions,
    decide,
    follows: (transitions, facts, goal) => decide(transitions, facts, goal) === "follows",
  };
}

/** The values that definitions fix, each computed only from the definitions that it depends on. */
export function fixedBy(transitions: readonly Transition[]): Assignment {
  const defining = new Set<Variable>();
  const known = createKnownValues((variable) => defining.has(variable));
  for (const { formula, writes } of transitions) {
    defining.clear();
    for (const { version } of writes) defining.add(version);
    if (writes.length > 0) known.learn(formula);
  }
  return known.assignment;
}

/**
 * Decides without computing: statements whose inputs all have the run's values do the same as on the run, and an
 * unconstrained input has a value with which the run does not fail. Only about definitions that the target depends on.
 */
function decideAtOnce(symbols: Symbols, formula: TraceFormula, values: Assignment) {
  const { target, transitions: all } = formula;
  const definitions = supportOf(formula).definitions([target], all.length);
  const others = counterfactuals(symbols, values, definitions, target);
  const isDefinition = new Set(definitions);
  const reads = new Map(definitions.map((transition) => [transition, readBy(transition)]));
  const isDetermined = new Set(
    definitions.filter(({ writes }) => writes.every(({ version }) => values(version) !== undefined)),
  );
  const fails = evaluate(target, values) === true;
  return (transitions: readonly Transition[], facts: readonly Term[]): "follows" | "fails" | null => {
    if (!fails || !transitions.every((transition) => isDefinition.has(transition))) return null;
    const written = new Set<Variable>();
    for (const { writes } of transitions) for (const { version } of writes) written.add(version);
    const open = new Set<Variable>();
    for (const transition of transitions) {
      for (const variable of present(reads.get(transition))) if (!written.has(variable)) open.add(variable);
    }
    for (const variable of freeVariables(target)) if (!written.has(variable)) open.add(variable);
    const stated = new Set(facts.flatMap(freeVariables));
    for (const variable of open) if (others.has(variable) && !stated.has(variable)) return "fails";
    if (!transitions.every((transition) => isDetermined.has(transition))) return null;
    const known = createKnownValues();
    facts.forEach(known.learn);
    for (const variable of open) {
      const value = known.assignment(variable);
      if (value === undefined || typeof value === "object" || value !== values(variable)) return null;
    }
    return "follows";
  };
}

/**
 * For versions that only one transition reads: a value with which the run would not have failed. With that value, and
 * recorded values for everything independent of it, each transition still holds and the target does not. Computed
 * backwards in one pass, from the value of the reader's result.
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

/** The number of readers of each version, the target included. */
function countReaders(transitions: readonly Transition[], target: Term): ReadonlyMap<Variable, number> {
  const count = new Map<Variable, number>();
  const reads = (variables: readonly Variable[]) => {
    for (const variable of variables) count.set(variable, (count.get(variable) ?? 0) + 1);
  };
  reads(freeVariables(target));
  for (const transition of transitions) reads(readBy(transition));
  return count;
}

/** The versions that a transition reads. */
export function readBy({ formula, writes }: Transition): readonly Variable[] {
  return freeVariables(formula).filter((variable) => !writes.some(({ version }) => version === variable));
}
