import type { Cancellation } from "../base/cancellation.ts";
import type { Term } from "../logic/term.ts";
import { decorateSolver } from "./assertionStack.ts";
import { type BackendChoice, findBackends } from "./backend/backends.ts";
import { decideBits } from "./decorators/bitVectors.ts";
import { cacheModels, cacheResults } from "./decorators/caches.ts";
import {
  countQueries,
  createStatistics,
  logQueries,
  type SolverStatistics,
  type ValidationCounts,
  validateAnswers,
} from "./decorators/diagnostics.ts";
import { createSmtSolver } from "./smtSolver.ts";
import { type CheckResult, defaultLimits, type Limits, type Solver } from "./solver.ts";

/** Makes cores irredundant on request (`minimiseCore`), by questions to the inner solver, which are counted. */
export function minimiseCores(inner: Solver): Solver {
  return decorateSolver(inner, (_stack, assumptions, { minimiseCore: wanted = false, ...options }) => {
    const result = inner.check(assumptions, options);
    if (result.kind !== "unsat" || !wanted) return result;
    const ask = (core: readonly Term[]) => inner.check(core, { ...options, model: false });
    return { kind: "unsat", core: minimise(result.core, ask) };
  });
}

/**
 * By deletion from the last element to the first, using the smaller cores of the checks. `unknown` keeps the element.
 */
function minimise(core: readonly Term[], check: (core: readonly Term[]) => CheckResult): readonly Term[] {
  let current = core;
  const needed = new Set<Term>();
  for (;;) {
    const candidate = current.findLast((term) => !needed.has(term));
    if (candidate === undefined) return current;
    const result = check(current.filter((term) => term !== candidate));
    if (result.kind === "unsat") current = result.core;
    else needed.add(candidate);
  }
}

export type SolverOptions = {
  readonly backend?: BackendChoice;
  readonly limits?: Partial<Limits>;
  /** Answer from earlier models and answers; default true. */
  readonly cache?: boolean;
  /** Writes every query that reaches the solver to this folder (`--dump smt DIR`). */
  readonly dump?: string;
  /** Checks every model and core (`--check`). */
  readonly validate?: boolean;
  /** Where executables are searched; default `PATH`. */
  readonly searchPath?: string;
  /** Questions about bounded numbers may become bit-vector questions (see `decideBits`); default false. */
  readonly vectors?: boolean;
  /** The solver's memory limit; beyond it the answer is unknown. */
  readonly megabytes?: number;
  /** Once cancelled, the current check ends and later ones have no answer. */
  readonly cancellation?: Cancellation;
};

export type SolverChain = {
  readonly solver: Solver;
  readonly statistics: SolverStatistics;
  readonly validation: ValidationCounts;
};

/**
 * The solver of the analyses. From the outside in: result cache, model cache, validation, core minimisation, bit
 * vectors, statistics, query log, text layer and back end. So answers of the caches are neither counted as queries nor
 * logged, and validation checks what a solver said. The chain belongs to one term store and one run; `solver.dispose()`
 * ends it all.
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
  if (options.validate) solver = validateAnswers(solver, validation);
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
