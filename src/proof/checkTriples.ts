import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { evaluateAll } from "../logic/evaluate.ts";
import { createKnownValues } from "../logic/knownValues.ts";
import type { Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { postOrder } from "../logic/traverse.ts";
import type { CheckResult, Solver } from "../solver/solver.ts";
import { checkLimits } from "./checkers.ts";
import type { Triple } from "./triple.ts";

export type TripleVerdict = {
  readonly triple: Triple;
  /** `vacuous`: it follows from hypotheses that contradict each other, although the recorded run satisfies them. */
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  readonly by: string;
};

export type TripleOptions = {
  /** Ends early, with the verdicts so far. */
  readonly cancellation?: Cancellation;
  /** Ends with the first triple that is not proved: what needs all of them has failed by then. */
  readonly allOrNothing?: boolean;
};

/** Asks each triple of the first solver that decides it. */
export function checkTriples(
  terms: Terms,
  solvers: readonly Solver[],
  triples: readonly Triple[],
  { cancellation = neverCancelled, allOrNothing = false }: TripleOptions = {},
): readonly TripleVerdict[] {
  const verdicts: TripleVerdict[] = [];
  for (const batch of batches(triples)) {
    if (cancellation.isCancelled()) break;
    const answers = checkBatch(terms, solvers, batch);
    // A question that was cut off says nothing.
    verdicts.push(...(cancellation.isCancelled() ? answers.filter(({ answer }) => answer !== "unknown") : answers));
    if (allOrNothing && answers.some(({ answer }) => answer !== "proved")) return verdicts;
  }
  return markVacuous(solvers, verdicts, cancellation);
}

/** Linear triples with few hypotheses are asked together, so many at once. */
const fewHypotheses = 16;
const batchSize = 24;

function batches(triples: readonly Triple[]): readonly (readonly Triple[])[] {
  const batches: Triple[][] = [];
  for (const triple of triples) {
    const last = batches[batches.length - 1];
    if (isEasy(triple) && last !== undefined && last.length < batchSize && isEasy(last[0]!)) {
      last.push(triple);
    } else batches.push([triple]);
  }
  return batches;
}

/** Bitwise operations and products are hard enough one by one. */
function isEasy({ hypotheses, conclusion }: Triple): boolean {
  if (hypotheses.length > fewHypotheses) return false;
  return postOrder([...hypotheses, conclusion]).every(({ kind }) => kind !== "bits" && kind !== "product");
}

/** None of them has a counterexample if there is none to any of them; else each is asked alone. */
function checkBatch(terms: Terms, solvers: readonly Solver[], batch: readonly Triple[]): readonly TripleVerdict[] {
  const [solver] = solvers;
  if (batch.length > 1 && solver !== undefined) {
    const counterexamples = batch.map(({ hypotheses, conclusion }) => terms.and(...hypotheses, terms.not(conclusion)));
    if (ask(solver, [terms.any(counterexamples)], "short").kind === "unsat") {
      return batch.map((triple) => ({ triple, answer: "proved", by: solver.name }));
    }
  }
  return batch.map((triple) => checkTriple(terms, solvers, triple));
}

/** What one solver finds hard another one may find easy: none is asked for long before all have been asked for a while. */
function checkTriple(terms: Terms, solvers: readonly Solver[], triple: Triple): TripleVerdict {
  for (const patience of ["short", "long"] as const) {
    for (const solver of solvers) {
      const result = ask(solver, [...triple.hypotheses, terms.not(triple.conclusion)], patience);
      if (result.kind === "unsat") return { triple, answer: "proved", by: solver.name };
      if (result.kind === "sat" && triple.isInexact === true) {
        return { triple, answer: "unknown", by: `${solver.name} in a model of this run that is not exact` };
      }
      if (result.kind === "sat") return { triple, answer: "refuted", by: solver.name };
    }
  }
  return { triple, answer: "unknown", by: solvers.map(({ name }) => name).join(", ") };
}

function ask(solver: Solver, formulas: readonly Term[], patience: "short" | "long"): CheckResult {
  solver.push();
  try {
    solver.assert(...formulas);
    return solver.check([], { model: false, limits: checkLimits(solver.name, patience) });
  } finally {
    solver.pop();
  }
}

/**
 * Of the triples that the recorded run is a witness of, at least one of each name must have consistent hypotheses.
 * Interrupted, it leaves out the verdicts that it has not looked at.
 */
function markVacuous(
  solvers: readonly Solver[],
  verdicts: readonly TripleVerdict[],
  cancellation: Cancellation,
): readonly TripleVerdict[] {
  const consistent = new Set<string>();
  const contradictory = new Map<TripleVerdict, string>();
  let looked = 0;
  for (const verdict of verdicts) {
    const { witnessed, hypotheses } = verdict.triple;
    const isOpen = witnessed !== undefined && verdict.answer === "proved" && !consistent.has(witnessed);
    if (isOpen && cancellation.isCancelled()) break;
    looked++;
    if (!isOpen) continue;
    if (areSatisfiedByValues(hypotheses)) {
      consistent.add(witnessed);
      continue;
    }
    const refuter = refuterOf(solvers, hypotheses);
    if (refuter === null) consistent.add(witnessed);
    else contradictory.set(verdict, refuter);
  }
  return verdicts.slice(0, looked).map((verdict) => {
    const by = contradictory.get(verdict);
    return by === undefined || consistent.has(verdict.triple.witnessed!)
      ? verdict
      : { ...verdict, answer: "vacuous", by };
  });
}

/** Who finds that formulas contradict each other, before anybody finds a model; without an answer they count as consistent. */
function refuterOf(solvers: readonly Solver[], formulas: readonly Term[]): string | null {
  for (const solver of solvers) {
    const { kind } = ask(solver, formulas, "short");
    if (kind !== "unknown") return kind === "unsat" ? solver.name : null;
  }
  return null;
}

/** Where they fix all values, and are true of them. */
function areSatisfiedByValues(formulas: readonly Term[]): boolean {
  const known = createKnownValues();
  formulas.forEach(known.learn);
  return evaluateAll(formulas, known.assignment).every((value) => value === true);
}
