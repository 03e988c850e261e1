import type { Terms } from "../logic/terms.ts";
import type { Solver } from "../solver/solver.ts";
import type { Triple } from "./triple.ts";

export type TripleVerdict = {
  readonly triple: Triple;
  readonly answer: "proved" | "refuted" | "unknown";
  readonly by: string;
};

/** Asks each triple of the first solver that decides it. Ends early, with the verdicts so far, when told to. */
export function checkTriples(
  terms: Terms,
  solvers: readonly Solver[],
  triples: readonly Triple[],
  isInterrupted: () => boolean = () => false,
): readonly TripleVerdict[] {
  const verdicts: TripleVerdict[] = [];
  for (const triple of triples) {
    if (isInterrupted()) break;
    verdicts.push(checkTriple(terms, solvers, triple));
  }
  return verdicts;
}

function checkTriple(terms: Terms, solvers: readonly Solver[], triple: Triple): TripleVerdict {
  for (const solver of solvers) {
    solver.push();
    try {
      solver.assert(...triple.hypotheses, terms.not(triple.conclusion));
      const result = solver.check([], { model: false });
      if (result.kind === "unsat") return { triple, answer: "proved", by: solver.name };
      if (result.kind === "sat") return { triple, answer: "refuted", by: solver.name };
    } finally {
      solver.pop();
    }
  }
  return { triple, answer: "unknown", by: solvers.map(({ name }) => name).join(", ") };
}
