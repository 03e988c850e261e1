import { conjuncts, type Term } from "../../logic/term.ts";
import type { SteppedPiece } from "../../model/everyRun/encodedRuns.ts";
import { type OpenPoint, openPoint } from "../../model/everyRun/runObligation.ts";
import { ask, fixFor, follows, isAboutInputs, type KnownHere, type Search, strengthenFor } from "./search.ts";

/**
 * Makes all runs take some single steps: what the steps need of the inputs alone is a condition, the rest has to follow, with bounds
 * of the inputs if it must, or is left open. False where the runs need not even fail.
 */
export function planSteps(search: Search, piece: SteppedPiece, index: number, known: Term[]): boolean {
  const goals: { point: OpenPoint; formula: Term }[] = [];
  for (const { facts, obligations } of piece.steps) {
    known.push(...facts);
    for (const obligation of obligations) {
      const point = openPoint(index, obligation);
      if (obligation.formula === null) {
        if (point.kind === "failure") return false;
        search.open.set(point.key, point);
        continue;
      }
      for (const formula of conjuncts(obligation.formula)) {
        if (!isAboutInputs(search, formula)) goals.push({ point, formula });
        else if (!ask(search, formula)) return false;
      }
    }
  }
  const session = search.prover.open(known);
  const assumed: Term[] = [];
  try {
    const all = search.symbols.terms.all(goals.map(({ formula }) => formula));
    if (follows(search, { session, assumed }, all)) return true;
    for (const { point, formula } of goals) {
      if (!settle(search, { session, assumed }, point, formula)) return false;
      assumed.push(formula);
    }
    return true;
  } finally {
    session.close();
    known.push(...goals.map(({ formula }) => formula));
  }
}

function settle(search: Search, place: KnownHere, point: OpenPoint, goal: Term): boolean {
  if (search.open.has(point.key)) return true;
  if (follows(search, place, goal) || strengthenFor(search, place, goal)) return true;
  if (point.kind === "failure") return fixFor(search, place, goal);
  search.open.set(point.key, point);
  return true;
}
