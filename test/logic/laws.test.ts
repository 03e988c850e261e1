import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalValues, evaluate, type Value } from "../../src/logic/evaluate.ts";
import { euclideanDiv, euclideanMod } from "../../src/logic/linear.ts";
import { parseSmtLib } from "../../src/logic/parseSmtLib.ts";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import { printSource } from "../../src/logic/printSource.ts";
import { rangeOf } from "../../src/logic/range.ts";
import { isAtom, type Sort, type Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { childrenOf, freeVariables, postOrder, rebuild, substitute } from "../../src/logic/traverse.ts";
import {
  arrayNames,
  assignmentOf,
  boolNames,
  intNames,
  type Recipe,
  recipes,
  type State,
  stateArbitrary,
  stateAssignment,
  Undefined,
} from "./recipe.ts";

const { int, bool, array } = recipes();
const anyRecipe: fc.Arbitrary<Recipe> = fc.oneof(
  int as fc.Arbitrary<Recipe>,
  bool as fc.Arbitrary<Recipe>,
  array as fc.Arbitrary<Recipe>,
);
const settings = { numRuns: 1500, seed: 20240711 };

function sortOf(name: string): Sort {
  return intNames.includes(name)
    ? "Int"
    : boolNames.includes(name)
      ? "Bool"
      : arrayNames.includes(name)
        ? "Array"
        : "Int";
}

function expected(recipe: Recipe, state: State): Value | undefined {
  try {
    return recipe.value(state);
  } catch (error) {
    if (error instanceof Undefined) return undefined;
    throw error;
  }
}

describe("laws of terms", () => {
  test("simplification preserves the value", () => {
    fc.assert(
      fc.property(anyRecipe, fc.array(stateArbitrary, { minLength: 3, maxLength: 5 }), (recipe, states) => {
        const t = createTerms();
        const term = recipe.build(t);
        for (const state of states) {
          const value = expected(recipe, state);
          if (value === undefined) continue;
          const actual = evaluate(term, stateAssignment(state));
          expect(
            actual !== null && equalValues(actual, value),
            `${recipe.text}\n${printSmtLib(term)}: ${actual} != ${value}`,
          ).toBe(true);
          if (typeof value === "bigint") {
            const { min, max } = rangeOf(term);
            expect((min === null || min <= value) && (max === null || value <= max), `range of ${recipe.text}`).toBe(
              true,
            );
          }
        }
      }),
      settings,
    );
  });

  test("terms are canonical: rebuilding, printing and parsing give the same object", () => {
    fc.assert(
      fc.property(anyRecipe, (recipe) => {
        const t = createTerms();
        const term = recipe.build(t);
        expect(recipe.build(t)).toBe(term);
        const text = printSmtLib(term);
        expect(parseSmtLib(t, text, sortOf), text).toBe(term);
        for (const part of postOrder([term])) expect(rebuild(t, part, childrenOf(part)), part.kind).toBe(part);
      }),
      settings,
    );
  });

  test("negation is an involution and flips the value", () => {
    fc.assert(
      fc.property(bool, stateArbitrary, (recipe, state) => {
        const t = createTerms();
        const term = recipe.build(t);
        const negated = t.not(term);
        const value = evaluate(term, stateAssignment(state));
        const opposite = evaluate(negated, stateAssignment(state));
        if (value !== null && opposite !== null) expect(opposite).toBe(!value);
        expect(t.not(t.not(negated))).toBe(negated);
        for (const part of postOrder([term]).filter((p) => isAtom(p))) {
          expect(t.and(part, t.not(part))).toBe(t.bool(false));
          expect(t.or(part, t.not(part))).toBe(t.bool(true));
        }
      }),
      settings,
    );
  });

  test("substitution composes and commutes with evaluation", () => {
    fc.assert(
      fc.property(anyRecipe, int, int, stateArbitrary, (recipe, first, second, state) => {
        const t = createTerms();
        const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
        const term = recipe.build(t);
        const [f, g] = [first.build(t), second.build(t)];
        const once = new Map<Term, Term>([[x, f]]);
        const twice = new Map<Term, Term>([[y, g]]);
        const composed = new Map<Term, Term>([
          [x, substitute(t, f, twice)],
          [y, g],
        ]);
        const stepwise = substitute(t, substitute(t, term, once), twice);
        const atOnce = substitute(t, term, composed);
        const assign = stateAssignment(state);
        const [a, b] = [evaluate(stepwise, assign), evaluate(atOnce, assign)];
        if (a !== null && b !== null) expect(equalValues(a, b)).not.toBe(false);
        const value = evaluate(f, assign);
        const moved = value === null ? null : evaluate(term, (v) => (v === x ? value : assign(v)));
        const substituted = evaluate(substitute(t, term, once), assign);
        if (moved !== null && substituted !== null) expect(equalValues(moved, substituted)).not.toBe(false);
        expect(freeVariables(substitute(t, term, new Map([[x, t.int(3)]])))).not.toContain(x);
      }),
      { ...settings, numRuns: 700 },
    );
  });

  test("substitution of variables in linear terms composes as objects", () => {
    const { int: linear } = recipes({ nonlinear: false, bits: false, arrays: false });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.bigInt({ min: -9n, max: 9n }), fc.nat(2))),
        linear,
        linear,
        (monomials, first, second) => {
          const t = createTerms();
          const variables = intNames.map((name) => t.variable(name, "Int"));
          const term = t.linear(monomials.map(([coefficient, i]) => ({ coefficient, term: variables[i]! })));
          const [x, y] = variables as [Term, Term];
          const [f, g] = [first.build(t), second.build(t)];
          const stepwise = substitute(t, substitute(t, term, new Map([[x, f]])), new Map([[y, g]]));
          const composed = substitute(
            t,
            term,
            new Map([
              [x, substitute(t, f, new Map([[y, g]]))],
              [y, g],
            ]),
          );
          expect(stepwise).toBe(composed);
        },
      ),
      { ...settings, numRuns: 500 },
    );
  });

  test("the linear normal form is unique", () => {
    const monomial = fc.tuple(fc.bigInt({ min: -5n, max: 5n }), fc.nat(2));
    fc.assert(
      fc.property(
        fc.array(monomial, { maxLength: 8 }),
        fc.bigInt({ min: -9n, max: 9n }),
        fc.bigInt({ min: 1n, max: 7n }),
        (parts, constant, factor) => {
          const t = createTerms();
          const variables = intNames.map((name) => t.variable(name, "Int"));
          const build = (list: typeof parts) =>
            list.reduce((sum: Term, [c, i]) => t.add(sum, t.mul(t.int(c), variables[i]!)), t.int(constant));
          const term = build(parts);
          expect(build([...parts].reverse())).toBe(term);
          expect(t.le(t.scale(factor, term), t.int(0))).toBe(t.le(term, t.int(0)));
          expect(t.eq(t.scale(-factor, term), t.int(0))).toBe(t.eq(term, t.int(0)));
        },
      ),
      settings,
    );
  });
});

describe("C arithmetic at every width", () => {
  /** The numbers around which something changes, and some others. */
  const near = (bits: number) => {
    const edges = [0n, 1n << BigInt(bits - 1), 1n << BigInt(bits), 1n << BigInt(bits + 1)];
    return edges.flatMap((edge) => [edge - 1n, edge, edge + 1n, -edge - 1n, -edge, 1n - edge, 3n * edge + 5n]);
  };

  test("wraps by reduction to the width, as a number and as a term", () => {
    for (let bits = 1; bits <= 128; bits++) {
      const t = createTerms();
      const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
      for (const signed of [true, false]) {
        const reduce = (v: bigint) => (signed ? BigInt.asIntN(bits, v) : BigInt.asUintN(bits, v));
        const [single, sum, product] = [x, t.add(x, y), t.mul(x, y)].map((term) => t.wrap(term, bits, signed)) as [
          Term,
          Term,
          Term,
        ];
        const inside = t.inRange(x, bits, signed);
        for (const value of near(bits)) {
          expect(t.wrap(t.int(value), bits, signed)).toBe(t.int(reduce(value)));
          const assignment = assignmentOf({ x: value, y: value + 3n });
          expect(evaluate(single, assignment)).toBe(reduce(value));
          expect(evaluate(sum, assignment)).toBe(reduce(2n * value + 3n));
          expect(evaluate(product, assignment)).toBe(reduce(value * (value + 3n)));
          expect(evaluate(inside, assignment)).toBe(reduce(value) === value);
        }
      }
    }
  });

  test("truncates division, and leaves it open for the divisor zero", () => {
    const t = createTerms();
    const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
    const [quotient, remainder] = [t.truncatingDiv(x, y), t.truncatingRem(x, y)];
    for (const bits of [1, 7, 8, 16, 31, 32, 63, 64, 127, 128])
      for (const a of near(bits))
        for (const b of [...near(bits), 2n, -3n]) {
          const assignment = assignmentOf({ x: a, y: b });
          expect(evaluate(quotient, assignment)).toBe(b === 0n ? null : a / b);
          expect(evaluate(remainder, assignment)).toBe(b === 0n ? null : a % b);
          if (b === 0n) continue;
          expect(t.truncatingDiv(t.int(a), t.int(b))).toBe(t.int(a / b));
          expect(evaluate(t.truncatingRem(x, t.int(b)), assignment)).toBe(a % b);
        }
  });
});

test("prints source syntax that means the term", () => {
  const { int: linear, bool: formula } = recipes({ nonlinear: true, bits: false, arrays: true, depth: 3 });
  const helpers = { mod: euclideanMod, div: euclideanDiv };
  let compared = 0;
  fc.assert(
    fc.property(
      fc.oneof(linear as fc.Arbitrary<Recipe>, formula as fc.Arbitrary<Recipe>),
      stateArbitrary,
      (recipe, state) => {
        const t = createTerms();
        const term = recipe.build(t);
        const text = printSource(term);
        // JavaScript's big integers divide as C does; what else C writes differently is left out.
        if (/…|_t\)|\[|store|const/.test(text) || /\b[ab]\b/.test(text)) return;
        const value = evaluate(term, stateAssignment(state));
        if (value === null) return;
        const names = [...intNames, ...boolNames];
        const values = [...state.ints, ...state.bools];
        const script = `return ${text.replace(/\b\d+\b/g, "$&n")};`;
        const read = new Function(...Object.keys(helpers), ...names, script);
        let said: unknown;
        try {
          said = read(...Object.values(helpers), ...values);
        } catch (error) {
          // A division by zero that does not matter for the value of the term.
          if (error instanceof RangeError) return;
          throw error;
        }
        expect(said, text).toBe(value);
        compared++;
      },
    ),
    { ...settings, numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(400);
});

test("evaluates an assignment by name", () => {
  const t = createTerms();
  expect(evaluate(t.add(t.variable("x", "Int"), t.int(1)), assignmentOf({ x: 41n }))).toBe(42n);
  expect(evaluate(t.variable("y", "Int"), assignmentOf(new Map()))).toBeNull();
});
