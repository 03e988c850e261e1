import { expect, test } from "vitest";
import { arrayValue, evaluate } from "../../src/logic/evaluate.ts";
import { parseSmtLib } from "../../src/logic/parseSmtLib.ts";
import { printSmtLib } from "../../src/logic/printSmtLib.ts";
import { printSource } from "../../src/logic/printSource.ts";
import type { Sort, Term } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { freeVariables, substitute } from "../../src/logic/traverse.ts";
import { assignmentOf } from "./recipe.ts";

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

test("substitutes and evaluates a term 100,000 deep", () => {
  const t = createTerms();
  const x = t.variable("x", "Int");
  const term = nestedChoice(t, 100_000);
  expect(freeVariables(term)).toContain(x);
  const moved = substitute(t, term, new Map([[x, t.int(5)]]));
  expect(evaluate(moved, assignmentOf({ p: true }))).toBe(evaluate(term, assignmentOf({ p: true, x: 5n })));
  expect(printSource(term)).toContain("…");
});

test("prints, reads and negates deep terms and formulas", () => {
  const t = createTerms();
  const term = nestedChoice(t, 20_000);
  expect(parseSmtLib(t, printSmtLib(term), sortOf)).toBe(term);
  const formula = alternation(t, 20_000);
  expect(t.not(t.not(formula))).toBe(formula);
  expect(parseSmtLib(t, printSmtLib(formula), sortOf)).toBe(formula);
});

test("prints, reads and evaluates a chain of stores", () => {
  const t = createTerms();
  let array: Term = t.variable("a", "Array");
  for (let i = 0; i < 10_000; i++) array = t.store(array, t.variable(`i${i % 50}`, "Int"), t.int(i));
  const read = t.select(array, t.variable("j", "Int"));
  expect(parseSmtLib(t, printSmtLib(read), sortOf)).toBe(read);
  const values: Record<string, bigint | ReturnType<typeof arrayValue>> = { j: 3n, a: arrayValue() };
  for (let i = 0; i < 50; i++) values[`i${i}`] = BigInt(i);
  expect(evaluate(read, assignmentOf(values))).toBe(9_953n);
});

test("shares in print what the term shares", () => {
  const t = createTerms();
  let term: Term = t.variable("x", "Int");
  const y = t.variable("y", "Int");
  for (let i = 0; i < 60; i++) term = t.mod(t.mul(term, t.add(term, y)), t.add(y, t.int(i)));
  const text = printSmtLib(term);
  expect(text.length).toBeLessThan(20_000);
  expect(parseSmtLib(t, text, sortOf)).toBe(term);
});

test("builds sums of 100,000 summands and conjunctions of 20,000 parts", () => {
  const t = createTerms();
  const variables = Array.from({ length: 100_000 }, (_, i) => t.variable(`x${i}`, "Int"));
  const sum = t.linear(variables.map((term, i) => ({ coefficient: BigInt((i % 5) - 2), term })));
  expect(t.sub(sum, sum)).toBe(t.int(0));
  expect(evaluate(sum, () => 1n)).toBe(0n);
  const chain = t.all(variables.slice(1, 20_000).map((term, i) => t.le(variables[i]!, term)));
  expect(t.not(t.not(chain))).toBe(chain);
  expect(evaluate(chain, ({ name }) => BigInt(name.slice(1)))).toBe(true);
  let counted: Term = variables[0]!;
  for (let i = 0; i < 100_000; i++) counted = t.add(counted, t.int(i));
  expect(counted).toBe(t.add(variables[0]!, t.int(4_999_950_000)));
});

test("keeps one write for a cell that is written again and again", () => {
  const t = createTerms();
  const [a, i] = [t.variable("a", "Array"), t.variable("i", "Int")];
  let array: Term = a;
  for (let k = 0; k < 10_000; k++) array = t.store(array, i, t.int(k));
  expect(array).toBe(t.store(a, i, t.int(9_999)));
  expect(t.select(array, i)).toBe(t.int(9_999));
});
