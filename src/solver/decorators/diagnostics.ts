import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertNever, Defect, TracefoldError } from "../../base/errors.ts";
import type { Term } from "../../logic/term.ts";
import { decorateSolver } from "../assertionStack.ts";
import { printScript } from "../scripts.ts";
import type { CheckResult, Solver } from "../solver.ts";

/**
 * Writes every query as a script, `query-000001.smt2`, that any SMT-LIB solver can replay, with our answer as
 * `:status`. The file is written before the solver is asked, so that a query that kills it can be found.
 */
export function logQueries(inner: Solver, folder: string): Solver {
  let count = 0;
  const writing = (write: () => void) => {
    try {
      write();
    } catch (error) {
      const message = `cannot write queries to ${folder}: ${(error as Error).message}`;
      throw new TracefoldError({ code: "TF193", message, help: "Name a folder that can be created and written." });
    }
  };
  // There may be thousands: each is complete, but nobody waits for the disk.
  const write = (path: string, text: string) =>
    writing(() => {
      writeFileSync(`${path}.unfinished`, text);
      renameSync(`${path}.unfinished`, path);
    });
  writing(() => mkdirSync(folder, { recursive: true }));
  const next = (kind: string) => join(folder, `${kind}-${`${++count}`.padStart(6, "0")}.smt2`);
  return decorateSolver(
    inner,
    (stack, assumptions, options) => {
      const path = next("query");
      const script = (status: string) => printScript(stack.all, assumptions, status);
      write(path, script("unknown"));
      const result = inner.check(assumptions, options);
      if (result.kind !== "unknown") write(path, script(result.kind));
      return result;
    },
    {
      run(script, limits) {
        write(next("script"), `${script}\n`);
        return inner.run(script, limits);
      },
    },
  );
}

/** Counts of one solver chain. Queries reached the solver; a cache answered hits. */
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

/** Answers that were checked, and those that could not be (a division by zero, a quantifier, an unknown). */
export type ValidationCounts = { checked: number; open: number };

/**
 * Checks answers: a model must not falsify an assertion or assumption; a core must consist of assumptions and
 * contradict the assertions, as the solver confirms when it is asked again. A wrong answer is a defect.
 */
export function validateAnswers(inner: Solver, counts: ValidationCounts): Solver {
  return decorateSolver(inner, (stack, assumptions, options) => {
    const result = inner.check(assumptions, { ...options, model: true });
    switch (result.kind) {
      case "sat":
        validateModel([...stack.all, ...assumptions], result);
        break;
      case "unsat":
        validateCore(assumptions, result.core);
        break;
      case "unknown":
        break;
      default:
        return assertNever(result);
    }
    return result;
  });

  function validateModel(formulas: readonly Term[], { model }: Extract<CheckResult, { kind: "sat" }>) {
    for (const [i, value] of model.evaluateAll(formulas).entries()) {
      if (value === false) throw new Defect(`a model of ${inner.name} falsifies formula ${i} of ${formulas.length}`);
      if (value === null) counts.open++;
      else counts.checked++;
    }
  }

  function validateCore(assumptions: readonly Term[], core: readonly Term[]) {
    if (!core.every((term) => assumptions.includes(term)))
      throw new Defect("a core with a formula that was not assumed");
    const again = inner.check(core, { model: false });
    if (again.kind === "sat") throw new Defect(`a core of ${inner.name} with ${core.length} formulas is satisfiable`);
    if (again.kind === "unknown") counts.open++;
    else counts.checked++;
  }
}
