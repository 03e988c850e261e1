import { nth } from "../../../base/checked.ts";
import { isTrue, type Term, type Variable } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { freeVariablesOf, substitute } from "../../../logic/traverse.ts";
import type { SymbolicState } from "../../../symbolic/symbolicState.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";

/**
 * The constraints of a state (001 §4): the known facts at a node, over the current values of places. Computed from the
 * symbolic state since the last head, the facts at that head, and the path conditions. Constraints over values that no
 * place holds any more are dropped.
 */
export function constraintsOf(
  symbols: Symbols,
  places: Iterable<Variable>,
  state: SymbolicState,
  known: readonly Term[],
): readonly Term[] {
  const { terms } = symbols;
  const valueOf = (place: Variable) => state.values.get(place) ?? place;
  // The current place of a value of the origin: it holds the value, or the value plus a constant.
  const now = new Map<Term, Term>();
  const all = [...new Set([...places, ...state.values.keys()])].filter((place) => symbols.cellOf(place) !== null);
  for (const place of all) {
    const value = valueOf(place);
    const held = unitPart(value);
    if (held === null || (now.has(held.variable) && value !== place)) continue;
    now.set(held.variable, held.more === 0n ? place : terms.sub(place, terms.int(held.more)));
  }
  const found = new Set<Term>();
  /** A term over values of the origin, in terms of current places; null if a value is in none. */
  const inPlaces = (term: Term): Term | null =>
    freeVariablesOf([term]).every((variable) => now.has(variable)) ? substitute(terms, term, now) : null;
  for (const place of all) {
    const value = valueOf(place);
    const here = place.sort === "Bool" || value === place ? null : inPlaces(value);
    if (here !== null) found.add(terms.eq(place, here));
  }
  for (const formula of known) {
    const here = inPlaces(formula);
    if (here !== null) found.add(here);
  }
  return [...found].filter((constraint) => !isTrue(constraint));
}

function unitPart(value: Term): { readonly variable: Variable; readonly more: bigint } | null {
  if (value.kind === "variable") return { variable: value, more: 0n };
  if (value.kind !== "sum" || value.monomials.length !== 1) return null;
  const [{ coefficient, term }] = value.monomials as [{ coefficient: bigint; term: Term }];
  return coefficient === 1n && term.kind === "variable" ? { variable: term, more: value.constant } : null;
}

/**
 * `v = c` also gives `v <= c` and `v >= c` (slackening, 001 §3): one of them may be invariant when the equation is not.
 */
export function slackened(terms: Terms, constraints: readonly Term[]): readonly Term[] {
  const all = constraints.flatMap((constraint) =>
    constraint.kind === "eq"
      ? [
          constraint,
          terms.atMost(constraint.sum, constraint.bound),
          terms.not(terms.atMost(constraint.sum, constraint.bound - 1n)),
        ]
      : [constraint],
  );
  return [...new Set(all)];
}

/** Places with equal numbers are equal: that may be invariant when the numbers are not. */
export function equalPlaces(terms: Terms, constraints: readonly Term[]): readonly Term[] {
  const byNumber = new Map<bigint, Term[]>();
  for (const constraint of constraints) {
    if (constraint.kind !== "eq" || constraint.sum.kind !== "variable") continue;
    byNumber.set(constraint.bound, [...(byNumber.get(constraint.bound) ?? []), constraint.sum]);
  }
  return [...byNumber.values()].flatMap((same) => same.slice(1).map((place) => terms.eq(place, nth(same, 0))));
}
