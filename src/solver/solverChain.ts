import type { Cancellation } from "../base/cancellation.ts";
import { type BackendChoice, findBackends } from "./backend/backends.ts";
import { decideBits } from "./decorators/bitVectors.ts";
import { cacheModels, cacheResults } from "./decorators/caches.ts";
import { minimiseCores } from "./decorators/coreMinimisation.ts";
import {
  countQueries,
  createStatistics,
  logQueries,
  type SolverStatistics,
  type ValidationCounts,
  validateAnswers,
} from "./decorators/diagnostics.ts";
import { createSmtSolver } from "./smtSolver.ts";
import { defaultLimits, type Limits, type Solver } from "./solver.ts";

export type SolverOptions = {
  readonly backend?: BackendChoice;
  readonly limits?: Partial<Limits>;
  /** Answer from earlier models and answers; true by default. */
  readonly cache?: boolean;
  /** Writes every query that reaches the solver to this folder (`--dump smt DIR`). */
  readonly dump?: string;
  /** Checks every model and core (`--check`); with `judge`, cores by that other solver. */
  readonly validate?: boolean;
  readonly judge?: BackendChoice;
  /** Where executables are looked for; `PATH` by default. */
  readonly searchPath?: string;
  /** Questions about bounded numbers may be asked about vectors of bits (see `decideBits`); false by default. */
  readonly vectors?: boolean;
  /** Memory that a solver may take; beyond it the answer is unknown. */
  readonly megabytes?: number;
  /** Once it is cancelled, the check under way ends and no other has an answer. */
  readonly cancellation?: Cancellation;
};

export type SolverChain = {
  readonly solver: Solver;
  readonly statistics: SolverStatistics;
  readonly validation: ValidationCounts;
};

/**
 * The solver that the analyses use. From the outside in:
 *
 *   result cache, model cache, validation, core minimisation, vectors of bits, statistics, query log, text layer and back end
 *
 * so what the caches answer is neither counted as a query nor logged, and what is validated is what a solver said.
 * The chain belongs to one term store and one run; `solver.dispose()` ends it all.
 */
export function createSolver(options: SolverOptions = {}): SolverChain {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const statistics = createStatistics();
  const validation: ValidationCounts = { checked: 0, open: 0 };
  let solver = createSmtSolver(findBackends(options.backend ?? "auto", options), limits, options.cancellation);
  if (options.dump !== undefined) solver = logQueries(solver, options.dump);
  solver = countQueries(solver, statistics);
  if (options.vectors) solver = decideBits(solver);
  solver = minimiseCores(solver);
  if (options.validate) {
    const judge = options.judge && createSmtSolver(findBackends(options.judge, options), limits, options.cancellation);
    solver = validateAnswers(solver, validation, judge);
  }
  if (options.cache ?? true) {
    solver = cacheModels(solver, () => {
      statistics.modelHits++;
    });
    solver = cacheResults(solver, () => {
      statistics.resultHits++;
    });
  }
  return { solver, statistics, validation };
}
