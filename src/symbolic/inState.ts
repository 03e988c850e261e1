import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import { type SymbolicState, valueOf } from "./symbolicState.ts";
import type { Symbols } from "./symbols.ts";

/** A formula over places, as a formula about the values that a state gives them: over the state's origin. */
export function inState(symbols: Symbols, state: SymbolicState, formula: Term): Term {
  const replacements = new Map<Variable, Term>();
  for (const place of freeVariablesOf([formula])) {
    const value = valueOf(symbols, state, place);
    if (value !== place) replacements.set(place, value);
  }
  return replacements.size === 0 ? formula : substitute(symbols.terms, formula, replacements);
}
