import { nth } from "../../../base/checked.ts";
import { conjuncts, disjuncts, type Term, type Variable } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { freeVariables, substitute } from "../../../logic/traverse.ts";

export function forAllRounds(terms: Terms, tau: Variable, kappa: Term, body: Term): Term {
  const none = terms.eq(kappa, terms.int(0n));
  return terms.all(
    conjuncts(body).map((part) => {
      const { free, bound } = splitBy(tau, disjuncts(part));
      if (bound.length === 0) return terms.or(none, part);
      const outside = terms.or(none, terms.any(free));
      const eliminated = bound.length === 1 ? eliminate(terms, tau, kappa, nth(bound, 0)) : null;
      if (eliminated !== null) return terms.or(outside, eliminated);
      const range = terms.or(terms.lt(tau, terms.int(0n)), terms.ge(tau, kappa));
      return terms.or(outside, terms.forall([tau], terms.or(range, terms.any(bound))));
    }),
  );
}

function splitBy(tau: Variable, parts: readonly Term[]): { readonly free: Term[]; readonly bound: Term[] } {
  const free: Term[] = [];
  const bound: Term[] = [];
  for (const part of parts) (freeVariables(part).includes(tau) ? bound : free).push(part);
  return { free, bound };
}

/** For at least one round; null if it needs a quantifier. */
function eliminate(terms: Terms, tau: Variable, kappa: Term, atom: Term): Term | null {
  const at = (round: Term) => substitute(terms, atom, new Map([[tau, round]]));
  const last = terms.sub(kappa, terms.int(1n));
  if (atom.kind === "le") {
    const slope = slopeIn(terms, tau, atom.sum);
    if (slope === null) return null;
    return slope > 0n ? at(last) : at(terms.int(0n));
  }
  if (atom.kind === "eq") {
    const slope = slopeIn(terms, tau, atom.sum);
    return slope === null ? null : terms.and(at(terms.int(0n)), terms.eq(kappa, terms.int(1n)));
  }
  if (atom.kind === "not" && atom.operand.kind === "eq") {
    const { sum, bound } = atom.operand;
    const slope = slopeIn(terms, tau, sum);
    if (slope === null) return null;
    // The round in which both are equal, if it exists, is none of these.
    const distance = terms.sub(terms.int(bound), terms.sub(sum, terms.scale(slope, tau)));
    const steps = slope < 0n ? terms.neg(distance) : distance;
    const stride = terms.int(slope < 0n ? -slope : slope);
    const outside = terms.or(terms.lt(steps, terms.int(0n)), terms.ge(steps, terms.mul(stride, kappa)));
    return stride.kind === "int" && stride.value === 1n
      ? outside
      : terms.or(outside, terms.ne(terms.mod(steps, stride), terms.int(0n)));
  }
  return null;
}

/** The coefficient of tau in a term that contains it nowhere else. */
function slopeIn(terms: Terms, tau: Variable, sum: Term): bigint | null {
  if (sum === tau) return 1n;
  const monomial = sum.kind === "sum" ? sum.monomials.find(({ term }) => term === tau) : undefined;
  if (monomial === undefined) return null;
  const rest = terms.sub(sum, terms.scale(monomial.coefficient, tau));
  return freeVariables(rest).includes(tau) ? null : monomial.coefficient;
}
