import type { Term } from "../../logic/term.ts";
import { nodeKey } from "../../symbolic/inlinedNode.ts";
import type { Prover } from "../../symbolic/prover.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Trace } from "../../trace/trace.ts";
import { type Annotation, biid } from "./biid.ts";
import { type CandidateFamilies, candidates } from "./candidates.ts";
import { generalize, type Obligation } from "./generalize.ts";
import type { LoopSite } from "./loopSite.ts";
import type { LoopSystem } from "./loopSystem.ts";
import { type Observations, sampleLoop, samplesFrom } from "./sampleLoop.ts";

/** What replaces the iterations of a loop from visit `from` on. */
export type LoopInvariant = {
  readonly system: LoopSystem;
  readonly from: number;
  /** At each cut point; the one at the root is the loop's invariant. */
  readonly annotation: Annotation;
};

/** A visit from which folding was tried in vain, and the inductive annotation there is, which takes time to find. */
export type Attempt = { readonly from: number; annotation(): Annotation };

export type FoldResult =
  | { readonly kind: "folded"; readonly invariant: LoopInvariant }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly attempts: readonly Attempt[];
      /** The strongest annotation of the first attempts. */
      best(): Annotation | null;
    };

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** Attempts after which a loop is left as it is. */
  readonly maxAttempts: number;
};

export type FoldContext = {
  readonly symbols: Symbols;
  readonly prover: Prover;
  readonly run: Trace;
  readonly options: FoldOptions;
  isInterrupted?(): boolean;
};

/**
 * Finds the first visit from which the rest of the iterations can be replaced by a safe invariant: one that implies what
 * the run needs after the loop. Tries visits 0, 1, 2, … while that changes what there is to try, and ever further
 * ones while it does not (000 §V-A; design §4). `allow` says which formulas may be asked for at the visit before a step.
 */
export function foldLoop(
  context: FoldContext,
  site: LoopSite,
  allow: (step: number, formulas: readonly Term[]) => readonly Term[] = (_, formulas) => formulas,
  first = 0,
): FoldResult {
  const { symbols, prover, run, options } = context;
  const { activation, system, obligation } = site;
  const root = nodeKey(system.root);
  const nothing: Annotation = new Map([...system.blocks.keys()].map((key) => [key, []]));
  if (first === 0 && safetyCore(prover, [], obligation) !== null) {
    // What happens in the loop does not matter.
    return { kind: "folded", invariant: { system, from: 0, annotation: nothing } };
  }
  const observations = sampleLoop(symbols, run, {
    activation,
    system,
    obligation,
    pointsTo: site.pointsTo,
  });
  const attempts: Attempt[] = [];
  let previous = "";
  let jump = 1;
  const seen = new Set(observations.get(root)!.rows.map(({ step }) => step));
  // Only where the state is known; never at the last visit, which leaves nothing to fold.
  const starts = activation.visits
    .flatMap((step, visit) => (seen.has(step) ? [visit] : []))
    .slice(0, -1)
    .filter((visit) => visit >= first);
  for (let i = 0; i < starts.length && attempts.length < options.maxAttempts; i += jump) {
    if (context.isInterrupted?.()) break;
    const from = starts[i]!;
    const step = activation.visits[from]!;
    const proposals = stages[options.families].map((stage) => propose(symbols, system, observations, step, stage));
    const signature = signatureOf(proposals[proposals.length - 1]!);
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
      const found = safeInvariant(context, site, proposal, (formulas) => allow(step, formulas));
      if (found.isSafe) {
        const general = generalize(symbols, prover, system, found.annotation(), obligation);
        return { kind: "folded", invariant: { system, from, annotation: general } };
      }
      if (isLast) attempts.push({ from, annotation: found.annotation });
    }
  }
  const reason =
    attempts.length === 0
      ? "it went round less than once"
      : "no invariant that was found implies what is needed after the loop";
  return { kind: "failed", reason, attempts, best: () => strongest(root, attempts.slice(0, alternatives)) };
}

/** Attempts that are looked at again when all have failed. */
export const alternatives = 4;

function strongest(root: string, attempts: readonly Attempt[]): Annotation | null {
  return attempts
    .map(({ annotation }) => annotation())
    .reduce<Annotation | null>(
      (best, each) => (best === null || each.get(root)!.length > best.get(root)!.length ? each : best),
      null,
    );
}

type Found = { readonly isSafe: boolean; annotation(): Annotation };

/**
 * The strongest invariant in a proposal, if it is safe. Fewer candidates imply less, so the search ends as soon as those
 * left do not imply what is needed; whether they still do is asked when one is lost that the last proof has used.
 */
function safeInvariant(
  { symbols, prover }: FoldContext,
  { system, obligation }: LoopSite,
  proposal: Annotation,
  allow: (formulas: readonly Term[]) => readonly Term[],
): Found {
  const root = nodeKey(system.root);
  let used: readonly Term[] | null = safetyCore(prover, proposal.get(root)!, obligation);
  const allowed = once(() => new Map(proposal).set(root, allow(proposal.get(root)!)));
  if (used === null) return { isSafe: false, annotation: once(() => biid(symbols, prover, system, allowed())) };
  const isEnough = (alive: ReadonlyMap<string, ReadonlySet<Term>>): boolean => {
    const left = alive.get(root)!;
    if (used?.some((formula) => !left.has(formula))) used = safetyCore(prover, [...left], obligation);
    return used !== null;
  };
  const annotation = biid(symbols, prover, system, allowed(), isEnough);
  if (used !== null) return { isSafe: true, annotation: () => annotation };
  return { isSafe: false, annotation: once(() => biid(symbols, prover, system, annotation)) };
}

function once<Result>(compute: () => Result): () => Result {
  let result: { readonly value: Result } | null = null;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** Candidates of one kind about places up to some distance from what is needed. */
type Stage = { readonly families: CandidateFamilies; readonly rank: number };

/** What is tried at one visit, the cheapest first; the last is all there is. */
const stages: Readonly<Record<FoldOptions["families"], readonly Stage[]>> = {
  canonical: [{ families: "canonical", rank: Infinity }],
  extended: [
    { families: "simple", rank: 1 },
    { families: "extended", rank: 1 },
    { families: "simple", rank: Infinity },
    { families: "extended", rank: Infinity },
  ],
};

/** CHECKSAFEINV (000 §V-A) against the condition needed after the loop: what of the invariant proves it, or null. */
function safetyCore(prover: Prover, invariant: readonly Term[], obligation: Obligation): readonly Term[] | null {
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
): Annotation {
  const proposal = new Map<string, readonly Term[]>();
  for (const key of system.blocks.keys()) {
    const { samples, hints } = samplesFrom(observations.get(key)!, step, rank);
    proposal.set(key, candidates(symbols.terms, samples, { families, hints }));
  }
  return proposal;
}

function signatureOf(annotation: Annotation): string {
  return [...annotation.values()].map((formulas) => formulas.map(({ id }) => id).join()).join(";");
}
