import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/logic/evaluate.ts";
import { printSource } from "../../../src/logic/printSource.ts";
import type { Term } from "../../../src/logic/term.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import { evaluateFormula } from "./evaluateFormula.ts";
import { parseFormula } from "./formula.ts";
import { formulaAsC } from "./formulaAsC.ts";
import { formulaTerm } from "./formulaTerm.ts";

const values: Readonly<Record<string, bigint>> = { n: 7n, m: -3n, "input 3": 40n };

function valueOf(text: string) {
  const formula = parseFormula(text);
  return formula && evaluateFormula(formula, (place) => (place.kind === "name" ? (values[place.name] ?? null) : null));
}

describe("formulas of reports", () => {
  it.each([
    ["n >= 1 && n <= 1000", true],
    ["n + 2 * m", 1n],
    ["m / 2", -1n],
    ["m % 2 == -1", true],
    ["mod(m, 2)", 1n],
    ["div(m, 2)", -2n],
    ["(uint8_t)(m + 1) == 254", true],
    ["(int8_t)(n + 128)", -121n],
    ["input 3 >> 2 == 10", true],
    ["(n ^ m) & 3", 2n],
    ["n < m ? 1 : !(n != 7)", true],
    ["-n - -m", -10n],
    ["unknown == 1 || n == 7", true],
    ["unknown == 1 && n == 7", null],
    ["n / 0", null],
  ])("%s is %s", (text, value) => {
    expect(valueOf(text)).toBe(value);
  });

  it.each(["n >=", "… && n", "(n", "n ? 1", "forall i: n"])("%s is none", (text) => {
    expect(parseFormula(text)).toBeNull();
  });

  const terms = createTerms();
  const names = ["n", "m"].map((name) => terms.variable(name, "Int"));
  const number: fc.Arbitrary<Term> = fc.letrec<{ term: Term }>((tie) => ({
    term: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Term>(...names),
      fc.bigInt({ min: -20n, max: 20n }).map((value) => terms.int(value)),
      fc.tuple(tie("term"), tie("term")).map(([a, b]) => terms.add(a, b)),
      fc.tuple(tie("term"), tie("term")).map(([a, b]) => terms.sub(a, b)),
      fc.tuple(tie("term"), fc.integer({ min: 1, max: 9 })).map(([a, k]) => terms.truncatingDiv(a, terms.int(k))),
      fc.tuple(tie("term"), fc.integer({ min: 1, max: 9 })).map(([a, k]) => terms.mod(a, terms.int(k))),
      fc.tuple(tie("term"), fc.constantFrom(8, 16, 32), fc.boolean()).map(([a, bits, s]) => terms.wrap(a, bits, s)),
      fc.tuple(tie("term"), tie("term"), tie("term")).map(([a, b, c]) => terms.ite(terms.le(a, b), c, a)),
    ),
  })).term;
  const formula = fc.tuple(number, number, number).map(([a, b, c]) => terms.or(terms.lt(a, b), terms.eq(b, c)));

  it("mean the same as the printed term, read back as a formula or as a term", () => {
    fc.assert(
      fc.property(formula, fc.bigInt(-300n, 300n), fc.bigInt(-300n, 300n), (term, n, m) => {
        const read = parseFormula(printSource(term))!;
        const expected = evaluate(term, ({ name }) => (name === "n" ? n : m));
        const lookUp = (name: string) => (name === "n" ? n : m);
        expect(evaluateFormula(read, (place) => (place.kind === "name" ? lookUp(place.name) : null))).toBe(expected);
        const again = formulaTerm(terms, read, (name) => terms.variable(name, "Int"))!;
        expect(evaluate(again, ({ name }) => lookUp(name))).toBe(expected);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it("are conditions of C if all names are in scope", () => {
    const asC = (text: string) => formulaAsC(parseFormula(text)!, (name) => name === "n" || name === "a");
    expect(asC("n >= 1")).toBe("(((__int128)n) >= ((__int128)1ll))");
    expect(asC("a[2] == n")).toBe("(((__int128)a[2]) == ((__int128)n))");
    for (const text of ["n >= m", "a[n] == 0", "n / n == 1", "main::n == 1", "freed(n)"]) expect(asC(text)).toBeNull();
  });
});
