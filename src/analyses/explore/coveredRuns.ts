import { nth } from "../../base/checked.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { evaluateAll } from "../../logic/evaluate.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import type { Sort, Term } from "../../logic/term.ts";
import { createTerms, type Terms } from "../../logic/terms.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { append, type ExplorationState, type Explorer, itemsOf, lengthOf } from "./explorer.ts";
import { stillHolds } from "./feasibility.ts";
import { edgeKey } from "./target.ts";
import { inputTypeKey } from "./transfer.ts";

/** All edges that a run completed, and the one at which it failed. */
export function coveredEdges(trace: Trace): ReadonlySet<string> {
  const { blocks, outcome } = trace;
  const covered = new Set<string>();
  const seen = new Set<number>();
  let left = trace.steps;
  for (const chunk of trace.log) {
    for (const block of chunk) {
      const [from, to] = [nth(blocks.first, block), nth(blocks.first, block + 1)];
      const isWhole = to - from <= left;
      if (isWhole && seen.has(block)) {
        left -= to - from;
        continue;
      }
      const fn = nth(blocks.functionOf, block);
      for (let i = from; i < to && i - from < left; i++) covered.add(edgeKey(fn, nth(blocks.edges, i)));
      left -= to - from;
      if (isWhole) seen.add(block);
    }
  }
  if ("at" in outcome && outcome.at !== null) covered.add(edgeKey(outcome.at.function, outcome.at.edge));
  return covered;
}

/**
 * Inputs for which all runs are proved to fail in the same way (000, scenario 1), so their paths need not be explored
 * again. Formulas are SMT-LIB over input names, because the prover has its own term store.
 */
export type CoveredInputs = {
  readonly formulas: readonly string[];
  readonly sorts: Readonly<Record<string, Sort>>;
  /** For each input of the run: its name in the formulas (null if it is not mentioned) and its type. */
  readonly inputs: readonly { readonly name: string | null; readonly type: string }[];
};

export function conditionIn(terms: Terms, { formulas, sorts }: CoveredInputs): Term {
  return terms.all(formulas.map((text) => parseSmtLib(terms, text, (name) => sorts[name] ?? null)));
}

/** True if a run with these inputs is known to fail. */
export function covers(covered: CoveredInputs, values: readonly InputValue[]): boolean {
  const terms = createTerms();
  const byName = new Map(covered.inputs.map(({ name }, i) => [name, values[i]]));
  const [holds] = evaluateAll([conditionIn(terms, covered)], ({ name }) => {
    const value = byName.get(name);
    return typeof value === "bigint" ? value : undefined;
  });
  return holds === true;
}

/** Excludes the runs that are known to fail, as soon as the state has read the relevant inputs. */
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

/** Null if the path has not read the condition's inputs, or reads other types there. */
function conditionOnPath(terms: Terms, covered: CoveredInputs, state: ExplorationState): Term | null {
  const last = covered.inputs.findLastIndex(({ name }) => name !== null);
  if (lengthOf(state.inputs) <= last) return null;
  const read = itemsOf(state.inputs);
  const condition = conditionIn(terms, covered);
  const byName = new Map(freeVariablesOf([condition]).map((variable) => [variable.name, variable]));
  const map = new Map<Term, Term>();
  for (const [i, { name, type }] of covered.inputs.slice(0, last + 1).entries()) {
    const input = nth(read, i);
    if (input.kind !== "once" || inputTypeKey(input.type) !== type) return null;
    const variable = name === null ? undefined : byName.get(name);
    if (variable !== undefined) map.set(variable, input.variable);
  }
  return substitute(terms, condition, map);
}
