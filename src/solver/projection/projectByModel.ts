import { freeVariables } from "../../logic/freeVariables.ts";
import { createSubstituter } from "../../logic/substitute.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { Value } from "../../logic/value.ts";
import { coefficientIn } from "../interpolation/projectVariable.ts";
import type { Model } from "../model.ts";
import { implicant } from "./implicant.ts";

/**
 * An under-approximation of "there are values of the eliminated variables such that …" around one model: a conjunction
 * of literals without those variables that the model satisfies and that implies it. Other models of the formula may
 * violate it, so it is no projection in the sense of `project`.
 */
export type UnderApproximation = { readonly kind: "under-approximation"; readonly literals: readonly Term[] };

/**
 * Model-based projection: of the cases of an exact elimination the one that the model is in (the greatest lower bound is
 * the one that is greatest there), and the model's own value where no rule applies. Null where the model does not
 * satisfy the formulas, or not decidedly.
 */
export function projectByModel(
  terms: Terms,
  formulas: readonly Term[],
  eliminate: ReadonlySet<Variable>,
  model: Model,
): UnderApproximation | null {
  let literals = implicant(terms, formulas, model);
  if (literals === null) return null;
  for (const variable of eliminate) {
    const touched: Term[] = [];
    const others: Term[] = [];
    for (const literal of literals) (freeVariables(literal).includes(variable) ? touched : others).push(literal);
    // Substitution may make a literal a formula again.
    const next = implicant(terms, eliminateOne(terms, touched, variable, model), model);
    if (next === null) return null;
    literals = [...new Set([...others, ...next])];
  }
  return { kind: "under-approximation", literals };
}

/** What is left of the literals that mention the variable. */
function eliminateOne(terms: Terms, touched: readonly Term[], variable: Variable, model: Model): readonly Term[] {
  const put = (value: Term) => touched.map(createSubstituter(terms, new Map([[variable, value]])));
  const bounds = variable.sort === "Int" ? boundsOn(terms, touched, variable, model) : null;
  if (bounds === null) return put(valueTerm(terms, model.value(variable)));
  if (bounds.equal !== null) return put(bounds.equal);
  // Unbounded on one side: a value far enough out satisfies everything.
  if (bounds.lower.length === 0 || bounds.upper.length === 0) return [];
  const greatest = bounds.lower.reduce((best, bound) =>
    (model.evaluate(bound) as bigint) > (model.evaluate(best) as bigint) ? bound : best,
  );
  return put(greatest);
}

type Bounds = { readonly equal: Term | null; readonly lower: readonly Term[]; readonly upper: readonly Term[] };

/** The literals as bounds of the variable, with unit coefficients; null where one is something else. */
function boundsOn(terms: Terms, touched: readonly Term[], variable: Variable, model: Model): Bounds | null {
  const lower: Term[] = [];
  const upper: Term[] = [];
  let equal: Term | null = null;
  for (const literal of touched) {
    const atom = literal.kind === "not" ? literal.operand : literal;
    if (atom.kind !== "le" && atom.kind !== "eq") return null;
    const own = coefficientIn(atom.sum, variable);
    if (own !== 1n && own !== -1n) return null;
    const rest = terms.sub(atom.sum, terms.scale(own, variable));
    // own * x + rest (<=, =, !=) bound
    const limit = terms.scale(own, terms.sub(terms.int(atom.bound), rest));
    if (literal.kind === "eq") equal ??= limit;
    else if (literal.kind === "le") (own === 1n ? upper : lower).push(limit);
    else {
      const above = (model.value(variable) as bigint) > (model.evaluate(limit) as bigint);
      if (above) lower.push(terms.add(limit, terms.int(1n)));
      else upper.push(terms.sub(limit, terms.int(1n)));
    }
  }
  return { equal, lower, upper };
}

function valueTerm(terms: Terms, value: Value): Term {
  if (typeof value === "bigint") return terms.int(value);
  if (typeof value === "boolean") return terms.bool(value);
  let array = terms.constantArray(terms.int(value.otherwise!));
  for (const [index, cell] of value.entries) array = terms.store(array, terms.int(index), terms.int(cell!));
  return array;
}
