import type { Term } from "../../logic/term.ts";
import { type InlinedNode, nodeKey } from "../../symbolic/inlinedNode.ts";
import type { Prover } from "../../symbolic/prover.ts";
import type { Activation } from "../../symbolic/recordedRun.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Trace } from "../../trace/trace.ts";
import { type Annotation, biid } from "./biid.ts";
import { candidates } from "./candidates.ts";
import { generalize, type Obligation } from "./generalize.ts";
import type { LoopSystem } from "./loopSystem.ts";
import { type Observations, sampleLoop, samplesFrom } from "./sampleLoop.ts";

/** A loop's iterations from visit `from` on, replaced by an invariant. */
export type Fold = {
  readonly activation: Activation;
  readonly system: LoopSystem;
  readonly from: number;
  /** At each cut point; the one at the root is the loop's invariant. */
  readonly annotation: Annotation;
};

export type FoldFailure = {
  readonly activation: Activation;
  readonly reason: string;
  /** Visits from which folding was tried. */
  readonly tried: readonly number[];
  /** The strongest invariant found, which did not imply what is needed. */
  readonly best: readonly Term[];
};

export type FoldResult = { readonly kind: "folded"; readonly fold: Fold } | ({ readonly kind: "failed" } & FoldFailure);

export type FoldOptions = {
  readonly families: "canonical" | "extended";
  /** Attempts after which a loop is left as it is. */
  readonly maxAttempts: number;
};

/**
 * Finds the first visit from which the rest of the iterations can be replaced by a safe invariant: one that implies what
 * the run needs after the loop. Tries visits 0, 1, 2, … while that changes what there is to try, and ever further
 * ones while it does not (000 §V-A; design §4).
 */
export function foldLoop(
  symbols: Symbols,
  prover: Prover,
  trace: Trace,
  activation: Activation,
  system: LoopSystem,
  obligation: Obligation,
  options: FoldOptions,
): FoldResult {
  const observations = sampleLoop(symbols, trace, activation, system, [
    ...obligation.hypotheses,
    obligation.conclusion,
  ]);
  const tried: number[] = [];
  let best: readonly Term[] = [];
  let previous = "";
  let jump = 1;
  const seen = new Set(observations.get(nodeKey(system.root))!.rows.map(({ step }) => step));
  // Only where the state is known; never at the last visit, which leaves nothing to fold.
  const starts = activation.visits.flatMap((step, visit) => (seen.has(step) ? [visit] : [])).slice(0, -1);
  for (let i = 0; i < starts.length && tried.length < options.maxAttempts; i += jump) {
    const from = starts[i]!;
    const proposal = propose(symbols, system, observations, activation.visits[from]!, options);
    const signature = signatureOf(proposal);
    if (signature === previous) jump *= 2;
    else {
      previous = signature;
      jump = 1;
      tried.push(from);
      const inductive = biid(symbols, prover, system, proposal);
      const invariant = inductive.get(nodeKey(system.root))!;
      if (isSafe(prover, invariant, obligation)) {
        const annotation = generalize(symbols, prover, system, inductive, obligation);
        return { kind: "folded", fold: { activation, system, from, annotation } };
      }
      if (invariant.length > best.length) best = invariant;
    }
  }
  const reason =
    tried.length === 0
      ? "it went round less than once"
      : "no invariant that was found implies what is needed after the loop";
  return { kind: "failed", activation, reason, tried, best };
}

/** CHECKSAFEINV (000 §V-A) against the condition needed after the loop. */
function isSafe(prover: Prover, invariant: readonly Term[], obligation: Obligation): boolean {
  const session = prover.open(obligation.hypotheses);
  try {
    return session.implies(invariant, obligation.conclusion).kind === "proved";
  } finally {
    session.close();
  }
}

function propose(
  symbols: Symbols,
  system: LoopSystem,
  observations: ReadonlyMap<string, Observations>,
  step: number,
  options: FoldOptions,
): Annotation {
  const proposal = new Map<string, readonly Term[]>();
  for (const key of system.blocks.keys()) {
    const { samples, hints } = samplesFrom(observations.get(key)!, step);
    proposal.set(key, candidates(symbols.terms, samples, { families: options.families, hints }));
  }
  return proposal;
}

function signatureOf(annotation: Annotation): string {
  return [...annotation.values()].map((formulas) => formulas.map(({ id }) => id).join()).join(";");
}

/** The node of a loop's head in the activation's own frame. */
export function headNode(activation: Activation): InlinedNode {
  return {
    function: activation.function,
    location: activation.loop.header,
    frame: activation.frame,
    context: null,
  };
}
