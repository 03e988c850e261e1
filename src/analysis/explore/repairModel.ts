import { absolute, floorDiv } from "../../logic/numbers.ts";
import { isTrue, type Term, type Variable } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import { createModel, type Model } from "../../solver/answers.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** So often a value is changed; what takes more is for the solver. */
const mostRepairs = 4;

/**
 * An assignment that satisfies all formulas, from one that satisfied those before: a branch that was negated is often satisfied
 * by another value of one input, and evaluating that is far cheaper than asking a solver. Null where it is not that easy.
 */
export function repairModel(symbols: Symbols, near: Model, formulas: readonly Term[]): Model | null {
  let model = near;
  for (let repairs = 0; ; repairs++) {
    const violated = formulas.find((formula) => !isTrue(formula) && !model.satisfies(formula));
    if (violated === undefined) return isOfTypes(symbols, model, formulas) ? model : null;
    if (repairs === mostRepairs) return null;
    const next = changesFor(model, violated).find(
      (change) => change.satisfies(violated) && isOfTypes(symbols, change, [violated]),
    );
    if (next === undefined) return null;
    model = next;
  }
}

/** Does every variable have a value of its type? A model says nothing of those that it does not mention. */
function isOfTypes(symbols: Symbols, model: Model, formulas: readonly Term[]): boolean {
  return formulas.every((formula) =>
    freeVariables(formula).every(
      (variable) => symbols.objectWithBase(variable) === null && model.satisfies(symbols.axiom(variable)),
    ),
  );
}

/** Other values of single variables, with which a condition may hold: those that came last first. */
function changesFor(model: Model, condition: Term): readonly Model[] {
  if (condition.kind === "and" || condition.kind === "or") {
    const failing = condition.arguments.filter((part) => !model.satisfies(part));
    return failing.flatMap((part) => changesFor(model, part));
  }
  const atom = condition.kind === "not" ? condition.operand : condition;
  if (atom.kind !== "le" && atom.kind !== "eq") return [];
  const monomials = atom.sum.kind === "sum" ? atom.sum.monomials : [{ coefficient: 1n, term: atom.sum }];
  const now = model.evaluate(atom.sum);
  if (typeof now !== "bigint") return [];
  const excess = now - atom.bound;
  return monomials.toReversed().flatMap(({ coefficient, term }) => {
    const value = term.kind === "variable" ? model.value(term) : null;
    if (term.kind !== "variable" || typeof value !== "bigint") return [];
    if (condition.kind === "not") return [changed(model, term, value + 1n), changed(model, term, value - 1n)];
    if (atom.kind === "le") {
      const steps = -floorDiv(-excess, absolute(coefficient));
      return [changed(model, term, coefficient > 0n ? value - steps : value + steps)];
    }
    return excess % coefficient === 0n ? [changed(model, term, value - excess / coefficient)] : [];
  });
}

function changed(model: Model, variable: Variable, value: bigint): Model {
  return createModel(new Map([...model.values, [variable, value]]));
}
