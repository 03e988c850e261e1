import fc from "fast-check";
import type { Term } from "../../../src/logic/term.ts";
import type { Terms } from "../../../src/logic/terms.ts";

/** Instructions for some formulas over five integer variables, of which the last ones are to be eliminated. */
export type Recipe = {
  readonly eliminated: number;
  formulas(terms: Terms, variables: readonly Term[]): readonly Term[];
};

type Make = (terms: Terms, variables: readonly Term[]) => Term;

const sum: fc.Arbitrary<Make> = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat(4)), { minLength: 1, maxLength: 3 }),
    fc.integer({ min: -9, max: 9 }),
  )
  .map(
    ([monomials, constant]) =>
      (terms, variables) =>
        terms.linear(
          monomials
            .filter(([coefficient]) => coefficient !== 0)
            .map(([coefficient, v]) => ({ coefficient: BigInt(coefficient), term: variables[v]! })),
          BigInt(constant),
        ),
  );

const value: fc.Arbitrary<Make> = fc.oneof(
  { arbitrary: sum, weight: 5 },
  {
    arbitrary: fc.tuple(sum, fc.integer({ min: 2, max: 5 })).map(
      ([of, by]): Make =>
        (terms, variables) =>
          terms.mod(of(terms, variables), terms.int(by)),
    ),
    weight: 1,
  },
  {
    arbitrary: fc.tuple(sum, sum, sum).map(
      ([a, b, c]): Make =>
        (terms, variables) =>
          terms.ite(terms.ge(a(terms, variables), terms.int(0n)), b(terms, variables), c(terms, variables)),
    ),
    weight: 1,
  },
);

const atom: fc.Arbitrary<Make> = fc.tuple(fc.constantFrom("eq", "le", "lt", "ne", "eq", "le"), value, sum).map(
  ([kind, left, right]): Make =>
    (terms, variables) =>
      terms[kind as "eq" | "le" | "lt" | "ne"](left(terms, variables), right(terms, variables)),
);

const formula: fc.Arbitrary<Make> = fc.oneof(
  { arbitrary: atom, weight: 5 },
  {
    arbitrary: fc.tuple(atom, atom).map(
      ([a, b]): Make =>
        (terms, variables) =>
          terms.or(a(terms, variables), b(terms, variables)),
    ),
    weight: 1,
  },
);

export const linearRecipe: fc.Arbitrary<Recipe> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.array(formula, { minLength: 2, maxLength: 5 }))
  .map(([eliminated, made]) => ({
    eliminated,
    formulas: (terms, variables) => made.map((make) => make(terms, variables)),
  }));
