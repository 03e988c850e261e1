import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairModel } from "../../../src/analyses/explore/feasibility.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import { createModel } from "../../../src/solver/answers.ts";
import { createSymbols } from "../../../src/symbolic/symbols.ts";

const program = await loadCText("p.c", "int main(void) { return 0; }", { preprocess: "builtin" });
const terms = createTerms();
const symbols = createSymbols(program, terms);
const int = { kind: "int", bits: 32, signed: true, name: "int" } as const;
const [x, y] = [symbols.fresh("x", int), symbols.fresh("y", int)];

describe("a model that is made to fit", () => {
  it("changes one input if that is enough", () => {
    const near = createModel(new Map([[x, 3n]]));
    const path = [terms.gt(x, terms.int(1n)), terms.gt(terms.add(x, terms.scale(2n, y)), terms.int(100n))];
    expect(repairModel(symbols, near, path)?.value(y)).toBe(49n);
  });

  it("stays within the ranges of types", () => {
    const near = createModel(new Map([[x, 3n]]));
    expect(repairModel(symbols, near, [terms.gt(x, terms.int(1n << 40n))])).toBeNull();
  });

  it("satisfies all conditions, or is null", () => {
    const number = fc.bigInt({ min: -20n, max: 20n });
    const atom = fc.tuple(number, number, number, fc.boolean(), fc.boolean()).map(([a, b, c, isEqual, isNot]) => {
      const sum = terms.add(terms.scale(a, x), terms.scale(b, y));
      const formula = isEqual ? terms.eq(sum, terms.int(c)) : terms.le(sum, terms.int(c));
      return isNot ? terms.not(formula) : formula;
    });
    let repaired = 0;
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 4 }), number, number, (path, first, second) => {
        const near = createModel(
          new Map([
            [x, first],
            [y, second],
          ]),
        );
        const model = repairModel(symbols, near, path);
        if (model === null) return;
        repaired++;
        for (const formula of path) expect(model.satisfies(formula)).toBe(true);
      }),
      { seed: 3, numRuns: 300 },
    );
    expect(repaired).toBeGreaterThan(50);
  });
});
