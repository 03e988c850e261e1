import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { evaluate } from "../../src/logic/evaluate.ts";
import { freeVariablesOf } from "../../src/logic/freeVariables.ts";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import type { Term, Variable } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { arrayValue, type Value } from "../../src/logic/value.ts";
import { createModel } from "../../src/solver/model.ts";
import { project } from "../../src/solver/projection/project.ts";
import { projectByModel } from "../../src/solver/projection/projectByModel.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { type RecipeOptions, recipes } from "../logic/recipe.ts";

/** Projections of formulas of all kinds, against trying every value of what is eliminated. */

const { solver } = createSolver({ limits: { resources: 200_000, milliseconds: 5_000 } });
afterAll(() => solver.dispose());

type State = ReadonlyMap<Variable, Value>;

const numbers = [-3n, -2n, -1n, 0n, 1n, 2n, 3n];

/** Formulas about `x`, which is between -3 and 3, `p`, and other variables: "there is an x and a p" is finite. */
function problemOf(parts: readonly { build(terms: ReturnType<typeof createTerms>): Term }[]) {
  const terms = createTerms();
  const x = terms.variable("x", "Int") as Variable;
  const p = terms.variable("p", "Bool") as Variable;
  const bounds = [terms.ge(x, terms.int(-3)), terms.le(x, terms.int(3))];
  const formulas = [...parts.map((part) => part.build(terms)), ...bounds];
  const whole = terms.all(formulas);
  const others = freeVariablesOf([whole]).filter((variable) => variable !== x && variable !== p);
  const completions = (state: State): readonly State[] =>
    numbers.flatMap((number) => [true, false].map((truth) => new Map([...state, [x, number], [p, truth]])));
  return { terms, formulas, whole, others, eliminate: new Set([x, p]), completions };
}

function stateOf(variables: readonly Variable[], k: number): State {
  return new Map(
    variables.map((variable, i): [Variable, Value] => {
      if (variable.sort === "Bool") return [variable, ((k >> i) & 1) === 1];
      const number = numbers[(k * (3 + 2 * i) + i + (k >> 3)) % 7]! * (k % 5 === 4 ? 1000n : 1n);
      if (variable.sort === "Int") return [variable, number];
      return [variable, arrayValue([[BigInt(k % 3), number]], BigInt(k % 2))];
    }),
  );
}

const valueIn = (state: State, formula: Term) => evaluate(formula, (variable) => state.get(variable));

/** A state that satisfies the formula, "none", or "open" where a division by zero leaves that open. */
function findState(states: readonly State[], formula: Term): State | "none" | "open" {
  const values = states.map((state) => valueIn(state, formula));
  const found = states[values.indexOf(true)];
  return found ?? (values.includes(null) ? "open" : "none");
}

const kinds: readonly (readonly [string, RecipeOptions])[] = [
  ["linear, with choices and remainders", { nonlinear: false, bits: false, arrays: false, depth: 3 }],
  ["with arrays, products and bits", { nonlinear: true, bits: true, arrays: true, depth: 3 }],
];

describe.each(kinds)("formulas %s", (_, options) => {
  const samples = fc.sample(fc.array(recipes(options).bool, { minLength: 1, maxLength: 3 }), { seed: 5, numRuns: 60 });

  it.each(["rules", "solver"] as const)(
    "an exact projection is the existential, any other follows from it (%s)",
    (by) => {
      const seen = { exact: 0, implied: 0 };
      for (const parts of samples) {
        const { terms, formulas, whole, others, eliminate, completions } = problemOf(parts);
        const result = project(terms, formulas, eliminate, by === "solver" ? solver : null);
        seen[result.kind]++;
        const projected = terms.all(result.formulas);
        for (const variable of freeVariablesOf([projected])) expect(others).toContain(variable);
        for (let k = 0; k < 40; k++) {
          const state = stateOf(others, k);
          const found = findState(completions(state), whole);
          const said = valueIn(state, projected);
          if (found === "open" || said === null) continue;
          const message = `${printSmtLib(whole)} to ${printSmtLib(projected)}`;
          if (found !== "none") expect(said, message).toBe(true);
          else if (result.kind === "exact") expect(said, message).toBe(false);
        }
      }
      expect(seen.exact).toBeGreaterThan(20);
    },
  );

  it("a projection by a model has the model and implies the existential", () => {
    let checked = 0;
    for (const parts of samples) {
      const { terms, formulas, whole, others, eliminate, completions } = problemOf(parts);
      for (let k = 0; k < 6; k++) {
        const model = findState(completions(stateOf(others, k)), whole);
        if (typeof model === "string") continue;
        const result = projectByModel(terms, formulas, eliminate, createModel(model));
        if (result === null) continue;
        const projected = terms.all(result.literals);
        for (const variable of freeVariablesOf([projected])) expect(others).toContain(variable);
        expect(valueIn(model, projected)).toBe(true);
        for (let j = 0; j < 20; j++) {
          const state = stateOf(others, j);
          if (valueIn(state, projected) !== true) continue;
          checked++;
          expect(findState(completions(state), whole), printSmtLib(whole)).not.toBe("none");
        }
      }
    }
    expect(checked).toBeGreaterThan(200);
  });
});

it("what a quantifier binds stays where it is", () => {
  const terms = createTerms();
  const [k, old, n] = ["k", "old", "n"].map((name) => terms.variable(name, "Int")) as [Variable, Variable, Variable];
  const a = terms.variable("a", "Array");
  const cell = terms.ite(terms.lt(k, old), terms.select(a, terms.mod(terms.add(k, old), terms.int(3))), terms.int(1));
  const formulas = [terms.forall([k], terms.gt(cell, n)), terms.ge(n, terms.int(1))];
  for (const by of [null, solver]) {
    const result = project(terms, formulas, new Set([old]), by);
    expect(result.kind).toBe("implied");
    expect(result.formulas).toEqual([terms.ge(n, terms.int(1))]);
  }
});

it("a thousand equations and a thousand bounds", () => {
  const terms = createTerms();
  const variables = Array.from({ length: 1_001 }, (_, i) => terms.variable(`v${i}`, "Int") as Variable);
  const [first, last] = [variables[0]!, variables[1_000]!];
  const inner = new Set(variables.slice(1, -1));
  const pairs = variables.slice(1).map((variable, i) => [variables[i]!, variable] as const);
  const bounds = pairs.map(([left, right]) => terms.le(left, right));
  expect(project(terms, bounds, inner)).toEqual({ kind: "exact", formulas: [terms.le(first, last)] });
  const equations = pairs.map(([left, right]) => terms.eq(right, terms.add(left, terms.int(2))));
  const sum = terms.eq(last, terms.add(first, terms.int(2_000)));
  expect(project(terms, equations, inner)).toEqual({ kind: "exact", formulas: [sum] });
});
