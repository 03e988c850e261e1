import { isFalse, isTrue, type Term } from "../../logic/term.ts";
import { type DecoratedCheck, decorateSolver } from "../assertionStack.ts";
import { emptyModel, type Model } from "../model.ts";
import type { CheckResult, Solver } from "../solver.ts";

/** Models that are tried before the solver is asked. */
const remembered = 8;

/** With more formulas than this, evaluating them costs more than it saves. */
const formulaLimit = 2_000;

/**
 * Answers `sat` from a recent model that satisfies everything, decided by evaluation, and `unsat` where a formula is
 * literally false. Asks the inner solver otherwise.
 */
export function cacheModels(inner: Solver, hit: () => void = () => {}): Solver {
  const models: Model[] = [];
  const reset = () => {
    models.length = 0;
  };
  return decorateSolver(inner, check, { reset });

  function check(...[stack, assumptions, options]: DecoratedCheck): CheckResult {
    const contradiction = assumptions.find(isFalse);
    if (stack.all.some(isFalse) || contradiction !== undefined) {
      hit();
      return { kind: "unsat", core: stack.all.some(isFalse) ? [] : [contradiction!] };
    }
    const formulas = [...assumptions, ...stack.all.toReversed()].filter((formula) => !isTrue(formula));
    if (formulas.length === 0) {
      hit();
      return { kind: "sat", model: emptyModel };
    }
    if (formulas.length <= formulaLimit) {
      const known = models.findIndex((model) => satisfiesAll(model, formulas));
      if (known >= 0) {
        hit();
        const [model] = models.splice(known, 1);
        models.unshift(model!);
        return { kind: "sat", model: model! };
      }
    }
    const result = inner.check(assumptions, options);
    if (result.kind === "sat" && result.model.values.size > 0) {
      models.unshift(result.model);
      if (models.length > remembered) models.pop();
    }
    return result;
  }
}

/** One by one, the assumptions and newest assertions first: those are the likeliest to fail. */
function satisfiesAll(model: Model, formulas: readonly Term[]): boolean {
  return formulas.every((formula) => model.satisfies(formula));
}
