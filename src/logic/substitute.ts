import { freeVariables, freeVariablesOf } from "./freeVariables.ts";
import type { Quantified, Term, Variable } from "./term.ts";
import type { Terms } from "./terms.ts";
import { childrenOf, postOrder, rebuild } from "./traverse.ts";

/** What to put in place of a term, usually of a variable. */
export type Substitution = ReadonlyMap<Term, Term>;

/**
 * Replaces all keys at once (the replacements are not searched again), in time linear in the shared size of `root`
 * and without recursion. Keys may be any terms, the outermost match wins. Quantifiers rename what they bind where a
 * replacement would be captured.
 */
export function substitute(terms: Terms, root: Term, substitution: Substitution): Term {
  return createSubstituter(terms, substitution)(root);
}

/** One substitution for many terms; what they share is rewritten once. */
export function createSubstituter(terms: Terms, substitution: Substitution): (root: Term) => Term {
  const { apply, replace } = createGrowingSubstituter(terms);
  for (const [from, to] of substitution) replace(from, to);
  return apply;
}

/**
 * A substitution that grows while it is applied, as when the definitions of a trace are unfolded in order. A term that
 * is to be replaced must not have occurred in a term that `apply` has seen.
 */
export function createGrowingSubstituter(terms: Terms): {
  replace(from: Term, to: Term): void;
  apply(root: Term): Term;
} {
  const done = new Map<number, Term>();
  const substitution = new Map<Term, Term>();
  return {
    replace(from, to) {
      substitution.set(from, to);
      done.set(from.id, to);
    },
    apply(root) {
      if (substitution.size === 0) return root;
      for (const term of postOrder([root], (t) => !done.has(t.id) && !isQuantified(t)))
        done.set(term.id, rewrite(terms, term, resolve));
      return resolve(root);
    },
  };

  function resolve(part: Term): Term {
    const known = done.get(part.id);
    if (known !== undefined) return known;
    const result = substituteQuantified(terms, part as Quantified, substitution);
    done.set(part.id, result);
    return result;
  }
}

function rewrite(terms: Terms, term: Term, resolve: (part: Term) => Term): Term {
  const before = childrenOf(term);
  const after = before.map(resolve);
  return after.every((child, i) => child === before[i]) ? term : rebuild(terms, term, after);
}

function isQuantified(term: Term): term is Quantified {
  return term.kind === "forall" || term.kind === "exists";
}

function substituteQuantified(terms: Terms, term: Quantified, substitution: Substitution): Term {
  const inner = new Map<Term, Term>();
  for (const [from, to] of substitution) {
    const names = freeVariables(from);
    if (!names.some((v) => term.bound.includes(v))) inner.set(from, to);
  }
  const captured = new Set<Variable>(freeVariablesOf(inner.values()));
  const bound = term.bound.map((variable) => {
    if (!captured.has(variable)) return variable;
    const renamed = terms.fresh(variable.name, variable.sort);
    inner.set(variable, renamed);
    return renamed;
  });
  const body = substitute(terms, term.body, inner);
  return term.kind === "forall" ? terms.forall(bound, body) : terms.exists(bound, body);
}
