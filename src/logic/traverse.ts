import { assertNever } from "../base/errors.ts";
import type { Quantified, Term, Variable } from "./term.ts";
import type { Terms } from "./terms.ts";

/** The immediate subterms, in a fixed order, without the bound variables of a quantifier. */
export function childrenOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case "int":
    case "bool":
    case "variable":
      return [];
    case "sum":
      return term.monomials.map((m) => m.term);
    case "product":
      return term.factors;
    case "div":
    case "mod":
      return [term.dividend, term.divisor];
    case "bits":
    case "arrayEq":
      return [term.left, term.right];
    case "ite":
      return [term.condition, term.whenTrue, term.whenFalse];
    case "select":
      return [term.array, term.index];
    case "store":
      return [term.array, term.index, term.value];
    case "constantArray":
      return [term.value];
    case "apply":
    case "and":
    case "or":
      return term.arguments;
    case "le":
    case "eq":
      return [term.sum];
    case "not":
      return [term.operand];
    case "forall":
    case "exists":
      return [term.body];
    default:
      return assertNever(term);
  }
}

/** The same operation on other subterms, in the order of `childrenOf`, through the constructors. */
export function rebuild(terms: Terms, term: Term, children: readonly Term[]): Term {
  const [a, b, c] = children as readonly [Term, Term, Term];
  switch (term.kind) {
    case "int":
    case "bool":
    case "variable":
      return term;
    case "sum":
      return terms.linear(
        term.monomials.map((m, i) => ({ coefficient: m.coefficient, term: children[i]! })),
        term.constant,
      );
    case "product":
      return terms.mul(...children);
    case "div":
      return terms.div(a, b);
    case "mod":
      return terms.mod(a, b);
    case "bits":
      return terms.bits(term.operator, term.width, a, b);
    case "arrayEq":
      return terms.eq(a, b);
    case "ite":
      return terms.ite(a, b, c);
    case "select":
      return terms.select(a, b);
    case "store":
      return terms.store(a, b, c);
    case "constantArray":
      return terms.constantArray(a);
    case "apply":
      return terms.apply(term.symbol, ...children);
    case "and":
      return terms.all(children);
    case "or":
      return terms.any(children);
    case "le":
      return terms.atMost(a, term.bound);
    case "eq":
      return terms.equals(a, term.bound);
    case "not":
      return terms.not(a);
    case "forall":
      return terms.forall(term.bound, a);
    case "exists":
      return terms.exists(term.bound, a);
    default:
      return assertNever(term);
  }
}

/** Every subterm of `roots` once, subterms first. A term that `enter` rejects is skipped with its subterms. */
export function postOrder(roots: Iterable<Term>, enter: (term: Term) => boolean = () => true): Term[] {
  const order: Term[] = [];
  const seen = new Set<number>();
  const stack: { readonly term: Term; readonly children: readonly Term[]; next: number }[] = [];
  const push = (term: Term) => {
    if (seen.has(term.id) || !enter(term)) return;
    seen.add(term.id);
    stack.push({ term, children: childrenOf(term), next: 0 });
  };
  for (const root of roots) {
    push(root);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const child = top.children[top.next];
      if (child === undefined) {
        order.push(top.term);
        stack.pop();
      } else {
        top.next++;
        push(child);
      }
    }
  }
  return order;
}

/**
 * Rewrites terms from the inside out: `change` is asked about each subterm once, after its own subterms were rewritten.
 * Terms that `enter` rejects stay as they are.
 */
export function createRewriter(
  terms: Terms,
  change: (term: Term) => Term,
  enter: (term: Term) => boolean = () => true,
): (root: Term) => Term {
  const known = new Map<Term, Term>();
  return (root) => {
    for (const term of postOrder([root], (part) => !known.has(part) && enter(part))) {
      const children = childrenOf(term);
      const changed = children.map((child) => known.get(child) ?? child);
      const same = changed.every((child, i) => child === children[i]);
      known.set(term, change(same ? term : rebuild(terms, term, changed)));
    }
    return known.get(root) ?? root;
  };
}

export function sizeOf(term: Term): number {
  return postOrder([term]).length;
}

/** True if the terms have more than `limit` distinct subterms. */
export function isLargerThan(limit: number, roots: Iterable<Term>): boolean {
  const seen = new Set<Term>();
  const work = [...roots];
  for (let term = work.pop(); term !== undefined; term = work.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if (seen.size > limit) return true;
    work.push(...childrenOf(term));
  }
  return false;
}

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

export function freeVariablesOf(terms: Iterable<Term>): readonly Variable[] {
  const found = new Map<number, Variable>();
  for (const term of terms) for (const v of freeVariables(term)) found.set(v.id, v);
  return [...found.values()].sort((a, b) => a.id - b.id);
}

export type Substitution = ReadonlyMap<Term, Term>;

/**
 * Replaces all keys at once (replacements are not searched again), iteratively and linear in the shared size of `root`.
 * Keys may be any terms; the outermost match wins. Quantifiers rename bound variables to avoid capture.
 */
export function substitute(terms: Terms, root: Term, substitution: Substitution): Term {
  return createSubstituter(terms, substitution)(root);
}

/** One substitution for many terms; shared parts are rewritten once. */
export function createSubstituter(terms: Terms, substitution: Substitution): (root: Term) => Term {
  const { apply, replace } = createGrowingSubstituter(terms);
  for (const [from, to] of substitution) replace(from, to);
  return apply;
}

/** A substitution that grows while it is applied. A new key must not have occurred in a term that `apply` has seen. */
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
