import { type CompressedTrace, compressTrace } from "../../analyses/compress/compressTrace.ts";
import { asFoldedLoop, type CompressContext } from "../../analyses/compress/fold.ts";
import { leaveLoops } from "../../analyses/compress/leaveLoops.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { ProofCheck } from "../../proof/checkObligations.ts";
import { claimOf, type FoldClaim } from "../../proof/claim.ts";
import { proveRun } from "../../proof/proveRun.ts";
import type { Target } from "../../recordedRun/target.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";
import type { SolverStatistics } from "../../solver/decorators/diagnostics.ts";
import type { SolverOptions } from "../../solver/solverChain.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { withLogic } from "../explain/proveExplanation.ts";

export type CompressOptions = {
  readonly candidates?: "canonical" | "extended";
  /** The number of attempts per loop. */
  readonly maxAttempts?: number;
  readonly solver?: Omit<SolverOptions, "cancellation">;
  /** True to check each answer of the solver. */
  readonly validate?: boolean;
  /** The solvers that check the proof; see `startCheckers`. */
  readonly checkers?: readonly BackendChoice[];
  /** After a cancellation the partial result is returned. */
  readonly cancellation?: Cancellation;
  progress?(what: "folding" | "checking"): void;
};

/** A failing run with folded loops, and its proof. */
export type CompressedRun = {
  readonly trace: Trace;
  readonly symbols: Symbols;
  readonly target: Target;
  readonly compressed: CompressedTrace;
  readonly claims: readonly FoldClaim[];
  readonly proof: ProofCheck;
  readonly statistics: SolverStatistics;
};

/** Folds the loops of a failing run and checks the result with solvers that did not find it. */
export function compressRun(trace: Trace, options: CompressOptions = {}): CompressedRun {
  const limits = { milliseconds: 10_000, ...options.solver?.limits };
  return withLogic(trace, { ...options, solver: { ...options.solver, limits } }, (work) => {
    const { symbols, prover, run, target, checkers, cancellation, statistics } = work;
    options.progress?.("folding");
    const context: CompressContext = {
      ...{ symbols, prover, run },
      options: { families: options.candidates ?? "extended", maxAttempts: options.maxAttempts ?? 50 },
    };
    const compressed = leaveLoops(context, compressTrace(context, target));
    options.progress?.("checking");
    const claims = compressed.folds.map((fold) => claimOf(symbols, asFoldedLoop(symbols, fold), fold.left));
    const proof = proveRun(run, claims, { checkers, cancellation });
    return { trace, symbols, target, compressed, claims, proof, statistics };
  });
}
