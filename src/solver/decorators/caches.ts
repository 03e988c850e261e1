import { present } from "../../base/checked.ts";
import { isFalse, isTrue, type Term } from "../../logic/term.ts";
import { emptyModel, type Model } from "../answers.ts";
import { type DecoratedCheck, decorateSolver } from "../assertionStack.ts";
import type { CheckOptions, CheckResult, Solver } from "../solver.ts";

/** Models tried before asking the solver. */
const remembered = 8;

/** With more formulas, evaluation costs more than it saves. */
const largestEvaluated = 2_000;

/** Answers `sat` from a recent model by evaluation, and `unsat` if a formula is `false`; else asks `inner`. */
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
    if (formulas.length <= largestEvaluated) {
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

/** Assumptions and newest assertions first: they are the likeliest to fail. */
function satisfiesAll(model: Model, formulas: readonly Term[]): boolean {
  return formulas.every((formula) => model.satisfies(formula));
}

/** Cached answers; the oldest is dropped first. */
const defaultCapacity = 4_096;

/** With more assertions, making the key costs more than it saves. */
const largestRemembered = 500;

/**
 * Caches answers by the sets of assertions and assumptions. An `unknown` is not cached, since another limit may decide
 * it. A `sat` without a model does not answer a check that wants one.
 */
export function cacheResults(inner: Solver, hit: () => void = () => {}, capacity = defaultCapacity): Solver {
  const results = new Map<string, CheckResult>();
  const questionKey = createQuestionKeys();
  return decorateSolver(inner, check, { reset: () => results.clear() });

  function check(...[stack, assumptions, options]: DecoratedCheck): CheckResult {
    if (stack.all.length > largestRemembered) return inner.check(assumptions, options);
    let key = questionKey(stack.all, assumptions, options);
    let known = results.get(key);
    if (known === undefined && options.model === false) {
      const withModel = questionKey(stack.all, assumptions, { ...options, model: true });
      known = results.get(withModel);
      if (known !== undefined) key = withModel;
    }
    if (known !== undefined) {
      hit();
      results.delete(key);
      results.set(key, known);
      return known.kind === "unsat" ? { kind: "unsat", core: known.core } : known;
    }
    const result = inner.check(assumptions, options);
    if (result.kind !== "unknown") {
      results.set(key, result);
      if (results.size > capacity) results.delete(present(results.keys().next().value));
    }
    return result;
  }
}

/** Terms by identity: ids are unique only within a store, and a wrong hit would be a wrong answer. */
function createQuestionKeys(): (
  assertions: readonly Term[],
  assumptions: readonly Term[],
  options: CheckOptions,
) => string {
  const numbers = new WeakMap<Term, number>();
  let last = 0;
  const numberOf = (term: Term): number => {
    let number = numbers.get(term);
    if (number === undefined) {
      number = ++last;
      numbers.set(term, number);
    }
    return number;
  };
  return (assertions, assumptions, options) => {
    const wants = `${options.model === false ? "" : "m"}${options.minimiseCore ? "c" : ""}`;
    const set = [...new Set(assertions.map(numberOf))].sort((a, b) => a - b);
    // The order of assumptions determines that of the core, so it is part of the key.
    return `${set.join()}|${assumptions.map(numberOf).join()}|${wants}`;
  };
}
