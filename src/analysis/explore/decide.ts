import { isTrue, type Term } from "../../logic/term.ts";
import { freeVariables, substitute } from "../../logic/traverse.ts";
import { createModel, type Model } from "../../solver/answers.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { ExplorationState, Parameter } from "./explorationState.ts";
import type { Explorer } from "./explorer.ts";
import type { Feasible } from "./feasibility.ts";
import { repairModel } from "./repairModel.ts";
import { append, itemsOf, type Trail } from "./trail.ts";

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
  parameters: readonly Parameter[],
  values: readonly bigint[],
): readonly Term[] {
  // Later templates are composed with earlier ones, so the last is replaced first.
  let current = formulas;
  for (let i = parameters.length - 1; i >= 0; i--) {
    const map = new Map<Term, Term>(parameters[i]!.instance(values[i]!));
    map.set(parameters[i]!.kappa, terms.int(values[i]!));
    current = current.map((formula) => substitute(terms, formula, map));
  }
  return current;
}

function withParameters(model: Model, parameters: readonly Parameter[], values: readonly bigint[]): Model {
  const all = new Map(model.values);
  for (const [i, { kappa }] of parameters.entries()) all.set(kappa, values[i]!);
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
