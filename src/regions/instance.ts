import { freeVariablesOf } from "../logic/freeVariables.ts";
import { createSubstituter, substitute } from "../logic/substitute.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { ModelExit, ModelRegion, ProgramModel } from "./programModel.ts";
import type { ErrorWay, RegionInput } from "./region.ts";

/** A region at one place of an unrolling: its unknowns are its own. */
export type Instance = {
  readonly region: ModelRegion;
  readonly definitions: readonly Term[];
  readonly exits: readonly ModelExit[];
  readonly errors: readonly ErrorWay[];
  readonly inputs: readonly RegionInput[];
};

export type HeadState = ReadonlyMap<Variable, Term>;

/** The region from a state of its head; `null` where it is the start of the program. */
export function instantiate(model: ProgramModel, region: ModelRegion, state: HeadState | null): Instance {
  if (state === null) return { ...region, region };
  const { symbols, terms } = model;
  const formulas = [
    ...region.definitions,
    ...region.errors.map(({ guard }) => guard),
    ...region.inputs.flatMap(({ variable, guard }) => [variable, guard]),
    ...region.exits.flatMap(({ guard, next }) => [guard, ...next.values()]),
  ];
  const map = new Map<Term, Term>();
  for (const variable of freeVariablesOf(formulas)) {
    const value = state.get(variable) ?? (isConstant(model, variable) ? variable : symbols.version(variable));
    if (value !== variable) map.set(variable, value);
  }
  const apply = createSubstituter(terms, map);
  return {
    region,
    definitions: region.definitions.map(apply),
    errors: region.errors.map((error) => ({ ...error, guard: apply(error.guard) })),
    inputs: region.inputs.map(({ variable, guard }) => ({ variable: apply(variable), guard: apply(guard) })),
    exits: region.exits.map(({ to, guard, next }) => ({
      to,
      guard: apply(guard),
      next: new Map([...next].map(([place, value]) => [place, apply(value)])),
    })),
  };
}

/** Numbers that floats stand for are the same everywhere. */
function isConstant({ symbols }: ProgramModel, variable: Variable): boolean {
  return symbols.floatValue(variable) !== null;
}

export function regionOf(model: ProgramModel, head: string | null): ModelRegion {
  return model.regions.find(({ from }) => from === head)!;
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
