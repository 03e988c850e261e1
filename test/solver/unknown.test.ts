import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Term } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { cacheModels, cacheResults } from "../../src/solver/decorators/caches.ts";
import { validateAnswers } from "../../src/solver/decorators/diagnostics.ts";
import { entails, type Solver, unknown } from "../../src/solver/solver.ts";
import { createSolver, minimiseCores } from "../../src/solver/solverChain.ts";
import { recipes } from "../logic/recipe.ts";

/** A solver that gives up now and then makes answers fewer, never wrong. */

const { solver } = createSolver({ cache: false, limits: { resources: 500_000, milliseconds: 10_000 } });
afterAll(() => solver.dispose());

/** Every `every`th question, of either kind, has no answer; 1: none has. */
function fickle(every: number): Solver {
  let asked = 0;
  const givesUp = () => ++asked % every === 0;
  return {
    name: "fickle",
    push: () => solver.push(),
    pop: (levels) => solver.pop(levels),
    assert: (...formulas) => solver.assert(...formulas),
    check: (assumptions, options) => (givesUp() ? unknown("limit", "gives up") : solver.check(assumptions, options)),
    run: (script, limits) => (givesUp() ? unknown("limit", "gives up") : solver.run(script, limits)),
    reset: () => solver.reset(),
    prepare: () => {},
    dispose: () => {},
  };
}

const decorated = (every: number): Solver =>
  cacheResults(cacheModels(validateAnswers(minimiseCores(fickle(every)), { checked: 0, open: 0 })));

describe.each([1, 2, 3, 7])("%d questions, of which the last has no answer", (every) => {
  test("decides entailment as a complete solver does, or not at all", () => {
    const { bool } = recipes({ nonlinear: false, bits: false, arrays: true, depth: 2 });
    let answered = 0;
    for (const [premise, conclusion] of fc.sample(fc.tuple(bool, bool), { numRuns: 40, seed: 3 })) {
      const t = createTerms();
      const [p, c] = [premise.build(t), conclusion.build(t)];
      const truth = entails(t, solver, [p], c).kind;
      const asked = decorated(every);
      for (let again = 0; again < 3; again++) {
        const { kind } = entails(t, asked, [p], c);
        expect([truth, "unknown"]).toContain(kind);
        if (kind !== "unknown") answered++;
      }
    }
    if (every > 1) expect(answered).toBeGreaterThan(40);
  });

  test("keeps a core that cannot be minimised", () => {
    const t = createTerms();
    const x = (i: number) => t.variable(`x${i}`, "Int");
    const chain: Term[] = Array.from({ length: 12 }, (_, i) => t.le(x(i), x((i * 5 + 1) % 12)));
    const assumptions = [...chain, t.lt(x(1), x(0)), t.gt(x(6), x(3))];
    const result = decorated(every).check(assumptions, { minimiseCore: true });
    // The first question is the check itself.
    expect(result.kind).toBe(every === 1 ? "unknown" : "unsat");
    if (result.kind === "unsat") expect(contradicts(t, result.core)).toBe(true);
  });
});

function contradicts(t: Terms, core: readonly Term[]): boolean {
  return entails(t, solver, core, t.bool(false)).kind === "valid";
}
