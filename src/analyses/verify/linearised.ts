import { nth, present } from "../../base/checked.ts";
import { type ModelRegion, type ProgramModel, termsOf } from "../../cutpoints/programModel.ts";
import type { Term, Variable } from "../../logic/term.ts";
import { childrenOf, freeVariablesOf, postOrder, rebuild, substitute } from "../../logic/traverse.ts";

/** A place with more constants is no control state. */
const mostConstants = 6;

/**
 * Regions without nonlinear operations: a product, quotient or bit operation is computed if an operand is one of the
 * constants that the program assigns to it, and is arbitrary otherwise. That allows more runs, so proofs remain valid,
 * and they are checked like all others.
 */
export function linearised({ terms, regions }: ProgramModel): readonly ModelRegion[] {
  if (!regions.some(isNonlinearRegion)) return regions;
  const constants = assignedConstants(regions);
  const results = new Map<Term, Term>();
  const splits = new Set<Term>();
  /** Case distinctions over the constants of places. */
  const byCases = (term: Term, places: readonly Variable[] = freeVariablesOf([term])): Term => {
    if (!isHard(term)) return term;
    const [place, ...others] = places;
    if (place === undefined) return terms.fresh("anything", "Int");
    let result = byCases(term, others);
    for (const value of constants.get(place) ?? []) {
      const known = byCases(substitute(terms, term, new Map([[place, terms.int(value)]])), others);
      result = terms.ite(terms.eq(place, terms.int(value)), known, result);
    }
    return result;
  };
  /** Computes an operation on case distinctions in each case. */
  const inCases = (part: Term, children: readonly Term[], i: number, chosen: Term): Term => {
    if (chosen.kind === "ite" && chosen.sort === "Int") {
      const { condition, whenTrue, whenFalse } = chosen;
      return terms.ite(condition, inCases(part, children, i, whenTrue), inCases(part, children, i, whenFalse));
    }
    return byCases(rebuild(terms, part, children.with(i, chosen)));
  };
  const without = (term: Term): Term => {
    for (const part of postOrder([term], (one) => !results.has(one))) {
      const own = childrenOf(part);
      const children = own.map((child) => present(results.get(child)));
      const i = children.findIndex((child) => splits.has(child));
      let result = children.every((child, k) => child === own[k]) ? part : rebuild(terms, part, children);
      if (isNonlinear(part)) result = byCases(result);
      else if (i >= 0 && (part.kind === "sum" || part.kind === "mod"))
        result = inCases(part, children, i, nth(children, i));
      if (result.kind === "ite" && (isNonlinear(part) || i >= 0)) splits.add(result);
      results.set(part, result);
    }
    return present(results.get(term));
  };
  return regions.map(
    (region): ModelRegion => ({
      ...region,
      definitions: region.definitions.map(without),
      errors: region.errors.map((error) => ({ ...error, guard: without(error.guard) })),
      exits: region.exits.map(({ to, guard, next }) => ({
        to,
        guard: without(guard),
        next: new Map([...next].map(([place, value]) => [place, without(value)])),
      })),
    }),
  );
}

/** True if a region computes more than sums, and quotients and remainders by constants. */
export function isNonlinearRegion(region: ModelRegion): boolean {
  return postOrder(termsOf(region)).some(isNonlinear);
}

/** Also remainders of such operations: Spacer does not handle remainders well. */
function isHard(term: Term): boolean {
  return (
    isNonlinear(term) || term.kind === "mod" || (term.kind === "sum" && term.monomials.some((one) => isHard(one.term)))
  );
}

function isNonlinear(term: Term): boolean {
  switch (term.kind) {
    case "product":
    case "bits":
      return true;
    case "div":
    case "mod":
      return term.divisor.kind !== "int";
    default:
      return false;
  }
}

/** The assigned constants of places that have few. */
function assignedConstants(regions: readonly ModelRegion[]): ReadonlyMap<Term, readonly bigint[]> {
  const found = new Map<Variable, Set<bigint>>();
  for (const { exits } of regions) {
    for (const { next } of exits) {
      for (const [place, value] of next) {
        const own = found.get(place) ?? new Set();
        found.set(place, own);
        for (const leaf of leavesOf(value)) if (leaf.kind === "int") own.add(leaf.value);
      }
    }
  }
  return new Map([...found].filter(([, { size }]) => size <= mostConstants).map(([place, own]) => [place, [...own]]));
}

function leavesOf(term: Term): readonly Term[] {
  const leaves: Term[] = [];
  const seen = new Set<Term>();
  const work = [term];
  for (let one = work.pop(); one !== undefined; one = work.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    if (one.kind === "ite") work.push(one.whenTrue, one.whenFalse);
    else leaves.push(one);
  }
  return leaves;
}
