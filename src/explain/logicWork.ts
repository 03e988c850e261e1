import { type Cancellation, neverCancelled } from "../base/cancellation.ts";
import type { Trace } from "../interpreter/trace.ts";
import { createTerms } from "../logic/terms.ts";
import { type Checkers, startCheckers } from "../proof/checkers.ts";
import type { FoldClaim } from "../proof/claim.ts";
import type { RunsClaim } from "../proof/runsObligations.ts";
import type { Run } from "../recordedRun/run.ts";
import { runOf } from "../recordedRun/runOf.ts";
import { symbolsOfRun } from "../recordedRun/symbolsOfRun.ts";
import { type Target, targetOf } from "../recordedRun/target.ts";
import type { SolverStatistics } from "../solver/decorators/diagnostics.ts";
import type { Prover } from "../solver/solver.ts";
import { createSolver, type SolverChain } from "../solver/solverChain.ts";
import { createProver } from "../symbolic/createProver.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { CompressOptions } from "./compressRun.ts";
import type { StageWatch } from "./stage.ts";

export type ExplainOptions = Omit<CompressOptions, "progress"> & {
  /** Conditions that steered the run have to follow too. */
  readonly flowSensitive?: boolean;
  /** Looks for a smaller failing run; on by default. */
  readonly shrink?: boolean;
  progress?(what: "recording" | "folding" | "explaining" | "checking" | "shrinking"): void;
  /** Gets what was proved, for others to check. */
  proved?(what: { readonly claims: readonly FoldClaim[]; readonly runs: RunsClaim | null }): void;
  /** Gets what each stage made; see `--dump`. */
  readonly dump?: StageWatch["dump"];
};

/** What every stage that reasons about a run in logic works with. */
export type LogicWork = {
  readonly trace: Trace;
  readonly options: ExplainOptions;
  readonly run: Run;
  readonly target: Target;
  readonly symbols: Symbols;
  readonly prover: Prover;
  /** The same solver for other names, or for a part of the time, while nobody else is in the middle of a question. */
  proverFor(symbols: Symbols, cancellation?: Cancellation): Prover;
  readonly checkers: Checkers;
  readonly cancellation: Cancellation;
  readonly statistics: SolverStatistics;
};

/** The solvers of one explanation. */
export type Solvers = { readonly chain: SolverChain; readonly checkers: Checkers; dispose(): void };

/** They start beside what others do meanwhile. */
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

/** Has the work done with the solvers, which are closed then. */
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
