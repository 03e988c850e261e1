import type { Cancellation } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { absolute, floorDiv } from "../../logic/linear.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../logic/term.ts";
import { freeVariables, freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { createModel, type Model } from "../../solver/answers.ts";
import type { Solver } from "../../solver/solver.ts";
import { axiomsFor } from "../../symbolic/createProver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { append, type ExplorationState, type Explorer, itemsOf, type RoundParameter, type Trail } from "./explorer.ts";

/** `satisfiable` of 004 §3.1. */
export type Feasible =
  | { readonly kind: "feasible"; readonly model: Model }
  | { readonly kind: "infeasible" }
  | { readonly kind: "unknown"; readonly reason: string };

export type FeasibilityCheck = {
  /** Is there a run that satisfies the path condition and the extra formulas? */
  check(path: Trail<Term>, extra?: readonly Term[], effort?: "full" | "quick"): Feasible;
};

/** What a question may cost, in the solver's own steps; about a million take a second. */
const efforts = { full: 4_000_000, quick: 300_000 };

/** Keeps the path of the last question on the solver's stack: the next one shares most of it. */
export function feasibilityCheck(symbols: Symbols, solver: Solver, cancellation: Cancellation): FeasibilityCheck {
  const levels: { readonly item: NonNullable<Trail<Term>>; readonly added: readonly Variable[] }[] = [];
  const known = new Set<Variable>();
  const pop = (count: number) => {
    if (count === 0) return;
    solver.pop(count);
    for (const { added } of levels.splice(levels.length - count)) for (const v of added) known.delete(v);
  };
  const assertWithAxioms = (formulas: readonly Term[]): readonly Variable[] => {
    const added = freeVariablesOf(formulas).filter((variable) => !known.has(variable));
    solver.assert(...axiomsFor(symbols, formulas, known), ...formulas);
    return added;
  };
  const align = (path: Trail<Term>) => {
    const wanted: NonNullable<Trail<Term>>[] = [];
    for (let at = path; at !== null; at = at.before) wanted[at.length - 1] = at;
    let same = 0;
    while (same < levels.length && nth(levels, same).item === wanted[same]) same++;
    pop(levels.length - same);
    for (const item of wanted.slice(same)) {
      solver.push();
      levels.push({ item, added: assertWithAxioms([item.item]) });
    }
  };
  return {
    check(path, extra = [], effort = "full") {
      if (extra.some(isFalse) || (path !== null && itemsOf(path).some(isFalse))) return { kind: "infeasible" };
      if (cancellation.isCancelled()) return { kind: "unknown", reason: "interrupted" };
      align(path);
      solver.push();
      const added = assertWithAxioms(extra);
      try {
        const limits = solver.name.startsWith("cvc5") ? {} : { limits: { resources: efforts[effort] } };
        const first = solver.check([], limits);
        // A process that stopped at its limit may be of no further use; the next one starts afresh.
        const result = first.kind === "unknown" && first.reason === "failure" ? solver.check([], limits) : first;
        if (result.kind === "sat") return { kind: "feasible", model: result.model };
        return result.kind === "unsat" ? { kind: "infeasible" } : { kind: "unknown", reason: result.message };
      } finally {
        solver.pop();
        for (const variable of added) known.delete(variable);
      }
    },
  };
}

/** Numbers of rounds that are tried where the solver does not decide a formula with quantifiers. */
const smallValues = [0n, 1n, 2n, 3n, 4n];
/** Valuations of all parameters together. */
const mostValuations = 40;

/**
 * Is there a run with this path condition? What the solver does not decide is tried with small numbers of rounds, as 004
 * (§4) suggests for failed leaves: an instance that is feasible shows that the state is.
 */
export function decide(ex: Explorer, state: ExplorationState, extra: readonly Term[] = []): Feasible {
  if (extra.length === 0 && state.model !== null) return { kind: "feasible", model: state.model };
  const hasParameters = state.parameters !== null;
  if (extra.length === 0 && !hasParameters && state.near !== null) {
    const repaired = repairModel(ex.symbols, state.near, itemsOf(state.path));
    if (repaired !== null) return { kind: "feasible", model: repaired };
  }
  ex.counts.questions++;
  const answer = ex.feasibility.check(state.path, extra, hasParameters ? "quick" : "full");
  if (answer.kind !== "unknown" || !hasParameters) return answer;
  const parameters = itemsOf(state.parameters);
  for (const values of valuations(parameters.length)) {
    if (ex.cancellation.isCancelled()) break;
    const instance = instantiate(ex.symbols, [...itemsOf(state.path), ...extra], parameters, values);
    ex.counts.questions++;
    let path: Trail<Term> = null;
    for (const formula of instance) if (!isTrue(formula)) path = append(path, formula);
    const small = ex.feasibility.check(path, [], "quick");
    if (small.kind === "feasible") return { kind: "feasible", model: withParameters(small.model, parameters, values) };
  }
  return answer;
}

/** More rounds are not written out one by one. */
const mostRounds = 3000n;

/**
 * The model of a formula with quantifiers may give arrays that are not just lists of values. For the numbers of rounds that it
 * has, the same question without quantifiers has a model that can be read.
 */
export function readableModel(ex: Explorer, state: ExplorationState, model: Model): Model {
  const parameters = itemsOf(state.parameters);
  const values = parameters.map(({ kappa }) => model.value(kappa));
  if (parameters.length === 0 || !values.every((value) => typeof value === "bigint" && value <= mostRounds))
    return model;
  const instance = instantiate(ex.symbols, itemsOf(state.path), parameters, values as bigint[]);
  ex.counts.questions++;
  const answer = ex.feasibility.check(append(null, ex.symbols.terms.all(instance)));
  return answer.kind === "feasible" ? withParameters(answer.model, parameters, values as bigint[]) : model;
}

/** Small sums first. */
function* valuations(count: number): Generator<readonly bigint[]> {
  const all: (readonly bigint[])[] = [[]];
  let combinations = all;
  for (let i = 0; i < count; i++) {
    combinations = combinations.flatMap((values) => smallValues.map((value) => [...values, value]));
    combinations.sort((a, b) => sum(a) - sum(b));
    combinations = combinations.slice(0, mostValuations);
  }
  yield* combinations;
}

function sum(values: readonly bigint[]): number {
  return values.reduce((total, value) => total + Number(value), 0);
}

/** The formulas with numbers for their parameters, without quantifiers over rounds. */
export function instantiate(
  { terms }: Symbols,
  formulas: readonly Term[],
  parameters: readonly RoundParameter[],
  values: readonly bigint[],
): readonly Term[] {
  // Later templates are composed with earlier ones, so the last is replaced first.
  let current = formulas;
  for (let i = parameters.length - 1; i >= 0; i--) {
    const map = new Map<Term, Term>(nth(parameters, i).instance(nth(values, i)));
    map.set(nth(parameters, i).kappa, terms.int(nth(values, i)));
    current = current.map((formula) => substitute(terms, formula, map));
  }
  return current;
}

function withParameters(model: Model, parameters: readonly RoundParameter[], values: readonly bigint[]): Model {
  const all = new Map(model.values);
  for (const [i, { kappa }] of parameters.entries()) all.set(kappa, nth(values, i));
  return createModel(all);
}

/** Does the assignment satisfy formulas that came later? What it does not mention must fit the types. */
export function stillHolds(symbols: Symbols, model: Model | null, formulas: readonly Term[]): boolean {
  if (model === null) return false;
  return formulas.every((formula) => {
    if (isTrue(formula)) return true;
    for (const variable of freeVariables(formula)) {
      if (model.values.has(variable)) continue;
      if (symbols.objectWithBase(variable) !== null || !model.satisfies(symbols.axiom(variable))) return false;
    }
    return model.satisfies(formula);
  });
}

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
