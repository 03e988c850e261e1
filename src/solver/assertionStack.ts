import { Defect } from "../base/errors.ts";
import type { Term } from "../logic/term.ts";
import type { CheckResult, Solver } from "./solver.ts";

/** The assertions of a solver, for a decorator that has to know them. */
export type AssertionStack = {
  push(): void;
  pop(levels: number): void;
  add(formulas: readonly Term[]): void;
  clear(): void;
  /** All assertions, outermost level first. */
  readonly all: readonly Term[];
};

function createAssertionStack(): AssertionStack {
  const all: Term[] = [];
  const starts: number[] = [];
  return {
    all,
    push() {
      starts.push(all.length);
    },
    pop(levels) {
      if (levels > starts.length) throw new Defect(`pop of ${levels} levels from ${starts.length}`);
      if (levels > 0) all.length = starts.splice(-levels)[0]!;
    },
    clear() {
      all.length = 0;
      starts.length = 0;
    },
    add(formulas) {
      for (const formula of formulas) all.push(formula);
    },
  };
}

/** What the check of a decorator gets. */
export type DecoratedCheck = [stack: AssertionStack, ...Required<Parameters<Solver["check"]>>];

/**
 * A solver that passes everything on to `inner`, keeps track of the assertions, and checks with `check`. `run` takes the
 * place of the inner one's; `reset` and `dispose` are called besides it.
 */
export function decorateSolver(
  inner: Solver,
  check: (...args: DecoratedCheck) => CheckResult,
  overrides: Partial<Pick<Solver, "run" | "reset" | "dispose">> = {},
): Solver {
  const stack = createAssertionStack();
  return {
    get name() {
      return inner.name;
    },
    push() {
      stack.push();
      inner.push();
    },
    pop(levels = 1) {
      stack.pop(levels);
      inner.pop(levels);
    },
    assert(...formulas) {
      stack.add(formulas);
      inner.assert(...formulas);
    },
    check: (assumptions = [], options = {}) => check(stack, assumptions, options),
    run: overrides.run ?? ((script, limits) => inner.run(script, limits)),
    reset() {
      stack.clear();
      overrides.reset?.();
      inner.reset();
    },
    prepare: () => inner.prepare(),
    dispose() {
      overrides.dispose?.();
      inner.dispose();
    },
  };
}
