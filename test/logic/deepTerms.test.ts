import { expect, test } from "vitest";
import { assignmentOf, evaluate } from "../../src/logic/evaluate.ts";
import { freeVariables } from "../../src/logic/freeVariables.ts";
import { parseSmtLib } from "../../src/logic/parseSmtLib.ts";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import { printSource } from "../../src/logic/printSource.ts";
import { substitute } from "../../src/logic/substitute.ts";
import type { Sort, Term } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { arrayValue } from "../../src/logic/value.ts";

const sortOf = (name: string): Sort => (name === "a" ? "Array" : name.startsWith("p") ? "Bool" : "Int");

/** `f(f(f(…x…)))` with `f(t) = p ? t + 1 : t * t`, which no constructor can flatten. */
function nestedChoice(t: Terms, depth: number): Term {
  const p = t.variable("p", "Bool");
  let term: Term = t.variable("x", "Int");
  for (let i = 0; i < depth; i++)
    term = t.ite(i % 2 === 0 ? p : t.not(p), t.add(term, t.int(1)), t.mod(term, t.int(7 + i)));
  return term;
}

function alternation(t: Terms, depth: number): Term {
  let term: Term = t.variable("p", "Bool");
  for (let i = 0; i < depth; i++) {
    const atom = t.lt(t.variable(`x${i % 500}`, "Int"), t.int(i));
    term = i % 2 === 0 ? t.and(term, atom) : t.or(term, atom);
  }
  return term;
}

test("a term 100,000 deep can be substituted and evaluated", () => {
  const t = createTerms();
  const x = t.variable("x", "Int");
  const term = nestedChoice(t, 100_000);
  expect(freeVariables(term)).toContain(x);
  const moved = substitute(t, term, new Map([[x, t.int(5)]]));
  expect(evaluate(moved, assignmentOf({ p: true }))).toBe(evaluate(term, assignmentOf({ p: true, x: 5n })));
  expect(printSource(term)).toContain("…");
});

test("deep terms and formulas are printed, read and negated", () => {
  const t = createTerms();
  const term = nestedChoice(t, 20_000);
  expect(parseSmtLib(t, printSmtLib(term), sortOf)).toBe(term);
  const formula = alternation(t, 20_000);
  expect(t.not(t.not(formula))).toBe(formula);
  expect(parseSmtLib(t, printSmtLib(formula), sortOf)).toBe(formula);
});

test("a chain of stores is printed, read and evaluated", () => {
  const t = createTerms();
  let array: Term = t.variable("a", "Array");
  for (let i = 0; i < 10_000; i++) array = t.store(array, t.variable(`i${i % 50}`, "Int"), t.int(i));
  const read = t.select(array, t.variable("j", "Int"));
  expect(parseSmtLib(t, printSmtLib(read), sortOf)).toBe(read);
  const values: Record<string, bigint | ReturnType<typeof arrayValue>> = { j: 3n, a: arrayValue() };
  for (let i = 0; i < 50; i++) values[`i${i}`] = BigInt(i);
  expect(evaluate(read, assignmentOf(values))).toBe(9_953n);
});

test("printing shares what the term shares", () => {
  const t = createTerms();
  let term: Term = t.variable("x", "Int");
  const y = t.variable("y", "Int");
  for (let i = 0; i < 60; i++) term = t.mod(t.mul(term, t.add(term, y)), t.add(y, t.int(i)));
  const text = printSmtLib(term);
  expect(text.length).toBeLessThan(20_000);
  expect(parseSmtLib(t, text, sortOf)).toBe(term);
});
