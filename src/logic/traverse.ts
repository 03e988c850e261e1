import { assertNever } from "../base/assertNever.ts";
import type { Term } from "./term.ts";
import type { Terms } from "./terms.ts";

/** The immediate subterms, in a fixed order. Bound variables of a quantifier are not among them. */
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

/** The same operation on other subterms, `children` in the order of `childrenOf`, through the constructors. */
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

/**
 * Every subterm of `roots` once, subterms first, without recursion. Where `enter` says no, a term and what is only
 * reachable through it are left out.
 */
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

/** Number of distinct subterms. */
export function sizeOf(term: Term): number {
  return postOrder([term]).length;
}

/** Do the terms have more than so many different subterms? */
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
