import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { type CoveredInputs, conditionIn } from "./coveredInputs.ts";
import { stillHolds } from "./decide.ts";
import type { ExplorationState } from "./explorationState.ts";
import { inputTypeKey } from "./explorationSurroundings.ts";
import type { Explorer } from "./explorer.ts";
import { append, itemsOf, lengthOf } from "./trail.ts";

/** The state without the runs that are known to fail, as far as it has read the inputs that tell. */
export function withExclusions(ex: Explorer, state: ExplorationState): ExplorationState {
  const { exclusions } = ex.targets;
  if (exclusions.length === 0 || state.excluded.size === exclusions.length) return state;
  const { terms } = ex.symbols;
  const added: Term[] = [];
  const excluded = new Set(state.excluded);
  for (const covered of exclusions) {
    if (excluded.has(covered)) continue;
    const condition = conditionOnPath(terms, covered, state);
    if (condition === null) continue;
    excluded.add(covered);
    added.push(terms.not(condition));
  }
  if (added.length === 0) return state;
  let { path } = state;
  for (const formula of added) path = append(path, formula);
  return { ...state, path, excluded, model: stillHolds(ex.symbols, state.model, added) ? state.model : null };
}

/** Null while the path has not read what the condition speaks of, or reads something else there. */
function conditionOnPath(terms: Terms, covered: CoveredInputs, state: ExplorationState): Term | null {
  const last = covered.inputs.findLastIndex(({ name }) => name !== null);
  if (lengthOf(state.inputs) <= last) return null;
  const read = itemsOf(state.inputs);
  const condition = conditionIn(terms, covered);
  const byName = new Map(freeVariablesOf([condition]).map((variable) => [variable.name, variable]));
  const map = new Map<Term, Term>();
  for (const [i, { name, type }] of covered.inputs.slice(0, last + 1).entries()) {
    const input = read[i]!;
    if (input.kind !== "once" || inputTypeKey(input.type) !== type) return null;
    const variable = name === null ? undefined : byName.get(name);
    if (variable !== undefined) map.set(variable, input.variable);
  }
  return substitute(terms, condition, map);
}
