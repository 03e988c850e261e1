import { type Assignment, evaluate, readArray, unknownArray, type Value, writeArray } from "./evaluate.ts";
import { disjuncts, type Term, type Variable } from "./term.ts";
import type { Terms } from "./terms.ts";
import { freeVariables, substitute } from "./traverse.ts";

/**
 * Values that formulas determine, found without a solver: an equation with one unknown gives its value. Statements
 * compute forwards, so taking their formulas in order finds almost every value of a run.
 */
export type KnownValues = {
  readonly assignment: Assignment;
  learn(formula: Term): void;
  /** Substitutes the known values: easier to decide, and equivalent if the learned formulas hold. */
  simplify(terms: Terms, formula: Term): Term;
  assume(variable: Variable, value: Value): void;
};

/** `mayLearn` selects the variables. */
export function createKnownValues(mayLearn: (variable: Variable) => boolean = () => true): KnownValues {
  const values = new Map<Variable, Value>();
  const assignment: Assignment = (variable) => values.get(variable);
  const valueOf = (term: Term): Value | null => evaluate(term, assignment);
  const set = (variable: Variable, value: Value) => {
    if (mayLearn(variable)) values.set(variable, value);
  };

  const learn = (formula: Term): void => {
    switch (formula.kind) {
      case "and":
        return formula.arguments.forEach(learn);
      case "or": {
        const open = disjuncts(formula).filter((part) => valueOf(part) !== false);
        return open.length === 1 ? learn(open[0]!) : undefined;
      }
      case "variable":
        return set(formula, true);
      case "not":
        return formula.operand.kind === "variable" ? set(formula.operand, false) : undefined;
      case "ite":
        return learnCases(formula.condition, formula.whenTrue, formula.whenFalse);
      case "arrayEq":
        return learnArrays(formula.left, formula.right);
      case "eq":
        return learnEquation(formula.sum, formula.bound);
      default:
        return;
    }
  };

  /** `a <=> b` among others: rules out the case that is false. */
  const learnCases = (condition: Term, whenTrue: Term, whenFalse: Term): void => {
    const known = valueOf(condition);
    if (known !== null) return learn(known === true ? whenTrue : whenFalse);
    if (condition.kind !== "variable") return;
    if (valueOf(whenTrue) === false) set(condition, false);
    else if (valueOf(whenFalse) === false) set(condition, true);
  };

  const learnArrays = (left: Term, right: Term): void => {
    for (const [variable, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (variable.kind !== "variable" || values.has(variable)) continue;
      const value = valueOf(other);
      if (value !== null) return set(variable, value);
    }
  };

  const learnEquation = (sum: Term, bound: bigint): void => {
    const monomials = sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
    const parts = monomials.map(({ coefficient, term }) => ({ coefficient, term, value: valueOf(term) }));
    const open = parts.filter(({ value }) => typeof value !== "bigint");
    const [only] = open;
    if (only === undefined || open.length > 1) return;
    const known = parts.reduce(
      (total, { coefficient, value }) => (typeof value === "bigint" ? total + coefficient * value : total),
      sum.kind === "sum" ? sum.constant : 0n,
    );
    const rest = bound - known;
    if (rest % only.coefficient !== 0n) return;
    const value = rest / only.coefficient;
    if (only.term.kind === "variable") return set(only.term, value);
    if (only.term.kind !== "select" || only.term.array.kind !== "variable") return;
    const index = valueOf(only.term.index);
    const array = values.get(only.term.array) ?? unknownArray;
    if (typeof index !== "bigint" || typeof array !== "object" || readArray(array, index) !== null) return;
    set(only.term.array, writeArray(array, index, value));
  };

  const simplify = (terms: Terms, formula: Term): Term => {
    const known = new Map<Variable, Term>();
    for (const variable of freeVariables(formula)) {
      const value = values.get(variable);
      if (typeof value === "bigint") known.set(variable, terms.int(value));
      else if (typeof value === "boolean") known.set(variable, terms.bool(value));
    }
    return known.size === 0 ? formula : substitute(terms, formula, known);
  };

  return { assignment, learn, simplify, assume: (variable, value) => values.set(variable, value) };
}
