import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import type { Program } from "../../src/ir/program.ts";
import { evaluate } from "../../src/logic/evaluate.ts";
import type { Term, Variable } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { cExpression } from "../../src/symbolic/placeStyle.ts";
import { createSymbols, type Symbols } from "../../src/symbolic/symbols.ts";

const source = `struct point { int x; int y; };
int f(int n) { int i = n; struct point s; s.x = i; s.y = 2; { int n = 3; i += n; } return i + s.x + s.y; }
int main(void) { return f(1); }
`;

async function setUp() {
  const program = await loadCText("program.c", source);
  const symbols = createSymbols(program, createTerms());
  return { symbols, terms: symbols.terms, place: (name: string, nth = 0) => placeNamed(program, symbols, name, nth) };
}

function placeNamed({ variables }: Program, symbols: Symbols, name: string, nth: number): Variable {
  return symbols.register(0, variables.filter((each) => each.name === name)[nth]!.id);
}

describe("cExpression", () => {
  it("keeps comparisons, and widens arithmetic", async () => {
    const { symbols, terms, place } = await setUp();
    const [i, n, x] = [place("i"), place("n"), place("s.x")];
    const two = terms.int(2n);
    expect(cExpression(symbols, terms.le(i, n))).toBe("i <= n");
    expect(cExpression(symbols, terms.all([terms.eq(x, two), terms.not(terms.eq(i, two))]))).toBe("s.x == 2 && i != 2");
    expect(cExpression(symbols, terms.eq(i, terms.mul(two, n)))).toBe("(long long)i == 2 * (long long)n");
    expect(cExpression(symbols, terms.bool(true))).toBe("1");
  });

  it("is null if C has no expression", async () => {
    const { symbols, terms, place } = await setUp();
    const [i, n, other] = [place("i"), place("n"), place("n", 1)];
    expect(cExpression(symbols, terms.le(n, other)), "two variables of one name").toBeNull();
    expect(cExpression(symbols, terms.eq(terms.div(i, terms.int(3n)), terms.int(1n))), "no C operator").toBeNull();
    expect(
      cExpression(symbols, terms.le(symbols.fresh("unknown", { kind: "pointer", to: { kind: "void" } }), i)),
    ).toBeNull();
  });

  it("has the value of the formula in C", async () => {
    const { symbols, terms, place } = await setUp();
    const [i, n] = [place("i"), place("n")];
    const values = [-2147483648n, -3n, 0n, 2n, 2147483647n];
    for (const formula of formulasOver(terms, i, n)) {
      const text = cExpression(symbols, formula)!;
      for (const a of values) {
        for (const b of values) {
          const expected = evaluate(formula, (variable) => (variable === i ? a : b));
          const program = await loadCText(
            "e.c",
            `int main(void) { int i = ${a}; int n = ${b}; return (${text}) != 0; }`,
          );
          expect(runProgram(program).outcome, `${text} of ${a}, ${b}`).toMatchObject({ code: expected ? 1 : 0 });
        }
      }
    }
  });
});

function formulasOver(terms: Terms, i: Term, n: Term): readonly Term[] {
  const [two, three] = [terms.int(2n), terms.int(3n)];
  return [
    terms.le(terms.add(i, n), three),
    terms.eq(terms.mul(two, i), terms.add(n, terms.int(-1n))),
    terms.any([terms.le(i, terms.int(0n)), terms.all([terms.le(n, two), terms.not(terms.eq(i, n))])]),
    terms.le(terms.mul(i, n), three),
    terms.eq(terms.mod(i, three), terms.int(0n)),
    terms.not(terms.eq(terms.mod(terms.sub(i, n), three), terms.int(0n))),
    terms.eq(terms.mod(terms.add(i, n), three), two),
    terms.le(terms.add(n, terms.mod(i, three)), three),
    terms.eq(terms.mod(terms.sub(i, n), terms.int(1n << 32n)), terms.int(0n)),
  ];
}
