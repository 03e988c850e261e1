import { nth } from "../../base/checked.ts";
import {
  type ArrayValue,
  type Assignment,
  arrayValue,
  evaluate,
  readArray,
  unknownArray,
  type Value,
} from "../../logic/evaluate.ts";
import { createKnownValues } from "../../logic/knownValues.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables } from "../../logic/traverse.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import { objectDistance, type Symbols } from "../../symbolic/symbols.ts";

/** Offsets from the recorded values for unknowns. */
const differences = [0n, 1n, -1n, 7n] as const;

/**
 * Searches for a run that satisfies everything but the goal: first backwards, from the negated goal to values, then
 * forwards, with values near the recorded ones for the rest.
 */
export function isRefutedNearby(
  symbols: Symbols,
  recorded: Assignment,
  transitions: readonly Transition[],
  facts: readonly Term[],
  goal: Term,
): boolean {
  const formulas = [...facts, ...transitions.map(({ formula }) => formula)];
  const failure = oneWay(symbols.terms, symbols.terms.not(goal));
  return differences.some((difference, round) => {
    const known = createKnownValues();
    const choose = (variable: Variable) => {
      const value = known.assignment(variable);
      if (value === undefined) known.assume(variable, valueNear(symbols, variable, recorded(variable), difference));
      else if (typeof value === "object") known.assume(variable, completed(value, recorded(variable), difference));
    };
    /** Fixes all but one unknown, so that the formula determines that one. */
    const solve = (formula: Term) => {
      const open = freeVariables(formula).filter((variable) => known.assignment(variable) === undefined);
      const last = open[round % open.length];
      for (const variable of open) if (variable !== last) choose(variable);
      known.learn(formula);
    };
    for (const formula of formulas) known.learn(formula);
    failure.forEach(solve);
    for (const { formula, writes } of transitions.toReversed()) {
      if (writes.some(({ version }) => known.assignment(version) !== undefined)) solve(formula);
    }
    for (const fact of facts) freeVariables(fact).forEach(choose);
    for (const { formula, writes } of transitions) {
      for (const variable of freeVariables(formula)) {
        if (!writes.some(({ version }) => version === variable)) choose(variable);
      }
      known.learn(formula);
      for (const { version } of writes) choose(version);
    }
    freeVariables(goal).forEach(choose);
    const holds = (formula: Term) =>
      evaluate(formula, known.assignment) === true &&
      freeVariables(formula).every((variable) => isInRange(symbols, variable, known.assignment(variable)));
    return evaluate(goal, known.assignment) === false && formulas.every(holds);
  });
}

/** Equations that imply a formula: one of several ways to satisfy it. */
export function oneWay(terms: Terms, formula: Term): readonly Term[] {
  switch (formula.kind) {
    case "and":
      return formula.arguments.flatMap((part) => oneWay(terms, part));
    case "or":
      return oneWay(terms, nth(formula.arguments, 0));
    case "le":
      return [terms.eq(formula.sum, terms.int(formula.bound))];
    case "not":
      return formula.operand.kind === "eq"
        ? [terms.eq(formula.operand.sum, terms.int(formula.operand.bound + 1n))]
        : [formula];
    default:
      return [formula];
  }
}

function valueNear(symbols: Symbols, variable: Variable, value: Value | undefined, difference: bigint): Value {
  if (variable.sort === "Bool") return value === undefined ? difference > 0n : !value;
  if (variable.sort === "Array") return completed(unknownArray, value, difference);
  // Objects must not overlap.
  if (symbols.objectWithBase(variable) !== null) return BigInt(variable.id + 2) * objectDistance;
  return typeof value === "bigint" ? value + difference : difference;
}

/** Fills unknown cells with values near the recorded ones. */
function completed(array: ArrayValue, recorded: Value | undefined, difference: bigint): ArrayValue {
  const near = typeof recorded === "object" ? recorded : unknownArray;
  const indices = new Set([...array.entries.keys(), ...near.entries.keys()]);
  const cell = (own: bigint | null, other: bigint | null) => own ?? (other ?? 0n) + difference;
  return arrayValue(
    [...indices].map((index) => [index, cell(readArray(array, index), readArray(near, index))]),
    cell(array.otherwise, near.otherwise),
  );
}

export function isInRange(symbols: Symbols, variable: Variable, value: Value | undefined): boolean {
  if (typeof value !== "bigint") return true;
  const { min, max } = symbols.range(variable);
  return (min === null || value >= min) && (max === null || value <= max);
}
