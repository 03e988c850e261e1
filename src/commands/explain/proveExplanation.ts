import type { CompressedTrace } from "../../analyses/compress/compressTrace.ts";
import type { AbstractErrorTrace } from "../../analyses/errorInvariants/abstractErrorTrace.ts";
import type { ConditionOnInputs } from "../../analyses/inputCondition/inputCondition.ts";
import { type Cancellation, type CancelReason, neverCancelled } from "../../base/cancellation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { createTerms } from "../../logic/terms.ts";
import { type Checkers, type ProofCheck, startCheckers } from "../../proof/checkObligations.ts";
import type { FoldClaim } from "../../proof/claim.ts";
import type { RunsClaim } from "../../proof/runsObligations.ts";
import type { FoldedLoop } from "../../recordedRun/foldedRun.ts";
import type { Run } from "../../recordedRun/run.ts";
import { runOf, symbolsOfRun } from "../../recordedRun/runOf.ts";
import { type Target, targetOf } from "../../recordedRun/target.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import type { SolverStatistics } from "../../solver/decorators/diagnostics.ts";
import type { Prover } from "../../solver/solver.ts";
import { createSolver, type SolverChain } from "../../solver/solverChain.ts";
import { createProver } from "../../symbolic/createProver.ts";
import type { Approximation } from "../../symbolic/stepEnvironment.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { CompressOptions } from "../compress/pipeline.ts";
import { type Abstracted, type Folded, facts, folds } from "./stages/folding.ts";
import { inputs, proof } from "./stages/proof.ts";
import { type ConfirmedRun, reproducer } from "./stages/smallestRun.ts";
import { type StageWatch, stagesWatchedBy } from "./stages/stage.ts";

/** The proved part of an explanation. */
export type ExplainedRun = {
  readonly trace: Trace;
  readonly symbols: Symbols;
  readonly target: Target;
  readonly compressed: CompressedTrace;
  readonly folds: readonly FoldedLoop[];
  readonly claims: readonly FoldClaim[];
  /** null if the model of the run does not imply its target; `failure` says why. */
  readonly abstraction: AbstractErrorTrace | null;
  readonly failure: string | null;
  /** Operations of the run that the logic does not compute. */
  readonly approximations: readonly Approximation[];
  /** Conditions that led to the statements of the explanation, or skipped others. */
  readonly way: readonly Transition[];
  readonly condition: ConditionOnInputs;
  readonly conditionProof: ProofCheck;
  readonly reproducer: ConfirmedRun | null;
  readonly proof: ProofCheck;
  readonly statistics: SolverStatistics;
  /** The reason of the cancellation, if any. */
  readonly cancelled: CancelReason | null;
};

/**
 * The stages that reason about a run: fold loops, select the relevant statements, find the input condition, check the
 * proof.
 */
export function proveExplanation(trace: Trace, options: ExplainOptions = {}, solvers?: Solvers): ExplainedRun {
  const stage = stagesWatchedBy({ check: options.validate ?? false, ...(options.dump ? { dump: options.dump } : {}) });
  const reason = (work: LogicWork): ExplainedRun => {
    const folded = stage(folds, work);
    const abstracted = stage(facts, folded);
    const conditioned = stage(inputs, abstracted);
    const proved = stage(proof, conditioned);
    const explained = stage(reproducer, { ...proved, explainOther: (other) => explainOther(other, options) });
    return { ...explained, ...outcomeOf(explained) };
  };
  return withLogic(trace, options, reason, solvers);
}

/** Dumps and progress belong to the original run only. */
function explainOther(trace: Trace, { dump: _, progress: __, proved: ____, solver = {}, ...options }: ExplainOptions) {
  const { dump: ___, ...quiet } = solver;
  return proveExplanation(trace, { ...options, solver: quiet, shrink: false }).abstraction;
}

function outcomeOf({ compressed, result, cancellation }: LogicWork & Folded & Abstracted) {
  const triedToFold = compressed.folds.length + compressed.failures.length > 0;
  return {
    approximations: [...(triedToFold ? compressed.approximations : []), ...(result?.formula.approximations ?? [])],
    failure: result?.kind === "failed" ? result.reason : null,
    cancelled: cancellation.reason,
  };
}

export type ExplainOptions = Omit<CompressOptions, "progress"> & {
  /** True if the conditions that steered the run must follow, too. */
  readonly flowSensitive?: boolean;
  /** True (the default) to search for a smaller failing run. */
  readonly shrink?: boolean;
  progress?(what: "recording" | "folding" | "explaining" | "checking" | "shrinking"): void;
  /** Receives the proved claims, for export. */
  proved?(what: { readonly claims: readonly FoldClaim[]; readonly runs: RunsClaim | null }): void;
  readonly dump?: StageWatch["dump"];
};

/** The context of all stages that reason in logic. */
export type LogicWork = {
  readonly trace: Trace;
  readonly options: ExplainOptions;
  readonly run: Run;
  readonly target: Target;
  readonly symbols: Symbols;
  readonly prover: Prover;
  /** The same solver for other names or a shorter time, while no other question is in progress. */
  proverFor(symbols: Symbols, cancellation?: Cancellation): Prover;
  readonly checkers: Checkers;
  readonly cancellation: Cancellation;
  readonly statistics: SolverStatistics;
};

export type Solvers = { readonly chain: SolverChain; readonly checkers: Checkers; dispose(): void };

export function startSolvers({ cancellation = neverCancelled, ...options }: ExplainOptions): Solvers {
  const chain = createSolver({ ...options.solver, cancellation, validate: options.validate ?? false });
  chain.solver.prepare();
  const checkers = startCheckers(options.checkers, { cancellation });
  const dispose = () => {
    chain.solver.dispose();
    checkers.dispose();
  };
  return { chain, checkers, dispose };
}

/** Runs the work with the solvers and closes them. */
export function withLogic<Result>(
  trace: Trace,
  options: ExplainOptions,
  work: (given: LogicWork) => Result,
  solvers: Solvers = startSolvers(options),
): Result {
  const { chain, checkers } = solvers;
  const { cancellation = neverCancelled } = options;
  try {
    const run = runOf(trace);
    const target = targetOf(run);
    const symbols = symbolsOfRun(run, createTerms());
    const proverFor = (names: Symbols, until = cancellation) => createProver(names, chain.solver, until);
    const prover = proverFor(symbols);
    const { statistics } = chain;
    return work({ trace, options, run, target, symbols, prover, proverFor, checkers, cancellation, statistics });
  } finally {
    solvers.dispose();
  }
}
