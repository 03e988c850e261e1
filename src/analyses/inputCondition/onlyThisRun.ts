import { conjuncts, isTrue, type Term } from "../../logic/term.ts";
import type { Piece } from "../../model/everyRun/encodedRuns.ts";
import { inState } from "../../symbolic/symbolicState.ts";
import { isAboutInputs, type Search } from "./search.ts";

/**
 * Conjuncts of the folds' invariants that need not hold on the runs that a condition covers: what they say of places that the loop
 * does not write is true of the recorded inputs, and the claim does not need it.
 */
export function onlyThisRun(search: Search, pieces: readonly Piece[], condition: readonly Term[]): ReadonlySet<Term> {
  const { symbols, prover } = search;
  const found = new Set<Term>();
  const session = prover.open([]);
  for (const piece of pieces) {
    if (piece.kind !== "loop") continue;
    const here = (formula: Term) => inState(symbols, piece.state, formula);
    for (const formula of [...piece.fold.annotation.values()].flat()) {
      // All others are part of what is claimed.
      if (!isAboutInputs(search, here(formula))) continue;
      for (const part of conjuncts(formula)) {
        if (isTrue(here(part)) || session.implies(condition, here(part)).kind === "proved") continue;
        found.add(part);
      }
    }
  }
  session.close();
  return found;
}
