import { asFoldedLoop, type CompressedTrace, compressTrace } from "../analysis/compress/compressTrace.ts";
import { type AbstractErrorTrace, abstractErrorTrace } from "../analysis/errorInvariants/abstractErrorTrace.ts";
import { coveredInputs } from "../analysis/inputCondition/coveredInputs.ts";
import { type ConditionOnInputs, conditionOnInputs } from "../analysis/inputCondition/inputCondition.ts";
import { unlessCancelled } from "../base/assertWanted.ts";
import { type Cancellation, type CancelReason, neverCancelled } from "../base/cancellation.ts";
import type { CompressOptions } from "../jobs/compress/compressRun.ts";
import { createTerms } from "../logic/terms.ts";
import { postOrder } from "../logic/traverse.ts";
import { type FoldedLoop, foldedRun } from "../model/foldedRun.ts";
import { type Target, targetOf } from "../model/target.ts";
import type { Transition } from "../model/traceFormula.ts";
import { startCheckers } from "../proof/checkers.ts";
import { claimOf, type FoldClaim } from "../proof/claim.ts";
import { type FactClaim, factClaim } from "../proof/factClaim.ts";
import { factTriples } from "../proof/factTriples.ts";
import { type ProofCheck, proveRun } from "../proof/proveRun.ts";
import { runOf } from "../run/runOf.ts";
import { findCounterexample, quickCounterexample } from "../search/findCounterexample.ts";
import { quickShrink, runOptionsOf, type SmallestRun, shrinkRun } from "../search/shrinkRun.ts";
import type { SolverStatistics } from "../solver/decorators/statistics.ts";
import { createSolver } from "../solver/solverChain.ts";
import type { Approximation } from "../symbolic/bodySurroundings.ts";
import { createProver } from "../symbolic/createProver.ts";
import { createSymbols, type Symbols } from "../symbolic/symbols.ts";
import { recordTrace, type Trace } from "../trace/trace.ts";
import { wayConditions } from "./wayConditions.ts";

export type ExplainOptions = Omit<CompressOptions, "progress"> & {
  /** Conditions that steered the run have to follow too. */
  readonly flowSensitive?: boolean;
  /** Looks for a smaller failing run; on by default. */
  readonly shrink?: boolean;
  progress?(what: "folding" | "explaining" | "checking" | "shrinking"): void;
};

/** Why a run fails: everything that a report needs. */
export type ExplainedRun = {
  readonly trace: Trace;
  readonly symbols: Symbols;
  readonly target: Target;
  readonly compressed: CompressedTrace;
  readonly folds: readonly FoldedLoop[];
  readonly claims: readonly FoldClaim[];
  /** null where the model of the run does not imply its target; `failure` says why. */
  readonly abstraction: AbstractErrorTrace | null;
  readonly failure: string | null;
  /** What the logic did not compute of the run. */
  readonly approximations: readonly Approximation[];
  /** Conditions that led to the statements of the explanation, or past others. */
  readonly way: readonly Transition[];
  readonly condition: ConditionOnInputs;
  readonly reproducer: SmallestRun | null;
  readonly proof: ProofCheck;
  readonly statistics: SolverStatistics;
  /** Why the work was ended before it was done; what is missing then can be told from the rest. */
  readonly cancelled: CancelReason | null;
};

/** The main job: fold the loops, keep the statements that matter, say for which inputs, and have all of it checked. */
export function explainRun(trace: Trace, options: ExplainOptions = {}): ExplainedRun {
  const run = runOf(trace);
  const target = targetOf(run);
  const symbols = createSymbols(trace.program, createTerms());
  const { cancellation = neverCancelled } = options;
  const chain = createSolver({ ...options.solver, cancellation, validate: options.validate ?? false });
  // Starts beside the reading of the run.
  chain.solver.prepare();
  const checkers = startCheckers(options.checkers, { cancellation });
  try {
    const prover = createProver(symbols, chain.solver, cancellation);
    options.progress?.("folding");
    const fold = { families: options.candidates ?? "extended", maxAttempts: options.maxAttempts ?? 50 } as const;
    const compressed = compressTrace({ symbols, prover, run, options: fold }, target);
    const folds = compressed.folds.map((fold) => asFoldedLoop(symbols, fold));
    const folded = foldedRun(run, folds, target);
    options.progress?.("explaining");
    const flow = { flowSensitive: options.flowSensitive ?? false };
    const abstraction = unlessCancelled(() => abstractErrorTrace(symbols, prover, folded, flow), null);
    const found = unlessCancelled(() => conditionOnInputs(symbols, prover, folded), null) ?? unknownCondition(trace);
    const condition = triedOut(trace, found, cancellation);
    options.progress?.("checking");
    const claims = folds.map((each) => claimOf(symbols, each));
    const abstracted = abstraction?.kind === "abstracted" ? abstraction.trace : null;
    const factClaims: readonly FactClaim[] = abstracted === null ? [] : claimsOf(abstracted);
    const relevant = abstracted === null ? [] : abstracted.relevant.map(({ index }) => index);
    const proof = proveRun(run, claims, { checkers, cancellation }, (fresh) =>
      factTriples(fresh, run, target, claims, factClaims, relevant, { ...flow, cancellation }),
    );
    options.progress?.("shrinking");
    const reproducer =
      (options.shrink ?? true) ? smallestCovered(trace, condition, abstracted, { ...options, cancellation }) : null;
    return {
      trace,
      symbols,
      target,
      compressed,
      folds,
      claims,
      abstraction: abstracted,
      way: abstracted === null || flow.flowSensitive ? [] : wayConditions(symbols, run, abstracted, target),
      approximations: [
        ...(compressed.folds.length + compressed.failures.length === 0 ? [] : compressed.approximations),
        ...(abstraction?.formula.approximations ?? []),
      ],
      failure: abstraction?.kind === "failed" ? abstraction.reason : null,
      condition,
      reproducer,
      proof,
      statistics: chain.statistics,
      cancelled: cancellation.reason,
    };
  } finally {
    chain.solver.dispose();
    checkers.dispose();
  }
}

/** What is known of other inputs where nobody has looked. */
function unknownCondition({ inputs }: Trace): ConditionOnInputs {
  return { formulas: [], inputs: inputs.map(() => null), proved: false, sameWay: true, openLoops: [] };
}

/** A condition that some other run refutes is not one, whatever proved it. */
function triedOut(trace: Trace, condition: ConditionOnInputs, cancellation: Cancellation): ConditionOnInputs {
  if (!condition.proved || condition.sameWay || trace.inputs.length === 0) return condition;
  const numbers = postOrder(condition.formulas).flatMap((term) =>
    term.kind === "le" || term.kind === "eq" ? [term.bound, -term.bound] : [],
  );
  const claim = { covers: coveredInputs(trace.inputs, condition), numbers };
  const counterexample = findCounterexample(trace, claim, { ...quickCounterexample, cancellation });
  return counterexample === null ? condition : { ...condition, proved: false };
}

/** Without facts what is claimed is that the statements alone imply the target. */
function claimsOf({ stretches, explained }: AbstractErrorTrace): readonly FactClaim[] {
  return explained ? stretches.map(factClaim) : [{ from: 0, to: 0, formulas: [], sorts: {} }];
}

/**
 * The smallest run with the same failure for the same reason: its inputs satisfy the condition, or else it has an
 * explanation by the same statements. Finding that out is worth it where it is much smaller.
 */
function smallestCovered(
  trace: Trace,
  condition: ConditionOnInputs,
  abstraction: AbstractErrorTrace | null,
  options: ExplainOptions,
): SmallestRun {
  const { cancellation = neverCancelled } = options;
  const limits = { ...quickShrink, cancellation };
  const covers = coveredInputs(trace.inputs, condition);
  const covered = shrinkRun(trace, { ...limits, covers });
  const smallest = shrinkRun(trace, limits);
  if (abstraction === null || 2 * smallest.steps > covered.steps || cancellation.isCancelled()) return covered;
  const run = recordTrace(trace.program, { ...runOptionsOf(trace), inputs: smallest.inputs });
  // What is dumped are the questions about the run that was asked about.
  const { dump: _, ...solver } = options.solver ?? {};
  const { abstraction: other } = explainRun(run, { ...options, solver, shrink: false, progress: () => {} });
  return other !== null && statementsOf(other) === statementsOf(abstraction) ? smallest : covered;
}

/** Which statements and loops of the program an explanation names. */
function statementsOf({ relevant }: AbstractErrorTrace): string {
  const names = relevant.map(({ origin }) => {
    if (origin.kind === "initial") return origin.place.name;
    if (origin.kind === "fold") return `${origin.function.id}:loop ${origin.fold.activation.loop.header}`;
    return `${origin.function.id}:${origin.edge.id}`;
  });
  return [...new Set(names)].sort().join();
}
