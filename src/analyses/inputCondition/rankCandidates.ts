import { formulasOf, type LoopSystem, writtenBy } from "../../cutpoints/loopSystem.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariablesOf, postOrder } from "../../logic/traverse.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** So many are tried. */
const most = 40;

/**
 * Numbers that may become smaller with each round: how far the comparisons of the body are from turning (`bound - counter`), and the
 * places that the loop writes.
 */
export function rankCandidates(symbols: Symbols, system: LoopSystem): readonly Term[] {
  const { terms } = symbols;
  const written = new Set(writtenBy(system).places);
  const found = new Set<Term>();
  const propose = (term: Term) => {
    const places = freeVariablesOf([term]);
    if (!places.some((place) => written.has(place))) return;
    if (places.every((place) => symbols.cellOf(place) !== null && place.sort === "Int")) found.add(term);
  };
  const formulas = [...system.blocks.values()].flatMap((block) => [
    ...formulasOf(block),
    ...block.leaves.map(({ guard }) => guard),
  ]);
  for (const atom of postOrder(formulas)) {
    if (atom.kind !== "le" && atom.kind !== "eq") continue;
    const bound = terms.int(atom.bound);
    propose(terms.sub(bound, atom.sum));
    propose(terms.sub(atom.sum, bound));
  }
  for (const place of written) {
    if (place.sort !== "Int") continue;
    propose(place);
    propose(terms.neg(place));
  }
  return [...found].slice(0, most);
}
