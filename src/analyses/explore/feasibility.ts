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

export type Feasible =
  | { readonly kind: "feasible"; readonly model: Model }
  | { readonly kind: "infeasible" }
  | { readonly kind: "unknown"; readonly reason: string };

export type FeasibilityCheck = {
  /** Tells whether a run satisfies the path condition and the extra formulas. */
  check(path: Trail<Term>, extra?: readonly Term[], effort?: "full" | "quick"): Feasible;
};

const efforts = { full: 4_000_000, quick: 300_000 };

/** Keeps the path of the last query on the solver's stack, because the next one shares most of it. */
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
        // A solver process that hit its limit may be unusable; the next one starts afresh.
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

/** Numbers of rounds to try if the solver does not decide a formula with quantifiers. */
const smallValues = [0n, 1n, 2n, 3n, 4n];
/** The number of valuations of all parameters. */
const mostValuations = 40;

/**
 * Decides whether a run satisfies the path condition. If the solver does not decide, small numbers of rounds are tried,
 * as 004 (§4) suggests for failed leaves: a feasible instance shows that the state is feasible.
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

/** More rounds are not written out. */
const mostRounds = 3000n;

/**
 * A model of a formula with quantifiers may have arrays that are no lists of values. The same query without
 * quantifiers, for the model's numbers of rounds, has a readable model.
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

/** Replaces the parameters by numbers, without quantifiers over rounds. */
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

/** Tells whether the assignment satisfies later formulas, too. Unmentioned variables must fit their types. */
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

/** The number of changed values; harder cases go to the solver. */
const mostRepairs = 4;

/**
 * Repairs an assignment of earlier formulas to satisfy all of them: another value of one input often satisfies a
 * negated branch, and evaluating that is far cheaper than a solver. Null if it is not that easy.
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

/** Tells whether every variable has a value of its type; a model omits unmentioned ones. */
function isOfTypes(symbols: Symbols, model: Model, formulas: readonly Term[]): boolean {
  return formulas.every((formula) =>
    freeVariables(formula).every(
      (variable) => symbols.objectWithBase(variable) === null && model.satisfies(symbols.axiom(variable)),
    ),
  );
}

/** Other values of single variables that may satisfy a condition, latest variables first. */
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
