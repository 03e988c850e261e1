import fc from "fast-check";
import { expect, it } from "vitest";
import { type CandidateFamilies, candidates } from "../../src/cutpoints/candidates.ts";
import { evaluate } from "../../src/logic/evaluate.ts";
import { printSource } from "../../src/logic/printSource.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";

const terms = createTerms();
const [x, y, z] = ["x", "y", "z"].map((name) => terms.variable(name, "Int")) as [Term, Term, Term];

function proposed(families: CandidateFamilies, rows: readonly (readonly number[])[], hints: readonly Term[] = []) {
  const samples = { observables: [x, y, z].slice(0, rows[0]?.length ?? 0), rows: rows.map((row) => row.map(BigInt)) };
  return candidates(terms, samples, { families, hints, counter: null });
}

const int = (value: number) => terms.int(value);

it("has the slackened state at the head and equal variables in the canonical set", () => {
  // One that moves, one that stands still, and one that is equal at the head and not later.
  expect(
    new Set(
      proposed("canonical", [
        [2, 2, 7],
        [3, 2, 7],
      ]),
    ),
  ).toEqual(
    new Set([
      ...[terms.ge(x, int(2)), terms.le(x, int(2)), terms.ge(y, int(2)), terms.le(y, int(2)), terms.eq(y, int(2))],
      ...[terms.ge(z, int(7)), terms.le(z, int(7)), terms.eq(z, int(7))],
      ...[terms.eq(x, y), terms.le(x, y), terms.ge(x, y)],
    ]),
  );
});

it("adds signs, bounds of the run, congruences and hints in the simple set", () => {
  const hint = terms.le(terms.add(x, y), int(99));
  const found = proposed(
    "simple",
    [
      [2, -5],
      [6, -5],
      [14, -5],
    ],
    [hint],
  );
  for (const expected of [
    ...[terms.ge(x, int(0)), terms.ge(x, int(1)), terms.ne(x, int(0)), terms.le(x, int(14))],
    ...[terms.eq(terms.mod(terms.sub(x, int(2)), int(4)), int(0)), terms.le(y, int(0)), terms.eq(y, int(-5)), hint],
  ]) {
    expect(found, printSource(expected)).toContain(expected);
  }
  expect(found).not.toContain(terms.ge(terms.sub(x, y), int(0)));
});

it("adds relations of two variables and linear equations in the extended set", () => {
  const found = proposed("extended", [
    [0, 1, 9],
    [1, 3, 8],
    [2, 5, 7],
    [3, 7, 6],
  ]);
  for (const expected of [
    ...[terms.le(terms.sub(x, y), int(0)), terms.le(terms.sub(x, y), int(-1)), terms.ne(terms.sub(x, z), int(0))],
    // y == 2 x + 1, x + z == 9
    terms.eq(
      terms.linear(
        [
          { coefficient: 2n, term: x },
          { coefficient: -1n, term: y },
        ],
        1n,
      ),
      int(0),
    ),
    terms.eq(
      terms.linear(
        [
          { coefficient: 1n, term: x },
          { coefficient: 1n, term: z },
        ],
        -9n,
      ),
      int(0),
    ),
  ]) {
    expect(found, printSource(expected)).toContain(expected);
  }
});

it("has only formulas that hold at every sampled visit, and none without a visit", () => {
  const row = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("simple", "extended"),
      (rows, families) => {
        const holds = (formula: Term, [a, b, c]: readonly number[]) =>
          evaluate(formula, (variable) => BigInt(variable === x ? a! : variable === y ? b! : c!)) === true;
        const slack = new Set(proposed("canonical", rows.slice(0, 1)));
        for (const formula of slack) expect(holds(formula, rows[0]!)).toBe(true);
        for (const formula of proposed(families as CandidateFamilies, rows)) {
          if (!slack.has(formula))
            expect(
              rows.every((each) => holds(formula, each)),
              printSource(formula),
            ).toBe(true);
        }
      },
    ),
    { seed: 3, numRuns: 60 },
  );
  expect(proposed("extended", [])).toEqual([]);
});

it("relates a count of some rounds to the number of rounds, also downwards", () => {
  const rounds = Array.from({ length: 9 }, (_, i) => [i, Math.ceil(i / 2), -Math.floor(i / 3)]);
  const found = new Set(proposed("extended", rounds).map((formula) => printSource(formula)));
  // x - 2 * y is -1 or 0, and x + 3 * z is 0, 1 or 2.
  expect([...found]).toEqual(expect.arrayContaining(["x + 1 >= 2 * y", "x <= 2 * y", "x + 3 * z <= 2"]));
});
