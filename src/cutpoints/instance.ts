import { present } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { createSubstituter, freeVariablesOf, substitute } from "../logic/traverse.ts";
import type { BlockInput } from "./block.ts";
import { decideAddresses } from "./decideAddresses.ts";
import { type ModelExit, type ModelRegion, type ProgramModel, termsOf } from "./programModel.ts";
import type { ErrorWay } from "./region.ts";

/** A region at one place of an unrolling: its unknowns are its own. */
export type Instance = {
  readonly region: ModelRegion;
  readonly definitions: readonly Term[];
  readonly exits: readonly ModelExit[];
  readonly errors: readonly ErrorWay[];
  readonly inputs: readonly BlockInput[];
  /** Under which condition something undefined happens that is no error. */
  readonly undefinedIn: Term;
};

export type HeadState = ReadonlyMap<Variable, Term>;

export type Arrival = { readonly head: string; readonly guard: Term; readonly state: HeadState };

/** The region from a state of its head; `null` where it is the start of the program. */
export function instantiate(model: ProgramModel, region: ModelRegion, state: HeadState | null): Instance {
  const { symbols, terms } = model;
  const undefinedIn = terms.any(region.assumed.map(({ guard, formula }) => terms.and(guard, terms.not(formula))));
  const formulas = [
    undefinedIn,
    ...termsOf(region),
    ...region.inputs.flatMap(({ variable, guard }) => [variable, guard]),
  ];
  const map = new Map<Term, Term>();
  const own = new Map<Term, Term>();
  for (const variable of freeVariablesOf(formulas)) {
    if (state === null) {
      own.set(variable, variable);
      continue;
    }
    const known = state.get(variable) ?? null;
    const value = known ?? symbols.version(variable);
    if (known === null) own.set(value, variable);
    if (value !== variable) map.set(variable, value);
  }
  const { definitions, apply } = definedIn(model, region, map, own);
  return {
    region,
    definitions,
    undefinedIn: apply(undefinedIn),
    errors: region.errors.map((error) => ({ ...error, guard: apply(error.guard) })),
    inputs: region.inputs.map(({ variable, guard }) => ({ variable: apply(variable), guard: apply(guard) })),
    exits: region.exits.map(({ to, guard, next }) => ({
      to,
      guard: apply(guard),
      next: new Map([...next].map(([place, value]) => [place, apply(value)])),
    })),
  };
}

/**
 * The definitions in this state. Names that they give a value that is known in it are replaced by that in all that comes behind
 * them: a run without inputs is followed by computing alone. `own` are the names of the instance, by what they are called in it.
 */
function definedIn(
  model: ProgramModel,
  region: ModelRegion,
  map: Map<Term, Term>,
  own: ReadonlyMap<Term, Term>,
): { readonly definitions: readonly Term[]; apply(term: Term): Term } {
  const { terms } = model;
  const definitions: Term[] = [];
  const decide = addressesOf(model);
  const replaced = () => {
    const replace = createSubstituter(terms, map);
    return (term: Term) => decide(replace(term));
  };
  let apply = replaced();
  for (const definition of region.definitions) {
    const here = apply(definition);
    if (here.kind === "bool" && here.value) continue;
    const known = settledBy(terms, here);
    const original = known === null ? undefined : own.get(known.name);
    if (known === null || original === undefined || known.value.kind === "variable") definitions.push(here);
    else {
      map.set(original, known.value);
      apply = replaced();
    }
  }
  return { definitions, apply };
}

const addressesOf = memoised(({ symbols }: ProgramModel) => decideAddresses(symbols));

/** The value that a definition gives to one name: true or false, a number, or an array. */
function settledBy(terms: Terms, fact: Term): { readonly name: Variable; readonly value: Term } | null {
  if (fact.kind === "variable") return { name: fact, value: terms.bool(true) };
  if (fact.kind === "not" && fact.operand.kind === "variable") return { name: fact.operand, value: terms.bool(false) };
  if (fact.kind === "eq" && fact.sum.kind === "variable") return { name: fact.sum, value: terms.int(fact.bound) };
  if (fact.kind !== "arrayEq") return null;
  const [name, value] = fact.left.kind === "variable" ? [fact.left, fact.right] : [fact.right, fact.left];
  return name.kind === "variable" && !freeVariablesOf([value]).includes(name) ? { name, value } : null;
}

export function regionOf(model: ProgramModel, head: string | null): ModelRegion {
  return present(model.regions.find(({ from }) => from === head));
}

/** A formula over the places of a head, said of one of its states. */
export function inState({ terms }: ProgramModel, formula: Term, state: HeadState): Term {
  const map = new Map<Term, Term>();
  for (const place of freeVariablesOf([formula])) {
    const value = state.get(place);
    if (value !== undefined && value !== place) map.set(place, value);
  }
  return map.size === 0 ? formula : substitute(terms, formula, map);
}
