import { describe, expect, test } from "vitest";
import { Defect } from "../../src/base/errors.ts";
import { evaluate } from "../../src/logic/evaluate.ts";
import { parseSmtLib } from "../../src/logic/parseSmtLib.ts";
import { parseSymbol, printFunctionSymbol, printSmtLib, printSymbol } from "../../src/logic/printSmtLib.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { freeVariables, substitute } from "../../src/logic/traverse.ts";
import { assignmentOf } from "./recipe.ts";

const t = createTerms();
const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
const a = t.variable("a", "Array");

describe("canonical forms", () => {
  test("tighten bounds to the integers", () => {
    expect(t.le(t.scale(2, x), t.int(5))).toBe(t.le(x, t.int(2)));
    expect(t.eq(t.scale(2, x), t.int(5))).toBe(t.bool(false));
    expect(t.lt(x, y)).toBe(t.le(t.add(x, t.int(1)), y));
  });

  test("merge bounds on one sum", () => {
    expect(t.and(t.le(x, t.int(3)), t.le(x, t.int(5)))).toBe(t.le(x, t.int(3)));
    expect(t.or(t.le(x, t.int(3)), t.le(x, t.int(5)))).toBe(t.le(x, t.int(5)));
    expect(t.and(t.le(x, y), t.ge(x, y))).toBe(t.eq(x, y));
    expect(t.or(t.lt(x, y), t.gt(x, y))).toBe(t.ne(x, y));
    expect(t.and(t.lt(x, y), t.gt(x, y))).toBe(t.bool(false));
    expect(t.or(t.le(x, y), t.ge(x, y))).toBe(t.bool(true));
  });

  test("absorb and resolve clauses", () => {
    const [p, q] = [t.variable("p", "Bool"), t.variable("q", "Bool")];
    expect(t.and(p, t.or(p, q))).toBe(p);
    expect(t.and(t.not(p), t.or(p, q))).toBe(t.and(t.not(p), q));
    expect(t.or(t.and(p, q), t.not(p))).toBe(t.or(q, t.not(p)));
  });

  test("let reads see through writes whose index is decided", () => {
    const written = t.store(t.store(a, x, t.int(1)), t.add(x, t.int(1)), t.int(2));
    expect(t.select(written, x)).toBe(t.int(1));
    expect(t.select(written, t.add(x, t.int(2)))).toBe(t.select(a, t.add(x, t.int(2))));
    expect(t.select(written, y).kind).toBe("select");
    expect(t.store(written, t.add(x, t.int(1)), t.int(3))).toBe(
      t.store(t.store(a, x, t.int(1)), t.add(x, t.int(1)), t.int(3)),
    );
    expect(t.store(a, x, t.select(a, x))).toBe(a);
  });

  test("drop conversions if the range is known", () => {
    const byte = t.wrap(x, 8, false);
    expect(t.wrap(byte, 32, true)).toBe(byte);
    expect(t.wrap(t.add(byte, t.int(1)), 16, false)).toBe(t.add(byte, t.int(1)));
    expect(t.wrap(t.wrap(x, 32, false), 8, false)).toBe(byte);
    expect(t.wrap(x, 32, true, () => ({ min: 0n, max: 10n }))).toBe(x);
    expect(t.truncatingDiv(byte, t.int(2))).toBe(t.div(byte, t.int(2)));
  });

  test("turn masks with few runs and shifts by constants into arithmetic", () => {
    expect(t.bits("and", 32, x, t.int(7))).toBe(t.mod(x, t.int(8)));
    expect(t.bits("and", 32, x, t.int(8))).toBe(t.scale(8, t.mod(t.div(x, t.int(8)), t.int(2))));
    expect(t.bits("lshr", 32, t.wrap(x, 8, false), t.int(2))).toBe(t.div(t.wrap(x, 8, false), t.int(4)));
    expect(t.bits("and", 32, x, y).kind).toBe("bits");
  });

  test("turn a comparison of truth values as numbers into the truth value", () => {
    const less = t.lt(x, y);
    expect(t.ne(t.ite(less, t.int(1), t.int(0)), t.int(0))).toBe(less);
    expect(t.eq(t.ite(less, t.int(1), t.int(0)), t.int(0))).toBe(t.not(less));
  });
});

test("report terms of another store and wrong sorts as defects", () => {
  const other = createTerms();
  expect(() => t.add(x, other.mul(other.variable("u", "Int"), other.variable("v", "Int")))).toThrow(Defect);
  expect(() => t.add(x, a)).toThrow(Defect);
  expect(() => t.variable("x", "Bool")).toThrow(Defect);
  expect(() => t.variable("a|b", "Int")).toThrow(Defect);
});

test("print symbols safely, also those that mean something to a solver", () => {
  for (const name of [
    "x",
    "x@3",
    "a b",
    "select",
    "select!v",
    "bvadd",
    "main::x",
    "9lives",
    "tf!3",
    "é",
    ".5",
    "|".length ? "$t1" : "",
  ])
    expect(parseSymbol(printSymbol(name))).toBe(name);
  expect(printSymbol("select")).not.toBe("select");
  expect(printSymbol("x#1")).toBe("|x#1|");
});

test("bind by quantifiers, and substitute without capture", () => {
  const k = t.variable("k", "Int");
  const positive = t.forall([k], t.or(t.lt(k, x), t.ge(t.select(a, k), t.int(0))));
  expect(freeVariables(positive).map((v) => v.name)).toEqual(
    ["x", "a"].sort(
      (l, r) => t.variable(l, l === "a" ? "Array" : "Int").id - t.variable(r, r === "a" ? "Array" : "Int").id,
    ),
  );
  const moved = substitute(t, positive, new Map([[x, t.add(k, t.int(1))]]));
  expect(freeVariables(moved)).toContain(k);
  expect(t.not(t.not(positive))).toBe(positive);
  expect(t.not(positive).kind).toBe("exists");
  expect(parseSmtLib(t, printSmtLib(positive), (name) => (name === "a" ? "Array" : "Int"))).toBe(positive);
  expect(evaluate(positive, assignmentOf({ x: 0n }))).toBeNull();
});

test("print recursive functions with their definition, and evaluate them", () => {
  const power = t.functionSymbol("power", ["Int", "Int"], "Int");
  const [base, exponent] = [t.variable("base", "Int"), t.variable("exponent", "Int")];
  const recursion = t.mul(base, t.apply(power, base, t.sub(exponent, t.int(1))));
  t.define(power, [base, exponent], t.ite(t.le(exponent, t.int(0)), t.int(1), recursion));
  expect(evaluate(t.apply(power, t.int(3), x), assignmentOf({ x: 5n }))).toBe(243n);
  expect(evaluate(t.apply(power, t.int(1), x), assignmentOf({ x: 10n ** 9n }))).toBeNull();
  expect(printFunctionSymbol(power)).toMatch(/^\(define-fun-rec power \(\(base Int\) \(exponent Int\)\) Int \(ite /);
  const uninterpreted = t.apply(t.functionSymbol("f", ["Int"], "Int"), x);
  expect(evaluate(uninterpreted, assignmentOf({ x: 5n }))).toBeNull();
  expect(evaluate(uninterpreted, assignmentOf({ x: 5n }), (_, [v]) => (v as bigint) * 2n)).toBe(10n);
});
