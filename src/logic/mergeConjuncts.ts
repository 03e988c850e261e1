import type { Term } from "./term.ts";
import type { Terms } from "./terms.ts";

/** Merges pairs of conjuncts that one can express, at the place of the first, and drops duplicates. */
export function mergeConjuncts(terms: Terms, formulas: readonly Term[]): readonly Term[] {
  // Only conjuncts about the same sum are merged.
  const groups = new Map<Term, Term[]>();
  const places: { readonly group: Term; readonly index: number }[] = [];
  for (const formula of new Set(formulas)) {
    const group = subjectOf(terms, formula);
    const members = groups.get(group) ?? [];
    groups.set(group, members);
    places.push({ group, index: members.push(formula) - 1 });
  }
  const merged = new Map([...groups].map(([group, members]) => [group, mergeGroup(terms, members)]));
  return places.flatMap(({ group, index }) => merged.get(group)![index] ?? []);
}

/** The sum of a comparison, whichever way it is written; other formulas are their own subject. */
function subjectOf(terms: Terms, formula: Term): Term {
  const atom = formula.kind === "not" ? formula.operand : formula;
  if (atom.kind !== "le" && atom.kind !== "eq") return formula;
  const opposite = terms.neg(atom.sum);
  return opposite.id < atom.sum.id ? opposite : atom.sum;
}

/** null marks a dropped conjunct. */
function mergeGroup(terms: Terms, members: readonly Term[]): readonly (Term | null)[] {
  const left: (Term | null)[] = [...members];
  for (;;) {
    const merged = mergeOnce(terms, left);
    if (merged === null) return left;
    left[merged.at] = merged.one;
    left[merged.gone] = null;
  }
}

function mergeOnce(terms: Terms, members: readonly (Term | null)[]): { at: number; gone: number; one: Term } | null {
  for (const [at, first] of members.entries()) {
    for (let gone = at + 1; first !== null && gone < members.length; gone++) {
      const second = members[gone]!;
      if (second === null) continue;
      const one = first === second ? first : (mergePair(terms, first, second) ?? mergePair(terms, second, first));
      if (one !== null) return { at, gone, one };
    }
  }
  return null;
}

function mergePair(terms: Terms, first: Term, second: Term): Term | null {
  if (first.kind !== "le") return null;
  const { sum, bound } = first;
  // x <= c and x >= c
  if (second === terms.ge(sum, terms.int(bound))) return terms.eq(sum, terms.int(bound));
  // x <= c and x != c
  if (second === terms.ne(sum, terms.int(bound))) return terms.le(sum, terms.int(bound - 1n));
  // x <= c and x != d, where d is more
  if (second.kind === "not" && second.operand.kind === "eq") {
    const { sum: other, bound: excluded } = second.operand;
    if (other === sum && excluded > bound) return first;
    if (other === terms.neg(sum) && -excluded > bound) return first;
  }
  // x <= c and x <= d
  if (second.kind === "le" && second.sum === sum) return bound <= second.bound ? first : second;
  return null;
}
