import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { Edge, Program } from "../../src/ir/program.ts";
import { printSource } from "../../src/logic/printSource.ts";
import { isTrue } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { placeStyle } from "../../src/symbolic/placeStyle.ts";
import { bodyEnvironment } from "../../src/symbolic/stepEnvironment.ts";
import { originState, readRegister } from "../../src/symbolic/symbolicState.ts";
import { assumptionsOf, symbolicStep } from "../../src/symbolic/symbolicStep.ts";
import { createSymbols, type Symbols } from "../../src/symbolic/symbols.ts";

/** A function with the statement in it; the inputs are its parameters. */
async function withStatement(statement: string): Promise<Program> {
  const text = `#include <stdlib.h>
#include <ctype.h>
int f(int a, int b, unsigned u, _Bool *p) { int r = 0; int cells[8]; ${statement} return r; }
int main(void) { _Bool t = 1; return f(1, 2, 3u, &t); }`;
  return loadCText("f.c", text);
}

function stepOf(symbols: Symbols, edge: Edge) {
  const environment = bodyEnvironment(symbols, { undefinedBehaviour: "stop" }, { pointsTo: () => [], note: () => {} });
  return symbolicStep(symbols, 1, originState, edge, environment);
}

function edgesOf(program: Program): readonly Edge[] {
  return program.functions
    .find(({ name }) => name === "f")!
    .edges.filter(({ operation }) => operation.kind !== "call" && operation.kind !== "return");
}

/** What the statement's operations require, in source syntax, by problem. */
async function required(statement: string): Promise<readonly string[]> {
  const program = await withStatement(statement);
  const symbols = createSymbols(program, createTerms());
  const found = edgesOf(program).flatMap((edge) => stepOf(symbols, edge).obligations);
  for (const { range } of found) expect(range.line).toBe(3);
  return found.map(({ formula, problem }) => `${problem}: ${printSource(formula, placeStyle(symbols, [formula]))}`);
}

describe("obligations of an operation, by the problem that they exclude", () => {
  it.each([
    ["r = a + b;", ["signed-overflow: a + b >= -2147483648 && a + b <= 2147483647"]],
    ["r = -a;", ["signed-overflow: -2147483647 <= a && a <= 2147483648"]],
    ["r = a / 3;", []],
    ["u = u / (unsigned)b;", ["division-by-zero: (uint32_t)b != 0"]],
    ["u = u << b;", ["bad-shift: 0 <= b && b <= 31"]],
    ["r = a << 3;", ["bad-shift: a >= 0", "bad-shift: -268435456 <= a && a <= 268435455"]],
    ["cells[a] = 1;", ["out-of-bounds-write: 0 <= a && a <= 7"]],
    ["r = cells[a];", ["out-of-bounds-read: 0 <= a && a <= 7"]],
    ["r = abs(a);", ["signed-overflow: a != -2147483648"]],
    ["r = isdigit(a);", ["library-argument: -128 <= a && a <= 255"]],
    ["u = u + 1u;", []],
  ])("%s", async (statement, expected) => {
    expect(await required(statement)).toEqual(expected);
  });

  it("are two for a remainder", async () => {
    expect((await required("r = a % b;")).map((text) => text.split(":")[0])).toEqual([
      "division-by-zero",
      "signed-overflow",
    ]);
  });
});

it("are separate from the guard of a branch, whichever side is taken", async () => {
  const program = await withStatement("if (a / b > 3) r = 1;");
  const symbols = createSymbols(program, createTerms());
  const sides = edgesOf(program).filter(({ operation }) => operation.kind === "assume");
  expect(sides).toHaveLength(2);
  const [yes, no] = sides.map((edge) => stepOf(symbols, edge));
  expect(symbols.terms.not(yes!.guard)).toBe(no!.guard);
  expect(yes!.obligations.map(({ problem }) => problem)).toEqual(["division-by-zero", "signed-overflow"]);
  expect(no!.obligations.map(({ formula }) => formula)).toEqual(yes!.obligations.map(({ formula }) => formula));
  expect(assumptionsOf(yes!)).toEqual([...yes!.obligations.map(({ formula }) => formula), yes!.guard]);
});

it("do not include the range of a cell's type, which is a fact", async () => {
  const program = await withStatement("r = cells[a];");
  const symbols = createSymbols(program, createTerms());
  const [step] = edgesOf(program)
    .map((edge) => stepOf(symbols, edge))
    .filter(({ facts }) => facts.length > 0);
  expect(step!.facts).toHaveLength(1);
  expect(isTrue(step!.guard)).toBe(true);
});

it("are not shared between two steps from one state", async () => {
  const program = await withStatement("r = a; r = b;");
  const symbols = createSymbols(program, createTerms());
  const r = program.variables.find(({ name }) => name === "r")!.id;
  const assignments = edgesOf(program).filter(
    ({ operation }) => operation.kind === "assign" && operation.target === r && operation.value.kind === "variable",
  );
  const [one, other] = assignments.map((edge) => stepOf(symbols, edge).state);
  const inState = (state: typeof originState) => {
    const value = readRegister(symbols, state, 1, r);
    return printSource(value, placeStyle(symbols, [value]));
  };
  expect([originState, one!, other!].map(inState)).toEqual(["r", "a", "b"]);
});
