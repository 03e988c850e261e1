import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";

/** An equivalent list of conjuncts without pairs that one conjunct says: each result stands where the first of its pair stood. */
export function mergeConjuncts(terms: Terms, formulas: readonly Term[]): readonly Term[] {
  let current = formulas;
  for (;;) {
    const merged = mergeOnce(terms, current);
    if (merged === null) return current;
    current = merged;
  }
}

function mergeOnce(terms: Terms, formulas: readonly Term[]): readonly Term[] | null {
  for (const [i, first] of formulas.entries()) {
    for (const second of formulas.slice(i + 1)) {
      const one = mergePair(terms, first, second) ?? mergePair(terms, second, first);
      if (one === null) continue;
      return formulas.flatMap((formula) => (formula === first ? [one] : formula === second ? [] : [formula]));
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
