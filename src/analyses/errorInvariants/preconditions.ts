import { conjuncts, isFalse, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, freeVariablesOf, substitute } from "../../logic/traverse.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import { minimiseAssumptions, type Prover } from "../../solver/solver.ts";

/** A definition gives a value to a variable that does not occur before; everything else is a constraint. */
type Part = { readonly formula: Term; readonly definition: Definition | null };
type Definition = { readonly variable: Variable; readonly value: Term };

/**
 * Weakest preconditions of the target, one after each relevant transition, over versions: the rest of the transitions
 * and the precondition imply the target. Definitions are substituted backwards; variables that are new in the rest are
 * projected away. A condition with a variable that cannot be eliminated is left out, so the result is only a candidate:
 * it need not follow from the transitions before. null if the solver does not know whether the target is implied.
 */
export function preconditions(
  terms: Terms,
  prover: Prover,
  relevant: readonly Transition[],
  target: Term,
): readonly Term[] | null {
  const session = prover.open([]);
  const assumptions = relevant.flatMap(({ formula }) => conjuncts(formula));
  const used = minimiseAssumptions(session, assumptions, target);
  session.close();
  if (used === null) return null;
  const first = new Map<Variable, number>();
  const steps = relevant.map(({ formula }, step) =>
    conjuncts(formula)
      .filter((part) => used.includes(part))
      .map((part): Part => {
        const definition = asDefinition(terms, part, (variable) => !first.has(variable));
        for (const variable of freeVariables(part)) if (!first.has(variable)) first.set(variable, step);
        return { formula: part, definition };
      }),
  );
  const result: Term[] = [];
  let condition = flatten(terms, [terms.not(target)]);
  for (const [step, parts] of [...steps.entries()].toReversed()) {
    result.unshift(terms.not(terms.all(condition)));
    for (const { formula, definition } of parts.toReversed()) {
      const by = definition && new Map([[definition.variable, definition.value]]);
      condition = by === null ? [...condition, formula] : condition.map((known) => substitute(terms, known, by));
    }
    condition = flatten(terms, condition);
    for (const variable of freeVariablesOf(condition))
      if ((first.get(variable) ?? 0) >= step) condition = projectVariable(terms, condition, variable);
  }
  return result;
}

/**
 * The conjunction of `formulas` without `variable`: equivalent to its existential quantification over the integers if an
 * equation or Fourier-Motzkin eliminates it, else weaker.
 */
function projectVariable(terms: Terms, formulas: readonly Term[], variable: Variable): readonly Term[] {
  const [touching, others] = [true, false].map((touches) =>
    formulas.filter((formula) => freeVariables(formula).includes(variable) === touches),
  ) as [Term[], Term[]];
  for (const formula of touching) {
    const definition = asDefinition(terms, formula, (candidate) => candidate === variable);
    if (definition === null) continue;
    const by = new Map<Term, Term>([[variable, definition.value]]);
    return flatten(terms, [...others, ...touching.map((each) => substitute(terms, each, by))]);
  }
  return flatten(terms, [...others, ...projectBounds(terms, touching, variable)]);
}

type Bound = { readonly coefficient: bigint; readonly rest: Term };

/** More combinations of lower and upper bounds make the formula too large. */
const pairLimit = 64;

/** Each lower bound with each upper bound. Nothing follows from other formulas, or from bounds without a unit coefficient. */
function projectBounds(terms: Terms, touching: readonly Term[], variable: Variable): readonly Term[] {
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  for (const formula of touching) {
    const coefficient = formula.kind === "le" ? coefficientIn(formula.sum, variable) : null;
    if (formula.kind !== "le" || coefficient === null) continue;
    const without = terms.sub(formula.sum, terms.scale(coefficient, variable));
    const rest = terms.sub(terms.int(formula.bound), without);
    if (coefficient > 0n) upper.push({ coefficient, rest });
    else lower.push({ coefficient: -coefficient, rest: terms.neg(rest) });
  }
  if (lower.length * upper.length > pairLimit) return [];
  return lower.flatMap((low) =>
    upper
      .filter((high) => low.coefficient === 1n || high.coefficient === 1n)
      .map((high) => terms.le(terms.scale(high.coefficient, low.rest), terms.scale(low.coefficient, high.rest))),
  );
}

/** The coefficient of a variable that occurs nowhere else in the sum; null if there is none. */
function coefficientIn(sum: Term, variable: Variable): bigint | null {
  const others = monomialsOf(sum).filter(({ term }) => term !== variable);
  if (others.some(({ term }) => occurs(variable, term))) return null;
  return monomialsOf(sum).find(({ term }) => term === variable)?.coefficient ?? null;
}

/** Distinct conjuncts; a contradiction stands alone. */
function flatten(terms: Terms, formulas: readonly Term[]): readonly Term[] {
  const result = terms.all(formulas);
  return isFalse(result) ? [result] : conjuncts(result);
}

/** Reads an equality (or a literal of sort Bool) as the value of a variable that `isFresh` accepts. */
function asDefinition(terms: Terms, formula: Term, isFresh: (variable: Variable) => boolean): Definition | null {
  const firstOf = (sides: readonly (readonly [Term, Term])[]): Definition | null => {
    for (const [side, other] of sides) {
      const variable = side.kind === "not" ? side.operand : side;
      if (variable.kind !== "variable" || !isFresh(variable) || occurs(variable, other)) continue;
      return { variable, value: side.kind === "not" ? terms.not(other) : other };
    }
    return null;
  };
  switch (formula.kind) {
    case "eq":
      return solveEquation(terms, formula.sum, formula.bound, isFresh);
    case "arrayEq":
      return firstOf([
        [formula.right, formula.left],
        [formula.left, formula.right],
      ]);
    case "variable":
    case "not":
      return firstOf([[formula, terms.bool(true)]]);
    case "ite":
      // `p <=> f` is `ite(p, f, not f)` or `ite(f, p, not p)`.
      if (formula.whenFalse !== terms.not(formula.whenTrue)) return null;
      return firstOf([
        [formula.whenTrue, formula.condition],
        [formula.condition, formula.whenTrue],
      ]);
    default:
      return null;
  }
}

/** `sum = bound` for the newest variable with coefficient 1 or -1. */
function solveEquation(
  terms: Terms,
  sum: Term,
  bound: bigint,
  isFresh: (variable: Variable) => boolean,
): Definition | null {
  const monomials = monomialsOf(sum);
  for (const { coefficient, term } of monomials.toReversed()) {
    if (term.kind !== "variable" || (coefficient !== 1n && coefficient !== -1n) || !isFresh(term)) continue;
    const rest = monomials.filter((m) => m.term !== term);
    if (rest.some((m) => occurs(term, m.term))) continue;
    const value = terms.linear(
      rest.map((m) => ({ coefficient: -coefficient * m.coefficient, term: m.term })),
      coefficient * bound,
    );
    return { variable: term, value };
  }
  return null;
}

function monomialsOf(sum: Term): readonly { readonly coefficient: bigint; readonly term: Term }[] {
  return sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
}

function occurs(variable: Variable, term: Term): boolean {
  return freeVariables(term).includes(variable);
}
