import { assertNever, Defect } from "../../base/errors.ts";
import type { Term } from "../../logic/term.ts";
import { decorateSolver } from "../assertionStack.ts";
import type { CheckResult, Solver } from "../solver.ts";

/** How many answers were checked, and how many could not be (a division by zero, a quantifier, an unknown). */
export type ValidationCounts = { checked: number; open: number };

/**
 * Checks answers: a model must not make an assertion or assumption false; a core must be among the assumptions and
 * contradict the assertions when asked alone, of `judge` where there is one (an independent solver), else of the same
 * solver. A wrong answer is a defect.
 */
export function validateAnswers(inner: Solver, counts: ValidationCounts, judge?: Solver): Solver {
  return decorateSolver(
    inner,
    (stack, assumptions, options) => {
      const result = inner.check(assumptions, { ...options, model: true });
      switch (result.kind) {
        case "sat":
          validateModel([...stack.all, ...assumptions], result);
          break;
        case "unsat":
          validateCore(stack.all, assumptions, result.core);
          break;
        case "unknown":
          break;
        default:
          return assertNever(result);
      }
      return result;
    },
    {
      reset: () => judge?.reset(),
      dispose: () => judge?.dispose(),
    },
  );

  function validateModel(formulas: readonly Term[], { model }: Extract<CheckResult, { kind: "sat" }>) {
    for (const [i, value] of model.evaluateAll(formulas).entries()) {
      if (value === false) throw new Defect(`a model of ${inner.name} falsifies formula ${i} of ${formulas.length}`);
      if (value === null) counts.open++;
      else counts.checked++;
    }
  }

  function validateCore(assertions: readonly Term[], assumptions: readonly Term[], core: readonly Term[]) {
    if (!core.every((term) => assumptions.includes(term)))
      throw new Defect("a core with a formula that was not assumed");
    const again = judge === undefined ? inner.check(core, { model: false }) : askJudge(judge, [...assertions, ...core]);
    if (again.kind === "sat") throw new Defect(`a core of ${inner.name} with ${core.length} formulas is satisfiable`);
    if (again.kind === "unknown") counts.open++;
    else counts.checked++;
  }
}

function askJudge(judge: Solver, formulas: readonly Term[]): CheckResult {
  judge.push();
  judge.assert(...formulas);
  const result = judge.check([], { model: false });
  judge.pop();
  return result;
}
