import type { CompressedTrace } from "../analyses/compress/compressTrace.ts";
import type { AbstractErrorTrace } from "../analyses/errorInvariants/abstractErrorTrace.ts";
import type { ConditionOnInputs } from "../analyses/inputCondition/inputCondition.ts";
import type { CancelReason } from "../base/cancellation.ts";
import type { Trace } from "../interpreter/trace.ts";
import type { ProofCheck } from "../proof/checkObligations.ts";
import type { FoldClaim } from "../proof/claim.ts";
import type { FoldedLoop } from "../recordedRun/foldedRun.ts";
import type { Target } from "../recordedRun/target.ts";
import type { Transition } from "../recordedRun/traceFormula.ts";
import type { SolverStatistics } from "../solver/decorators/diagnostics.ts";
import type { Approximation } from "../symbolic/stepEnvironment.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { type ExplainOptions, type LogicWork, type Solvers, withLogic } from "./logicWork.ts";
import { stagesWatchedBy } from "./stage.ts";
import { type Abstracted, type Folded, facts, folds } from "./stages/folding.ts";
import { inputs } from "./stages/inputs.ts";
import { proof } from "./stages/proof.ts";
import { type ConfirmedRun, reproducer } from "./stages/smallestRun.ts";

/** What logic says of why a run fails: everything that a report needs. */
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
  /** What solvers said of it. */
  readonly conditionProof: ProofCheck;
  readonly reproducer: ConfirmedRun | null;
  readonly proof: ProofCheck;
  readonly statistics: SolverStatistics;
  /** Why the work was ended before it was done; what is missing then can be told from the rest. */
  readonly cancelled: CancelReason | null;
};

/** The stages that reason about a run: fold its loops, keep the statements that matter, say for which inputs, have it checked. */
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

/** What is dumped and shown as progress is about the run that was asked about. */
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
