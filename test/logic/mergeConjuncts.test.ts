import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/logic/evaluate.ts";
import { mergeConjuncts } from "../../src/logic/mergeConjuncts.ts";
import { createTerms } from "../../src/logic/terms.ts";

const terms = createTerms();
const [x, y] = [terms.variable("x", "Int"), terms.variable("y", "Int")];
const number = fc.integer({ min: -3, max: 3 }).map((value) => terms.int(value));
const conjunct = fc
  .tuple(fc.constantFrom(x, y, terms.sub(x, y)), fc.constantFrom("le", "ge", "ne", "eq"), number)
  .map(([sum, relation, bound]) => terms[relation as "le"](sum, bound));

describe("merged conjuncts", () => {
  it("say the same in no more formulas", () => {
    fc.assert(
      fc.property(fc.uniqueArray(conjunct, { maxLength: 8 }), (formulas) => {
        const merged = mergeConjuncts(terms, formulas);
        expect(merged.length).toBeLessThanOrEqual(formulas.length);
        for (let a = -5n; a <= 5n; a++) {
          for (let b = -5n; b <= 5n; b++) {
            const holds = (all: typeof merged) =>
              all.every((each) => evaluate(each, (v) => (v === x ? a : b)) === true);
            expect(holds(merged)).toBe(holds(formulas));
          }
        }
      }),
      { seed: 4, numRuns: 150 },
    );
  });

  it("leave out what follows from one of them", () => {
    const [ge, ne, le] = [terms.ge(x, terms.int(3)), terms.ne(x, terms.int(0)), terms.le(x, terms.int(3))];
    expect(mergeConjuncts(terms, [terms.ge(x, terms.int(0)), ne, ge])).toEqual([ge]);
    expect(mergeConjuncts(terms, [le, ge])).toEqual([terms.eq(x, terms.int(3))]);
    expect(mergeConjuncts(terms, [le, terms.ne(x, terms.int(3))])).toEqual([terms.le(x, terms.int(2))]);
  });

  it("have each result once", () => {
    const [two, three] = [terms.le(x, terms.int(2)), terms.le(x, terms.int(3))];
    const notThree = terms.ne(x, terms.int(3));
    expect(mergeConjuncts(terms, [three, notThree, two])).toEqual([two]);
    expect(mergeConjuncts(terms, [two, three, notThree, terms.le(y, x)])).toEqual([two, terms.le(y, x)]);
    expect(mergeConjuncts(terms, [two, two])).toEqual([two]);
  });
});
