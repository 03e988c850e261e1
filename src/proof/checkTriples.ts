import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import type { CheckResult, Solver } from "../solver/solver.ts";
import type { Triple } from "./triple.ts";

export type TripleVerdict = {
  readonly triple: Triple;
  /** `vacuous`: it follows from hypotheses that contradict each other, although the recorded run satisfies them. */
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  readonly by: string;
};

/** How long a solver may look for a model of hypotheses that have one; without an answer they count as consistent. */
const consistencyMilliseconds = 2000;

/** Asks each triple of the first solver that decides it. Ends early, with the verdicts so far, when told to. */
export function checkTriples(
  terms: Terms,
  solvers: readonly Solver[],
  triples: readonly Triple[],
  isInterrupted: () => boolean = () => false,
): readonly TripleVerdict[] {
  const verdicts: TripleVerdict[] = [];
  for (const triple of triples) {
    if (isInterrupted()) return verdicts;
    verdicts.push(checkTriple(terms, solvers, triple));
  }
  return markVacuous(solvers, verdicts, isInterrupted);
}

function checkTriple(terms: Terms, solvers: readonly Solver[], triple: Triple): TripleVerdict {
  for (const solver of solvers) {
    const result = ask(solver, [...triple.hypotheses, terms.not(triple.conclusion)]);
    if (result.kind === "unsat") return { triple, answer: "proved", by: solver.name };
    if (result.kind === "sat") return { triple, answer: "refuted", by: solver.name };
  }
  return { triple, answer: "unknown", by: solvers.map(({ name }) => name).join(", ") };
}

function ask(solver: Solver, formulas: readonly Term[], milliseconds?: number): CheckResult {
  solver.push();
  try {
    solver.assert(...formulas);
    return solver.check([], { model: false, ...(milliseconds === undefined ? {} : { limits: { milliseconds } }) });
  } finally {
    solver.pop();
  }
}

/** Of the triples that the recorded run is a witness of, at least one of each name must have consistent hypotheses. */
function markVacuous(
  solvers: readonly Solver[],
  verdicts: readonly TripleVerdict[],
  isInterrupted: () => boolean,
): readonly TripleVerdict[] {
  const consistent = new Set<string>();
  const contradictory = new Map<TripleVerdict, string>();
  for (const verdict of verdicts) {
    const { witnessed, hypotheses } = verdict.triple;
    if (witnessed === undefined || verdict.answer !== "proved") continue;
    if (consistent.has(witnessed) || isInterrupted()) continue;
    const refuter = solvers.find((solver) => ask(solver, hypotheses, consistencyMilliseconds).kind === "unsat");
    if (refuter === undefined) consistent.add(witnessed);
    else contradictory.set(verdict, refuter.name);
  }
  return verdicts.map((verdict) => {
    const by = contradictory.get(verdict);
    return by === undefined || consistent.has(verdict.triple.witnessed!)
      ? verdict
      : { ...verdict, answer: "vacuous", by };
  });
}
