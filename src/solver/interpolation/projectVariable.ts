import { conjuncts, isFalse, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, substitute } from "../../logic/traverse.ts";
import { asDefinition } from "./traceShape.ts";

/** More combinations of lower and upper bounds make the formula too large. */
const pairLimit = 64;

/**
 * The conjunction of `formulas` with `variable` eliminated: equivalent to its existential quantification over the
 * integers. null beyond these rules: an equation, bounds with a unit coefficient on one side of each pair
 * (Fourier-Motzkin), occurrences that can always be satisfied.
 */
export function projectVariable(terms: Terms, formulas: readonly Term[], variable: Variable): readonly Term[] | null {
  const others: Term[] = [];
  const touching: Term[] = [];
  for (const formula of formulas) (freeVariables(formula).includes(variable) ? touching : others).push(formula);
  if (touching.length === 0) return formulas;
  for (const formula of touching) {
    const definition = asDefinition(terms, formula, (v) => v === variable);
    if (definition === null) continue;
    const by = new Map<Term, Term>([[variable, definition.value]]);
    return flatten(terms, [...others, ...touching.filter((f) => f !== formula).map((f) => substitute(terms, f, by))]);
  }
  const rest = variable.sort === "Int" ? projectBounds(terms, touching, variable) : null;
  return rest === null ? null : flatten(terms, [...others, ...rest]);
}

type Bound = { readonly coefficient: bigint; readonly rest: Term };

/** null if `variable` occurs in `touching` other than as a summand of comparisons. */
function projectBounds(terms: Terms, touching: readonly Term[], variable: Variable): readonly Term[] | null {
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  let disequalities = 0;
  for (const formula of touching) {
    const atom = formula.kind === "not" ? formula.operand : formula;
    if (atom.kind !== "le" && atom.kind !== "eq") return null;
    const coefficient = coefficientIn(atom.sum, variable);
    if (coefficient === null) return null;
    // An equation with a unit coefficient was solved before; another one is a congruence.
    if (formula.kind === "eq") return null;
    if (formula.kind === "not") {
      disequalities++;
      continue;
    }
    const without = terms.sub(atom.sum, terms.scale(coefficient, variable));
    const rest = terms.sub(terms.int(atom.bound), without);
    if (coefficient > 0n) upper.push({ coefficient, rest });
    else lower.push({ coefficient: -coefficient, rest: terms.neg(rest) });
  }
  // Unbounded on one side: a value far enough out satisfies everything.
  if (lower.length === 0 || upper.length === 0) return [];
  if (disequalities > 0 || lower.length * upper.length > pairLimit) return null;
  const result: Term[] = [];
  for (const low of lower)
    for (const high of upper) {
      if (low.coefficient !== 1n && high.coefficient !== 1n) return null;
      result.push(terms.le(terms.scale(high.coefficient, low.rest), terms.scale(low.coefficient, high.rest)));
    }
  return result;
}

/** The coefficient of a variable that occurs nowhere else in the sum; null if there is none. */
export function coefficientIn(sum: Term, variable: Variable): bigint | null {
  const monomials = sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
  let result: bigint | null = null;
  for (const { coefficient, term } of monomials) {
    if (term === variable) result = coefficient;
    else if (freeVariables(term).includes(variable)) return null;
  }
  return result;
}

/** Distinct conjuncts; a contradiction stands alone. */
export function flatten(terms: Terms, formulas: readonly Term[]): readonly Term[] {
  const result = terms.all(formulas);
  return isFalse(result) ? [result] : conjuncts(result);
}
