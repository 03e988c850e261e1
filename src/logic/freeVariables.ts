import type { Term, Variable } from "./term.ts";
import { postOrder } from "./traverse.ts";

/** Results for whole terms; a term's results go with the term. */
const cache = new WeakMap<Term, readonly Variable[]>();

/** The variables that occur outside the quantifiers that bind them, ordered by id. */
export function freeVariables(term: Term): readonly Variable[] {
  if (term.kind === "variable") return [term];
  const known = cache.get(term);
  if (known !== undefined) return known;
  const found = new Map<number, Variable>();
  const take = (variables: readonly Variable[]) => {
    for (const v of variables) found.set(v.id, v);
  };
  postOrder([term], (part) => {
    if (part.kind === "variable") found.set(part.id, part);
    if (part === term && part.kind !== "forall" && part.kind !== "exists") return true;
    const inner = cache.get(part);
    if (inner !== undefined) {
      take(inner);
      return false;
    }
    if (part.kind === "forall" || part.kind === "exists") {
      take(freeVariables(part.body).filter((v) => !part.bound.includes(v)));
      return false;
    }
    return true;
  });
  const result = [...found.values()].sort((a, b) => a.id - b.id);
  cache.set(term, result);
  return result;
}

/** The variables of several terms together, ordered by id. */
export function freeVariablesOf(terms: Iterable<Term>): readonly Variable[] {
  const found = new Map<number, Variable>();
  for (const term of terms) for (const v of freeVariables(term)) found.set(v.id, v);
  return [...found.values()].sort((a, b) => a.id - b.id);
}
