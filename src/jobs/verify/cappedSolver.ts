import type { Solver } from "../../solver/solver.ts";

/** No question is shorter: starting to think takes time, too. */
const leastMilliseconds = 250;

/** A solver whose questions take no longer than what is left of an engine's time. */
export function cappedSolver(solver: Solver, left: () => number): Solver {
  // cvc5 would have to be started again for every other limit.
  const limit = (asked: number | undefined): number => {
    const most = Math.min(
      asked ?? 20_000,
      solver.name.startsWith("cvc5") ? 20_000 : Math.max(leastMilliseconds, left()),
    );
    // A few steps only, so that a solver is rarely told another limit.
    return 2 ** Math.ceil(Math.log2(most));
  };
  return {
    get name() {
      return solver.name;
    },
    push: () => solver.push(),
    pop: (levels) => solver.pop(levels),
    assert: (...formulas) => solver.assert(...formulas),
    check: (assumptions, options = {}) =>
      solver.check(assumptions, {
        ...options,
        limits: { ...options.limits, milliseconds: limit(options.limits?.milliseconds) },
      }),
    run: (script, limits) => solver.run(script, limits),
    reset: () => solver.reset(),
    prepare: () => solver.prepare(),
    dispose: () => solver.dispose(),
  };
}
