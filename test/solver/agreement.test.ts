import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import { createTerms } from "../../src/logic/terms.ts";
import type { BackendName } from "../../src/solver/backend/backend.ts";
import { findExecutable } from "../../src/solver/backend/backends.ts";
import type { Solver } from "../../src/solver/solver.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { recipes } from "../logic/recipe.ts";

const installed = (["wasm", "z3", "cvc5"] as const).filter((name) => name === "wasm" || findExecutable(name) !== null);
const solvers = new Map<BackendName, Solver>(
  installed.map((backend) => [
    backend,
    createSolver({ backend, cache: false, limits: { resources: 5_000, milliseconds: 60_000 } }).solver,
  ]),
);
afterAll(() => {
  for (const solver of solvers.values()) solver.dispose();
});

/** Names no back end may answer differently on; an `unknown` is no answer and contradicts nothing. */
function agreeOn(
  count: number,
  options: Parameters<typeof recipes>[0],
  seed: number,
): { decided: number; sat: number } {
  const formulas = fc.sample(recipes(options).bool, { numRuns: count, seed });
  let decided = 0;
  let sat = 0;
  for (const [index, recipe] of formulas.entries()) {
    // Reading a model costs as much as the check; every fourth is enough.
    const model = index % 4 === 0;
    const t = createTerms();
    const formula = recipe.build(t);
    const answers = [...solvers].map(([name, solver]) => {
      solver.push();
      solver.assert(formula);
      const result = solver.check([], { model });
      solver.pop();
      if (result.kind === "sat" && model) {
        const value = result.model.evaluate(formula);
        expect(value, `${name}: model of ${printSmtLib(formula)}`).not.toBe(false);
      }
      // A solver that crashes is no answer either; an error message is, namely that we print what it cannot read.
      if (result.kind === "unknown") expect(result.message, printSmtLib(formula)).not.toContain("solver error");
      return result.kind;
    });
    const verdicts = new Set(answers.filter((answer) => answer !== "unknown"));
    expect(verdicts.size, `${printSmtLib(formula)}: ${answers}`).toBeLessThanOrEqual(1);
    if (!answers.includes("unknown")) decided++;
    if (verdicts.has("sat")) sat++;
  }
  return { decided, sat };
}

test("gives one answer from all back ends on 1,700 queries of linear arithmetic with division and arrays", () => {
  const { decided, sat } = agreeOn(1_700, { nonlinear: false, bits: false, arrays: true, depth: 2 }, 1);
  expect(decided).toBeGreaterThan(1_650);
  expect(sat).toBeGreaterThan(300);
  expect(sat).toBeLessThan(decided - 100);
});

test("gives one answer from all back ends on 400 queries with products and bitwise operations", () => {
  const { decided } = agreeOn(400, { nonlinear: true, bits: true, arrays: true, depth: 2 }, 2);
  expect(decided).toBeGreaterThan(300);
});
