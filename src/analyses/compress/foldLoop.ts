import { nth, present } from "../../base/checked.ts";
import { type CandidateFamilies, candidates } from "../../cutpoints/candidates.ts";
import {
  type ExitObligation,
  generalize,
  isExhausted,
  type Patience,
  patientProver,
  quickProver,
} from "../../cutpoints/generalize.ts";
import type { Annotation } from "../../cutpoints/houdini.ts";
import { loopInvariant } from "../../cutpoints/loopInvariant.ts";
import { afterRounds, type LoopSystem } from "../../cutpoints/loopSystem.ts";
import { isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { Activation } from "../../recordedRun/run.ts";
import { type Observations, sampleLoop, samplesFrom } from "../../recordedRun/sampleLoop.ts";
import type { Prover } from "../../solver/solver.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { CompressContext, FoldOptions } from "./fold.ts";
import type { LoopSite } from "./loopSite.ts";

export type LoopInvariant = {
  readonly system: LoopSystem;
  readonly from: number;
  /** The facts at each cut point; the root's are the loop invariant. */
  readonly annotation: Annotation;
};

export type Attempt = {
  readonly from: number;
  readonly candidates: number;
  /** Candidates that proofs used and that turned out not to be inductive, in that order. */
  readonly lost: readonly Term[];
  /** The inductive annotation, which is expensive; `quick`: only what is found in little time. */
  annotation(effort?: "quick"): Annotation;
};

export type FoldResult =
  | { readonly kind: "folded"; readonly invariant: LoopInvariant }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** True if the invariant does not imply what is needed; otherwise the attempt failed for another reason. */
      readonly isUnmet: boolean;
      readonly attempts: readonly Attempt[];
      /** The strongest invariant of the first attempts. */
      best(): LoopInvariant | null;
    };

export type FoldContext = CompressContext & {
  /** The cost of the loop's queries so far; see `patientProver`. */
  readonly patience?: Patience;
};

/**
 * Finds the first visit from which the remaining iterations can be replaced by a safe invariant, which implies what the
 * run needs after the loop. Tries visits 0, 1, 2, … while that changes the candidates, and then larger and larger steps
 * (000 §V-A; design §4). `allow` says which formulas may be required at the visit before a step.
 */
export function foldLoop(
  context: FoldContext,
  site: LoopSite,
  allow: (step: number, formulas: readonly Term[]) => readonly Term[] = (_, formulas) => formulas,
  first = 0,
): FoldResult {
  const { symbols, run, options, patience = { unanswered: 0 } } = context;
  const prover = patientProver(context.prover, patience);
  const { activation, system, obligation, rounds } = site;
  const root = nodeKey(system.root);
  const nothing: Annotation = new Map([...system.blocks.keys()].map((key) => [key, []]));
  if (first === 0 && safetyCore(prover, [], obligation) !== null) {
    // The loop is irrelevant.
    return { kind: "folded", invariant: { system, from: 0, annotation: nothing } };
  }
  const observations = sampleLoop(symbols, run, {
    activation,
    system,
    obligation,
    rounds,
    pointsTo: site.pointsTo,
  });
  const attempts: Attempt[] = [];
  let previous = "";
  let jump = 1;
  const seen = new Set(present(observations.get(root)).rows.map(({ step }) => step));
  // Visits with a known state, without the last one, which leaves nothing to fold.
  const sampled: number[] = [];
  activation.visits.forEach((step, visit) => {
    if (seen.has(step)) sampled.push(visit);
  });
  const starts = sampled
    .slice(0, -1)
    // The number of counted rounds depends on the start of the count.
    .filter((visit) => (rounds === null ? visit >= first : visit === first));
  for (let i = 0; i < starts.length && attempts.length < options.maxAttempts; i += jump) {
    if (prover.cancellation.isCancelled() || isExhausted(patience)) break;
    const from = nth(starts, i);
    const step = nth(activation.visits, from);
    const proposals = stages[options.families].map((stage) =>
      propose(symbols, system, observations, step, stage, { rounds, from }),
    );
    const signature = signatureOf(nth(proposals, proposals.length - 1));
    if (signature === previous) {
      jump *= 2;
      continue;
    }
    previous = signature;
    jump = 1;
    let last = "";
    for (const [stage, proposal] of proposals.entries()) {
      if (signatureOf(proposal) === last && stage < proposals.length - 1) continue;
      last = signatureOf(proposal);
      const isLast = stage === proposals.length - 1;
      const allowed = (formulas: readonly Term[]) => allowedAtEntry(symbols, rounds, formulas, (f) => allow(step, f));
      const found = safeInvariant(context, prover, patience, site, proposal, allowed);
      if (found.isSafe) {
        const general = generalize(symbols, prover, system, found.annotation(), obligation);
        const invariant = { system, from, annotation: general };
        if (isWorthIt(activation, invariant)) return { kind: "folded", invariant };
        attempts.push({ from, candidates: sizeOf(proposal), lost: [], annotation: () => general });
        const which = activation.visits.length === 2 ? "its only" : "only its last";
        const reason = `${which} iteration could be folded: ${stepsAfter(activation, from)} steps would become ${sizeOf(general)} facts`;
        return { kind: "failed", reason, isUnmet: false, attempts, best: () => invariant };
      }
      if (isLast) attempts.push({ from, candidates: sizeOf(proposal), ...found });
    }
  }
  const best = once(() => strongest(system, attempts.slice(0, alternatives)));
  return { kind: "failed", ...reasonFor(attempts, patience), attempts, best };
}

function reasonFor(attempts: readonly Attempt[], patience: Patience): { reason: string; isUnmet: boolean } {
  if (isExhausted(patience)) {
    return { reason: `the solver left ${patience.unanswered} questions about its body unanswered`, isUnmet: false };
  }
  if (attempts.length === 0) return { reason: "it went round less than once", isUnmet: false };
  const what = attempts.some(({ lost }) => lost.length > 0) ? "invariant that was found" : "set of candidates";
  return { reason: `no ${what} implies what is needed after the loop`, isUnmet: true };
}

/** A single iteration is easier to read than a longer invariant, and no second iteration supports the invariant. */
function isWorthIt(activation: Activation, { from, annotation }: LoopInvariant): boolean {
  if (activation.visits.length - 1 - from > 1) return true;
  return stepsAfter(activation, from) > sizeOf(annotation);
}

function stepsAfter({ visits }: Activation, from: number): number {
  return nth(visits, visits.length - 1) - nth(visits, from);
}

function sizeOf(annotation: Annotation): number {
  return [...annotation.values()].reduce((sum, formulas) => sum + formulas.length, 0);
}

export const alternatives = 4;

function strongest(system: LoopSystem, attempts: readonly Attempt[]): LoopInvariant | null {
  const root = nodeKey(system.root);
  return attempts
    .map(({ from, annotation }) => ({ system, from, annotation: annotation("quick") }))
    .reduce<LoopInvariant | null>(
      (best, each) =>
        best === null || present(each.annotation.get(root)).length > present(best.annotation.get(root)).length
          ? each
          : best,
      null,
    );
}

type Found = { readonly isSafe: boolean } & Pick<Attempt, "lost" | "annotation">;

/**
 * The strongest invariant in a proposal, if it is safe. Fewer candidates imply less, so the search ends as soon as the
 * rest does not imply what is needed; that is checked whenever a candidate of the last proof is lost.
 */
function safeInvariant(
  context: FoldContext,
  prover: Prover,
  patience: Patience,
  { system, obligation }: LoopSite,
  proposal: Annotation,
  allow: (formulas: readonly Term[]) => readonly Term[],
): Found {
  const { symbols } = context;
  const root = nodeKey(system.root);
  let used: readonly Term[] | null = safetyCore(prover, present(proposal.get(root)), obligation);
  const allowed = once(() => new Map(proposal).set(root, allow(present(proposal.get(root)))));
  const inductive = (formulas: () => Annotation): Attempt["annotation"] => {
    const full = once(() => loopInvariant(symbols, prover, system, formulas()));
    // Must not use up the query budget of other activations.
    const quick = once(() => loopInvariant(symbols, quickProver(context.prover, { ...patience }), system, formulas()));
    return (effort) => (effort === "quick" ? quick() : full());
  };
  if (used === null) return { isSafe: false, lost: [], annotation: inductive(allowed) };
  const lost: Term[] = [];
  const isEnough = (alive: ReadonlyMap<string, ReadonlySet<Term>>): boolean => {
    const left = present(alive.get(root));
    const gone = used?.filter((formula) => !left.has(formula)) ?? [];
    lost.push(...gone);
    if (gone.length > 0) used = safetyCore(prover, [...left], obligation);
    return used !== null;
  };
  const annotation = loopInvariant(symbols, prover, system, allowed(), isEnough);
  if (used !== null) return { isSafe: true, lost, annotation: () => annotation };
  return { isSafe: false, lost, annotation: inductive(() => annotation) };
}

/** The formulas that may be required at the loop's entry, before any round is counted. */
function allowedAtEntry(
  symbols: Symbols,
  rounds: Variable | null,
  formulas: readonly Term[],
  allow: (formulas: readonly Term[]) => readonly Term[],
): readonly Term[] {
  if (rounds === null) return allow(formulas);
  const entered = afterRounds(symbols, rounds, 0, formulas);
  const allowed = new Set(allow(entered));
  return formulas.filter((_, i) => isTrue(nth(entered, i)) || allowed.has(nth(entered, i)));
}

function once<Result>(compute: () => Result): () => Result {
  let result: { readonly value: Result } | null = null;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

type Stage = { readonly families: CandidateFamilies; readonly rank: number };

/** The stages at one visit, cheapest first; the last one has all candidates. */
const stages: Readonly<Record<FoldOptions["families"], readonly Stage[]>> = {
  canonical: [{ families: "canonical", rank: Infinity }],
  extended: [
    { families: "simple", rank: 1 },
    { families: "extended", rank: 1 },
    { families: "simple", rank: Infinity },
    { families: "extended", rank: Infinity },
  ],
};

/** CHECKSAFEINV (000 §V-A) against the condition after the loop: the part of the invariant that proves it, or null. */
function safetyCore(prover: Prover, invariant: readonly Term[], obligation: ExitObligation): readonly Term[] | null {
  const session = prover.open(obligation.hypotheses);
  try {
    const answer = session.implies(invariant, obligation.conclusion);
    return answer.kind === "proved" ? answer.used : null;
  } finally {
    session.close();
  }
}

function propose(
  symbols: Symbols,
  system: LoopSystem,
  observations: ReadonlyMap<string, Observations>,
  step: number,
  { families, rank }: Stage,
  counted: { readonly rounds: Variable | null; readonly from: number },
): Annotation {
  const proposal = new Map<string, readonly Term[]>();
  for (const key of system.blocks.keys()) {
    const { samples, hints } = samplesFrom(present(observations.get(key)), step, rank, counted);
    proposal.set(key, candidates(symbols.terms, samples, { families, hints, counter: counted.rounds }));
  }
  return proposal;
}

function signatureOf(annotation: Annotation): string {
  return [...annotation.values()].map((formulas) => formulas.map(({ id }) => id).join()).join(";");
}
