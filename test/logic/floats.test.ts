import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { bitsOfFloat, type FloatOperator, floatOfBits } from "../../src/logic/floatOperator.ts";
import { parseSmtLib } from "../../src/logic/parseSmtLib.ts";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import { cStyle, printSource } from "../../src/logic/printSource.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { createSolver } from "../../src/solver/solverChain.ts";

const terms = createTerms();
const [x, y, n] = [terms.variable("x", "Int"), terms.variable("y", "Int"), terms.variable("n", "Int")];
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 1, 0.1, -2.5, 1e300, 5e-324, Number.POSITIVE_INFINITY),
);

describe("floating point", () => {
  it("is computed on known values, and stands for its bits", () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const result = (operator: FloatOperator) =>
          terms.float(operator, terms.floatLiteral(a), terms.floatLiteral(b)) as Term & { value: bigint | boolean };
        expect(floatOfBits(result("add").value as bigint)).toBe(a + b);
        expect(floatOfBits(result("div").value as bigint)).toBe(a / b);
        expect(result("lt").value).toBe(a < b);
        expect(result("eq").value).toBe(a === b);
      }),
    );
    expect(terms.float("toInt", terms.floatLiteral(Number.NaN)).kind).toBe("apply");
    expect(terms.floatLiteral(0)).not.toBe(terms.floatLiteral(-0));
  });

  it("is read back as printed", () => {
    const term = terms.not(terms.float("lt", terms.float("mul", x, terms.floatLiteral(3)), y));
    expect(parseSmtLib(terms, printSmtLib(term), () => "Int")).toBe(term);
  });

  it("is printed as C", () => {
    const print = (term: Term) => printSource(term, { ...cStyle, isFloat: (variable) => variable === x });
    const product = terms.float("mul", terms.float("ofInt", n), terms.floatLiteral(0.1));
    expect(print(terms.float("lt", product, x))).toBe("n * 0.1 < x");
    expect(print(terms.not(terms.float("le", x, terms.floatLiteral(-2))))).toBe("!(x <= -2.0)");
    expect(print(terms.not(terms.float("eq", x, terms.float("ofInt", n))))).toBe("x != n");
    expect(print(terms.eq(x, terms.floatLiteral(1)))).toBe("x == 1.0");
    expect(print(terms.eq(terms.float("toInt", x), n))).toBe("(long)x == n");
    expect(print(terms.float("eq", terms.float("sqrt", x), terms.float("neg", x)))).toBe("sqrt(x) == -x");
  });
});

describe("a solver", () => {
  const { solver } = createSolver({ limits: { resources: 12_000_000 } });
  afterAll(() => solver.dispose());

  /** Does the conclusion follow? */
  const follows = (hypotheses: readonly Term[], conclusion: Term) => {
    solver.push();
    solver.assert(...hypotheses, terms.not(conclusion));
    const { kind } = solver.check();
    solver.pop();
    return kind === "unsat" ? true : kind === "sat" ? false : null;
  };
  const is = (term: Term, value: number) => terms.eq(term, terms.floatLiteral(value));

  it.each<[FloatOperator, readonly number[], number]>([
    ["add", [0.1, 0.2], 0.1 + 0.2],
    ["sub", [1, 0.9], 1 - 0.9],
    ["mul", [1e200, 1e200], Number.POSITIVE_INFINITY],
    ["div", [1, 3], 1 / 3],
    ["div", [-1, 0], Number.NEGATIVE_INFINITY],
    ["neg", [0], -0],
    ["abs", [-2.5], 2.5],
    ["sqrt", [2], Math.SQRT2],
    ["floor", [-2.5], -3],
    ["ceil", [-2.5], -2],
    ["trunc", [2.75], 2],
    ["single", [0.1], Math.fround(0.1)],
  ])("computes %s of %j", (operator, [a, b], expected) => {
    const hypotheses = [is(x, a!), ...(b === undefined ? [] : [is(y, b)])];
    const result = terms.float(operator, ...[x, ...(b === undefined ? [] : [y])]);
    expect(follows(hypotheses, is(result, expected))).toBe(true);
    expect(follows(hypotheses, is(result, expected + 1e-3 || 7))).toBe(Object.is(expected, expected + 1e-3));
  });

  it("compares as IEEE does", () => {
    expect(follows([is(x, 0), is(y, -0)], terms.float("eq", x, y))).toBe(true);
    expect(follows([is(x, 0), is(y, -0)], terms.eq(x, y))).toBe(false);
    expect(follows([is(y, 1)], terms.or(terms.float("lt", x, y), terms.float("le", y, x)))).toBe(false);
    expect(follows([is(x, 2), is(y, 1)], terms.float("le", x, y))).toBe(false);
    expect(follows([], terms.float("eq", x, x))).toBe(false);
  });

  it("converts integers, and numbers to integers towards zero", () => {
    const wide = (1n << 53n) + 1n;
    expect(follows([terms.eq(n, terms.int(wide))], is(terms.float("ofInt", n), 2 ** 53))).toBe(true);
    expect(follows([terms.eq(n, terms.int(-7n))], is(terms.float("ofInt", n), -7))).toBe(true);
    expect(follows([is(x, -2.75)], terms.eq(terms.float("toInt", x), terms.int(-2n)))).toBe(true);
    expect(follows([is(x, 1e300)], terms.eq(terms.float("toInt", x), n))).not.toBe(true);
  });

  it("computes values that its model does not contain", () => {
    solver.push();
    solver.assert(terms.float("lt", x, terms.floatLiteral(1)), is(y, 2));
    const answer = solver.check();
    // Which integer stands for x is the solver's choice: nothing is concluded from it.
    expect(answer.kind === "sat" && answer.model.evaluate(terms.float("lt", x, terms.floatLiteral(1)))).toBe(null);
    expect(answer.kind === "sat" && answer.model.value(y)).toBe(bitsOfFloat(2));
    solver.pop();
  });
});
