import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { printSource } from "../../src/logic/printSource.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { interpolate } from "../../src/solver/interpolation/interpolate.ts";
import type { InterpolationResult } from "../../src/solver/interpolation/interpolationProblem.ts";
import { shapeOfTrace } from "../../src/solver/interpolation/traceShape.ts";
import { validateInterpolants } from "../../src/solver/interpolation/validateInterpolants.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { expectInterpolants, randomActions, type Steps, traceOf } from "./support/traces.ts";

const { solver } = createSolver({ backend: "auto", limits: { milliseconds: 10_000 } });
const { solver: judge } = createSolver({ backend: "auto", cache: false, limits: { milliseconds: 10_000 } });
afterAll(() => {
  solver.dispose();
  judge.dispose();
});

function sequenceOf(result: InterpolationResult): readonly Term[] {
  if (result.kind !== "interpolants") throw new Error(`${result.kind} ${"message" in result ? result.message : ""}`);
  return result.sequence;
}

/** `i = 0; s = input; assume(input >= 1); while (i < n) { i++; s += 2 }` unrolled, then `s <= 2 * i`. */
function countingTrace(t: Terms, iterations: number): Steps {
  const v = (name: string, k: number) => t.variable(`${name}_${k}`, "Int");
  const n = t.variable("n", "Int");
  const input = t.variable("input", "Int");
  const steps: Term[][] = [[t.eq(v("i", 0), t.int(0))], [t.ge(input, t.int(1))], [t.eq(v("s", 0), input)]];
  for (let k = 0; k < iterations; k++) {
    steps.push([t.lt(v("i", k), n)]);
    steps.push([t.eq(v("i", k + 1), t.add(v("i", k), t.int(1)))]);
    steps.push([t.eq(v("s", k + 1), t.add(v("s", k), t.int(2)))]);
  }
  steps.push([t.le(v("s", iterations), t.scale(2, v("i", iterations)))]);
  return steps;
}

/** An insertion into a sorted array: 26 steps with reads, writes and comparisons; the last one fails. */
function arrayTrace(t: Terms): Steps {
  const steps: Term[][] = [];
  const a = (k: number) => t.variable(`a_${k}`, "Array");
  const x = (k: number) => t.variable(`x_${k}`, "Int");
  const j = (k: number) => t.variable(`j_${k}`, "Int");
  let version = 0;
  for (const [index, value] of [9, 7, 5, 3].entries()) {
    steps.push([t.eq(a(version + 1), t.store(a(version), t.int(index), t.int(value)))]);
    version++;
  }
  steps.push([t.eq(x(0), t.select(a(version), t.int(3)))], [t.eq(j(0), t.int(3))]);
  for (let k = 0; k < 3; k++) {
    steps.push([t.gt(j(k), t.int(0))]);
    steps.push([t.gt(t.select(a(version), t.sub(j(k), t.int(1))), x(0))]);
    steps.push([t.eq(x(k + 1), t.select(a(version), t.sub(j(k), t.int(1))))]);
    steps.push([t.eq(a(version + 1), t.store(a(version), j(k), x(k + 1)))]);
    version++;
    steps.push([t.eq(j(k + 1), t.sub(j(k), t.int(1)))]);
  }
  steps.push([t.le(j(3), t.int(0))], [t.eq(a(version + 1), t.store(a(version), j(3), x(0)))]);
  version++;
  const y = t.variable("y", "Int");
  steps.push([t.eq(y, t.select(a(version), t.int(0)))], [t.ge(y, t.int(3))], [t.ne(y, t.int(3))]);
  return steps;
}

describe("linear traces", () => {
  test("give one inequality for each position by Farkas", () => {
    const t = createTerms();
    const steps = countingTrace(t, 4);
    const result = interpolate({ terms: t, solver, steps });
    const sequence = sequenceOf(result);
    expectInterpolants(t, judge, steps, sequence);
    expect(printSource(sequence.at(-1)!)).toBe("s_4 > 2 * i_4");
    for (const formula of sequence) expect(["le", "bool"]).toContain(formula.kind);
  });

  test("are validated in exact arithmetic over 3,000 steps, and by the solver here", () => {
    const t = createTerms();
    const steps = countingTrace(t, 999);
    expect(steps.length).toBe(3_001);
    const sequence = sequenceOf(interpolate({ terms: t, solver, steps }));
    expect(validateInterpolants(t, shapeOfTrace(t, steps), sequence, solver)).toEqual({ kind: "valid" });
  });

  test("use multipliers that only the solver finds", () => {
    const t = createTerms();
    const [x, y, z] = ["x", "y", "z"].map((name) => t.variable(name, "Int")) as [Term, Term, Term];
    const sum = (a: number, b: number, c: number) => t.add(t.scale(a, x), t.scale(b, y), t.scale(c, z));
    const steps = [
      [t.le(sum(1, 2, 0), t.int(3))],
      [t.le(sum(-3, 1, 2), t.int(-5))],
      [t.ge(sum(0, 5, 3), t.int(2))],
      [t.le(sum(1, 1, 1), t.int(-50))],
      [t.ge(sum(1, 0, 0), t.int(0))],
      [t.ge(y, t.int(-4))],
      [t.ge(z, t.int(-5))],
    ];
    const result = interpolate({ terms: t, solver, steps });
    expectInterpolants(t, judge, steps, sequenceOf(result));
  });

  test("may contradict over integers but not over rationals", () => {
    const t = createTerms();
    const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
    const steps = [
      [t.eq(t.scale(2, x), t.add(y, t.int(1)))],
      [t.variable("p", "Bool")],
      [t.eq(t.mod(y, t.int(2)), t.int(0))],
    ];
    const result = interpolate({ terms: t, solver, steps });
    expectInterpolants(t, judge, steps, sequenceOf(result));
  });
});

describe("other traces", () => {
  test("use preconditions of an unsat core for arrays", () => {
    const t = createTerms();
    const steps = arrayTrace(t);
    expect(steps.length).toBe(26);
    const result = interpolate({ terms: t, solver, steps });
    expectInterpolants(t, judge, steps, sequenceOf(result));
  });

  test("are cut by Spacer if a variable cannot be eliminated", () => {
    const t = createTerms();
    const [x, y, k] = ["x", "y", "k"].map((name) => t.variable(name, "Int")) as [Term, Term, Term];
    // k is new in the third step and occurs with coefficients that are no units.
    const steps = [
      [t.eq(x, t.int(6))],
      [t.eq(y, t.add(x, t.int(1)))],
      [t.le(t.scale(3, k), t.add(y, x)), t.ge(t.scale(3, k), t.add(y, x))],
      [t.variable("p", "Bool")],
    ];
    const result = interpolate({ terms: t, solver, steps });
    expectInterpolants(t, judge, steps, sequenceOf(result));
  });

  test("have a model of all steps if they are feasible", () => {
    const t = createTerms();
    const steps = countingTrace(t, 3).slice(0, -1);
    const result = interpolate({ terms: t, solver, steps });
    expect(result.kind).toBe("feasible");
    if (result.kind === "feasible")
      for (const formula of steps.flat()) expect(result.model.satisfies(formula)).toBe(true);
  });

  test("are unknown if they are undecided", () => {
    const t = createTerms();
    const [u, v, w] = ["u", "v", "w"].map((name) => t.variable(name, "Int")) as [Term, Term, Term];
    const cube = (term: Term) => t.mul(term, term, term);
    const steps = [[u, v, w].map((term) => t.gt(term, t.int(1))), [t.eq(cube(u), t.add(cube(v), cube(w)))]];
    expect(interpolate({ terms: t, solver, steps, limits: { milliseconds: 500 } }).kind).toBe("unknown");
  });
});

test("have valid interpolants or models for random traces", () => {
  let interpolated = 0;
  let unknown = 0;
  fc.assert(
    fc.property(randomActions, (actions) => {
      const t = createTerms();
      const steps = traceOf(t, actions);
      const result = interpolate({ terms: t, solver, steps });
      if (result.kind === "interpolants") {
        interpolated++;
        expectInterpolants(t, judge, steps, result.sequence);
      } else if (result.kind === "feasible") {
        for (const formula of steps.flat()) expect(result.model.evaluate(formula)).toBe(true);
      } else unknown++;
    }),
    { numRuns: 120, seed: 7 },
  );
  expect(interpolated).toBeGreaterThan(30);
  expect(unknown).toBeLessThan(20);
});
