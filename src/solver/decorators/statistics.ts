import { decorateSolver } from "../assertionStack.ts";
import type { CheckResult, Solver } from "../solver.ts";

/** Counts of one solver chain. Queries are those that reached the solver; hits those that a cache answered. */
export type SolverStatistics = {
  queries: number;
  readonly answers: Record<CheckResult["kind"], number>;
  scripts: number;
  milliseconds: number;
  slowestMilliseconds: number;
  modelHits: number;
  resultHits: number;
};

export function createStatistics(): SolverStatistics {
  return {
    queries: 0,
    answers: { sat: 0, unsat: 0, unknown: 0 },
    scripts: 0,
    milliseconds: 0,
    slowestMilliseconds: 0,
    modelHits: 0,
    resultHits: 0,
  };
}

export function countQueries(inner: Solver, statistics: SolverStatistics): Solver {
  const timed = <T>(work: () => T): T => {
    const start = performance.now();
    const result = work();
    const milliseconds = performance.now() - start;
    statistics.milliseconds += milliseconds;
    statistics.slowestMilliseconds = Math.max(statistics.slowestMilliseconds, milliseconds);
    return result;
  };
  return decorateSolver(
    inner,
    (_stack, assumptions, options) => {
      const result = timed(() => inner.check(assumptions, options));
      statistics.queries++;
      statistics.answers[result.kind]++;
      return result;
    },
    {
      run(script, limits) {
        statistics.scripts++;
        return timed(() => inner.run(script, limits));
      },
    },
  );
}
