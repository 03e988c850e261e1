import { freeVariablesOf } from "../logic/freeVariables.ts";
import { createSubstituter } from "../logic/substitute.ts";
import type { Term, Variable } from "../logic/term.ts";
import { type Projection, project } from "../solver/projection/project.ts";
import type { Solver } from "../solver/solver.ts";
import { axiomsFor } from "./createProver.ts";
import { type SymbolicState, valueOf } from "./symbolicState.ts";
import type { Symbols } from "./symbols.ts";

/** What a run that came to a state satisfies: the state, and the assumptions on the way, over its origin. */
export type ReachedState = { readonly state: SymbolicState; readonly assumptions: readonly Term[] };

/**
 * `[[σ]]` (000 §II): what a symbolic state says about the values that the places have in it. The values at the origin, and
 * everything that was unknown on the way, are eliminated; addresses of objects stay. A place in the result stands for its
 * value now.
 */
export function projectState(
  symbols: Symbols,
  reached: ReachedState,
  places: readonly Variable[],
  solver: Solver | null = null,
): Projection {
  const { formulas, eliminate } = stateFormula(symbols, reached, places);
  return project(symbols.terms, formulas, eliminate, solver);
}

/** The state as a formula about its places now and what is to be eliminated: the projection's existential formula. */
function stateFormula(
  symbols: Symbols,
  { state, assumptions }: ReachedState,
  places: readonly Variable[],
): { readonly formulas: readonly Term[]; readonly eliminate: ReadonlySet<Variable> } {
  const { terms } = symbols;
  const values = new Map(places.map((place) => [place, valueOf(symbols, state, place)] as const));
  const before: Term[] = [...values.values(), ...assumptions];
  const facts = [...assumptions, ...axiomsFor(symbols, before, new Set())];
  const renamed = new Map<Variable, Term>();
  const eliminate = new Set<Variable>();
  for (const variable of freeVariablesOf([...before, ...facts])) {
    // A place that was not written has its old value, and an address is the same all along.
    const isKept = values.get(variable) === variable || isStableAddress(symbols, state, variable);
    if (isKept) continue;
    if (symbols.cellOf(variable) === null) eliminate.add(variable);
    else {
      const origin = terms.fresh(`${variable.name}^`, variable.sort);
      renamed.set(variable, origin);
      eliminate.add(origin);
    }
  }
  const rename = createSubstituter(terms, renamed);
  const equations = [...values].filter(([place, value]) => value !== place);
  return {
    formulas: [...equations.map(([place, value]) => terms.eq(place, rename(value))), ...facts.map(rename)],
    eliminate,
  };
}

function isStableAddress(symbols: Symbols, state: SymbolicState, variable: Variable): boolean {
  return symbols.cellOf(variable)?.kind === "address" && !state.values.has(variable);
}
