import { describe, expect, it } from "vitest";
import { polynomialEquations } from "../../../src/analyses/verify/polynomials.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { printSmtLib } from "../../../src/logic/printSmtLib.ts";
import { createTerms } from "../../../src/logic/terms.ts";

describe("polynomial equations of samples", () => {
  const terms = createTerms();
  const [i, s] = [terms.variable("i", "Int"), terms.variable("s", "Int")];
  const rowsOf = (count: number, value: (i: bigint) => bigint) =>
    Array.from({ length: count }, (_, k) => [BigInt(k), value(BigInt(k))]);
  const found = (count: number, value: (i: bigint) => bigint, degree: number) =>
    polynomialEquations(terms, { observables: [i, s], rows: rowsOf(count, value) }, degree);

  it("have the lowest degree, without multiples of each other", () => {
    const squares = found(30, (k) => (k * (k + 1n) * (2n * k + 1n)) / 6n, 3);
    const six = terms.scale(6n, s);
    const expected = terms.eq(
      six,
      terms.mul(i, terms.add(i, terms.int(1n)), terms.add(terms.scale(2n, i), terms.int(1n))),
    );
    expect(squares.map(printSmtLib)).toEqual([printSmtLib(expected)]);
    expect(found(30, (k) => 3n * k + 1n, 3)).toEqual([terms.eq(s, terms.add(terms.scale(3n, i), terms.int(1n)))]);
  });

  it("are not made up where samples are few, or where there are none", () => {
    expect(found(5, (k) => k ** 3n + 7n, 3)).toEqual([]);
    expect(found(4, (k) => k * k, 3)).toEqual([terms.eq(s, terms.mul(i, i))]);
    expect(found(30, (k) => (k * 7919n) % 101n, 2)).toEqual([]);
  });
});

const around = (body: string) => `
  extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
  int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); ${body} return 0; }`;

describe("loops with products", () => {
  it.each([
    [
      "a sum of squares",
      "if (n < 0 || n > 500) return 0; int i = 0, s = 0; while (i < n) { i++; s += i * i; } if (6 * s != n * (n + 1) * (2 * n + 1)) reach_error();",
    ],
    [
      "a product by additions",
      "if (n < 0 || n > 900 || m < 0 || m > 900) return 0; int i = 0, p = 0; while (i < n) { i++; p += m; } if (p != n * m) reach_error();",
    ],
    [
      "two phases",
      "if (n < 1 || n > 900) return 0; int i = 0, a = 0; while (i < 2 * n) { if (i < n) a += 3; else a -= 3; i++; } if (a != 0) reach_error();",
    ],
  ])("are proved over unbounded integers: %s", async (_, body) => {
    const program = await loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });
    const options = { engines: ["runs", "guarded"], solver: "auto", seed: 1, milliseconds: 120_000, run: {} } as const;
    const { verdict } = verifyProgram(program, { property: "assert", arithmetic: "unbounded", ...options });
    expect(verdict).toMatchObject({ kind: "safe", assumptions: [] });
  });

  it("are not proved if they are wrong", async () => {
    const body =
      "if (n < 0 || n > 30) return 0; int i = 0, s = 0; while (i < n) { i++; s += i * i; } if (s == 9455) reach_error();";
    const program = await loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });
    const options = { engines: ["guarded"], solver: "auto", seed: 1, milliseconds: 10_000, run: {} } as const;
    expect(verifyProgram(program, { property: "assert", ...options }).verdict.kind).not.toBe("safe");
  });
});
