import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { evaluateAll } from "../logic/evaluate.ts";
import { createKnownValues } from "../logic/knownValues.ts";
import { isFalse, isTrue, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { postOrder } from "../logic/traverse.ts";
import { type BackendChoice, findExecutable } from "../solver/backend/backends.ts";
import type { Limits, Solver } from "../solver/solver.ts";
import { createSolver } from "../solver/solverChain.ts";

export type ObligationVerdict = {
  readonly obligation: Obligation;
  /** `vacuous`: it follows from hypotheses that contradict each other, although the recorded run satisfies them. */
  readonly answer: "proved" | "refuted" | "vacuous" | "unknown";
  /** The solver that gave the answer; null: it holds on sight, so none was asked. */
  readonly by: string | null;
};

/** The verdicts of independent solvers about a proof. */
export type ProofCheck = {
  /** Those that were built: all of them unless the check was ended early. */
  readonly obligations: readonly Obligation[];
  readonly verdicts: readonly ObligationVerdict[];
  /** Every obligation was proved. */
  readonly checked: boolean;
  /** The check was ended before every obligation had a verdict, or before they were built. */
  readonly interrupted: boolean;
  /** The solvers that decided something. */
  readonly checker: string | null;
};

export const proofNotChecked: ProofCheck = {
  obligations: [],
  verdicts: [],
  checked: false,
  interrupted: true,
  checker: null,
};

declare const accepted: unique symbol;

/** A proof of which independent solvers have accepted every obligation. `checkedProof` alone makes one. */
export type CheckedProof = {
  readonly triples: number;
  readonly checker: string;
  /** @hidden No part of the JSON. */
  readonly [accepted]: true;
};

/** Null for a proof that was not checked to its end, or was not accepted. */
export function checkedProof({ obligations, verdicts, checked, checker }: ProofCheck): CheckedProof | null {
  const isAccepted =
    checked && verdicts.length === obligations.length && verdicts.every(({ answer }) => answer === "proved");
  return isAccepted ? ({ triples: obligations.length, checker: checker ?? "values alone" } as CheckedProof) : null;
}

export type ProofOptions = {
  /** The solvers that check; by default some are started for it. */
  readonly checkers?: Checkers;
  /** Ends early, with the verdicts so far. */
  readonly cancellation?: Cancellation;
  /** Ends with the first obligation that is not proved: whoever needs all of them has failed by then. */
  readonly allOrNothing?: boolean;
  /** Limits for one question: each round asks all solvers. */
  readonly rounds?: readonly Round[];
};

type Round = (solver: string) => Partial<Limits>;

/** Solvers differ in what they find hard: all are asked with a short limit before any is asked with a long one. */
const shortThenLong: readonly Round[] = [
  (solver) => checkLimits(solver, "short"),
  (solver) => checkLimits(solver, "long"),
];

/** Has each obligation decided by the first solver that can. A generator is asked for the next one when it is needed. */
export function checkObligations(
  terms: Terms,
  obligations: readonly Obligation[] | Generator<Obligation>,
  options: ProofOptions = {},
): ProofCheck {
  const { cancellation = neverCancelled, allOrNothing = false, rounds = shortThenLong } = options;
  const checkers = options.checkers ?? startCheckers();
  const built: Obligation[] = Array.isArray(obligations) ? obligations : [];
  const answered: ObligationVerdict[] = [];
  let isOver = false;
  try {
    for (const batch of batches(obligations)) {
      if (built !== obligations) built.push(...batch);
      if (cancellation.isCancelled()) break;
      const answers = checkBatch(terms, checkers.solvers, batch, rounds);
      // A question that was cut off says nothing.
      answered.push(...(cancellation.isCancelled() ? answers.filter(({ answer }) => answer !== "unknown") : answers));
      isOver = allOrNothing && answers.some(({ answer }) => answer !== "proved");
      if (isOver) break;
    }
    const verdicts = isOver ? answered : markVacuous(checkers.solvers, answered, cancellation);
    return summary(built, verdicts);
  } finally {
    if (options.checkers === undefined) checkers.dispose();
  }
}

function summary(built: readonly Obligation[], verdicts: readonly ObligationVerdict[]): ProofCheck {
  const deciders = new Set(verdicts.flatMap(({ answer, by }) => (answer === "unknown" || by === null ? [] : [by])));
  return {
    obligations: built,
    verdicts,
    interrupted: verdicts.length < built.length,
    checked: verdicts.length === built.length && verdicts.every(({ answer }) => answer === "proved"),
    checker: deciders.size === 0 ? null : [...deciders].join(" and "),
  };
}

/** Linear obligations with few hypotheses are asked together, so many at once. */
const fewHypotheses = 16;
const batchSize = 24;

function* batches(obligations: Iterable<Obligation>): Generator<readonly Obligation[]> {
  let easy: Obligation[] = [];
  for (const obligation of obligations) {
    if (isEasy(obligation)) {
      easy.push(obligation);
      if (easy.length < batchSize) continue;
      yield easy;
      easy = [];
      continue;
    }
    if (easy.length > 0) yield easy;
    easy = [];
    yield [obligation];
  }
  if (easy.length > 0) yield easy;
}

/** Bitwise operations and products are hard enough one by one. */
function isEasy({ hypotheses, conclusion }: Obligation): boolean {
  if (hypotheses.length > fewHypotheses) return false;
  return postOrder([...hypotheses, conclusion]).every(({ kind }) => kind !== "bits" && kind !== "product");
}

/** If there is no counterexample to any of them, all are proved; else each is asked alone. */
function checkBatch(
  terms: Terms,
  solvers: readonly Solver[],
  batch: readonly Obligation[],
  rounds: readonly Round[],
): readonly ObligationVerdict[] {
  const [solver] = solvers;
  const [first] = rounds;
  const open = batch.filter((obligation) => !isPlain(obligation));
  const areAllProved = () => {
    if (open.length < 2 || solver === undefined || first === undefined) return false;
    const counterexamples = open.map(({ hypotheses, conclusion }) => terms.and(...hypotheses, terms.not(conclusion)));
    return ask(solver, [terms.any(counterexamples)], first) === "unsat";
  };
  const together = areAllProved() ? solver!.name : null;
  return batch.map((obligation) => {
    if (isPlain(obligation)) return { obligation, answer: "proved", by: null };
    if (together !== null) return { obligation, answer: "proved", by: together };
    return checkObligation(terms, solvers, obligation, rounds);
  });
}

/** It holds on sight. What the recorded run witnesses is asked about all the same: it may be vacuous. */
function isPlain({ hypotheses, conclusion, witnessed }: Obligation): boolean {
  return witnessed === undefined && (isTrue(conclusion) || hypotheses.some(isFalse));
}

function checkObligation(
  terms: Terms,
  solvers: readonly Solver[],
  obligation: Obligation,
  rounds: readonly Round[],
): ObligationVerdict {
  const { hypotheses, conclusion, isInexact } = obligation;
  const { kind, by } = firstAnswer(solvers, [...hypotheses, terms.not(conclusion)], rounds);
  if (kind === "sat" && isInexact === true) {
    return { obligation, answer: "unknown", by: `${by} in a model of this run that is not exact` };
  }
  return { obligation, answer: kind === "unsat" ? "proved" : kind === "sat" ? "refuted" : "unknown", by };
}

/** Have the formulas a model? The answer of the first solver that has one, round by round. */
export function firstAnswer(
  solvers: readonly Solver[],
  formulas: readonly Term[],
  rounds: readonly Round[],
): { readonly kind: "sat" | "unsat" | "unknown"; readonly by: string } {
  for (const round of rounds) {
    for (const solver of solvers) {
      const kind = ask(solver, formulas, round);
      if (kind !== "unknown") return { kind, by: solver.name };
    }
  }
  return { kind: "unknown", by: solvers.map(({ name }) => name).join(", ") };
}

function ask(solver: Solver, formulas: readonly Term[], round: Round): "sat" | "unsat" | "unknown" {
  solver.push();
  try {
    solver.assert(...formulas);
    return solver.check([], { model: false, limits: round(solver.name) }).kind;
  } finally {
    solver.pop();
  }
}

function markVacuous(
  solvers: readonly Solver[],
  verdicts: readonly ObligationVerdict[],
  cancellation: Cancellation,
): readonly ObligationVerdict[] {
  const consistent = new Set<string>();
  const contradictory = new Map<ObligationVerdict, string>();
  let looked = 0;
  for (const verdict of verdicts) {
    const { witnessed, hypotheses } = verdict.obligation;
    const isOpen = witnessed !== undefined && verdict.answer === "proved" && !consistent.has(witnessed);
    if (isOpen && cancellation.isCancelled()) break;
    looked++;
    if (!isOpen) continue;
    const { kind, by } = areSatisfiedByValues(hypotheses)
      ? { kind: "sat" as const, by: "" }
      : firstAnswer(solvers, hypotheses, shortThenLong.slice(0, 1));
    if (kind === "unsat") contradictory.set(verdict, by);
    else consistent.add(witnessed);
  }
  return verdicts.slice(0, looked).map((verdict) => {
    const by = contradictory.get(verdict);
    const { witnessed } = verdict.obligation;
    if (by === undefined || witnessed === undefined || consistent.has(witnessed)) return verdict;
    return { ...verdict, answer: "vacuous", by };
  });
}

/** Do they fix all values, and are they true of them? */
function areSatisfiedByValues(formulas: readonly Term[]): boolean {
  const known = createKnownValues();
  formulas.forEach(known.learn);
  return evaluateAll(formulas, known.assignment).every((value) => value === true);
}

/** Solvers that take no part in the search, in the order of preference. */
export type Checkers = { readonly solvers: readonly Solver[]; dispose(): void };

/** A safety net beside the step limit: the verdict must not depend on the load of the machine. */
const defaultMilliseconds = 60_000;

/** Limits for a question in the solver's own steps: about one second, or about ten. cvc5 makes fewer steps in a second than z3. */
const resources = { short: { cvc5: 400_000, z3: 1_500_000 }, long: { cvc5: 3_000_000, z3: 12_000_000 } };

export type CheckPatience = keyof typeof resources;

export function checkLimits(solver: string, patience: CheckPatience): { readonly resources: number } {
  return { resources: resources[patience][solver.startsWith("cvc5") ? "cvc5" : "z3"] };
}

export type CheckerOptions = {
  /** For each obligation and solver. */
  readonly milliseconds?: number;
  /** Once it is cancelled, no question has an answer. */
  readonly cancellation?: Cancellation;
  /** Memory that each may take. */
  readonly megabytes?: number;
  /** Questions about bounded numbers may be asked about vectors of bits. */
  readonly vectors?: boolean;
};

/** Begins to start them: they are ready by the time somebody asks. */
export function startCheckers(
  choices: readonly BackendChoice[] = installedCheckers(),
  { milliseconds = defaultMilliseconds, cancellation = neverCancelled, ...others }: CheckerOptions = {},
): Checkers {
  const settings = { cache: false, cancellation, ...others };
  const solvers = choices.map((backend) => {
    const limits = { milliseconds, ...checkLimits(backend, "short") };
    return createSolver({ backend, limits, ...settings }).solver;
  });
  solvers[0]?.prepare();
  return {
    solvers,
    dispose() {
      for (const solver of solvers) solver.dispose();
    },
  };
}

/** The solvers that check what another solver found. The embedded Z3 is of another version than a native one. */
export function otherCheckers(searcher: BackendChoice): readonly BackendChoice[] {
  const has = (name: "cvc5" | "z3") => findExecutable(name) !== null;
  const searches = searcher === "auto" ? (has("z3") ? "z3" : "wasm") : searcher;
  const native = (["cvc5", "z3"] as const).filter((name) => has(name) && name !== searches);
  return searches === "wasm" && native.length > 0 ? native : [...native, "wasm"];
}

/** Another solver than the one that searches, where there is one: cvc5 before z3 before the embedded one. */
export function installedCheckers(searchPath?: string): readonly BackendChoice[] {
  const native = (["cvc5", "z3"] as const).filter((name) => findExecutable(name, searchPath) !== null);
  return native.length === 0 ? ["wasm"] : native;
}
