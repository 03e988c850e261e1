import type { Head, ModelExit, ProgramModel } from "../../../cutpoints/programModel.ts";
import type { Term } from "../../../logic/term.ts";
import { createSubstituter, freeVariablesOf, postOrder } from "../../../logic/traverse.ts";

/** A cell that was written outside of the loops over its array: `a[n / 2] = 3`. A search ends there at the latest. */
export type Landmark = { readonly array: Term; readonly index: Term; readonly value: Term };

const mostLandmarks = 6;
/** What is larger is computed from cells. */
const mostParts = 12;

/** The single cells that some region writes, said by places that are still there behind it. */
export function landmarksOf({ terms, regions }: ProgramModel): readonly Landmark[] {
  const found = new Map<Term, Landmark>();
  for (const { exits } of regions) {
    for (const exit of exits) {
      const said = inPlaces(terms, exit);
      for (const [array, value] of exit.next) {
        if (array.sort !== "Array") continue;
        for (const part of postOrder([value])) {
          if (part.kind !== "store" || postOrder([part.index, part.value]).length > mostParts) continue;
          const [index, written] = [said(part.index), said(part.value)];
          const places = new Set<Term>(exit.next.keys());
          if (!freeVariablesOf([index, written]).every((variable) => places.has(variable))) continue;
          found.set(terms.eq(terms.select(array, index), written), { array, index, value: written });
        }
      }
    }
  }
  return [...found.values()].slice(0, mostLandmarks);
}

/** A value as it can be read behind the exit: `n / 2` for half of what went into `n`. */
function inPlaces(terms: ProgramModel["terms"], { next }: ModelExit): (term: Term) => Term {
  const places = new Map<Term, Term>();
  for (const [place, value] of next) {
    if (place.sort === "Int" && value.kind !== "int" && !places.has(value)) places.set(value, place);
  }
  return createSubstituter(terms, places);
}

/** What is still in the cell, and on which side of it the indices of the loops are. */
export function landmarkCandidates(
  { terms }: ProgramModel,
  { live }: Head,
  landmarks: readonly Landmark[],
  indices: readonly Term[],
): readonly Term[] {
  const here = new Set<Term>(live);
  return landmarks
    .filter(({ array, index, value }) => freeVariablesOf([array, index, value]).every((variable) => here.has(variable)))
    .flatMap(({ array, index, value }) => [
      terms.eq(terms.select(array, index), value),
      ...indices.flatMap((place) => [terms.le(place, index), terms.lt(place, index), terms.ge(place, index)]),
    ])
    .filter(({ kind }) => kind !== "bool");
}
