import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { loadCText } from "../../src/frontend/c/loadC.ts";
import { evaluate } from "../../src/logic/evaluate.ts";
import { freeVariablesOf } from "../../src/logic/freeVariables.ts";
import { printDeclaration, printSmtLib } from "../../src/logic/printSmtLib.ts";
import { printSource } from "../../src/logic/printSource.ts";
import { substitute } from "../../src/logic/substitute.ts";
import type { Term, Variable } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { assumedOnWay, executeTrace } from "../../src/run/executeTrace.ts";
import { runOf } from "../../src/run/runOf.ts";
import { traceSurroundings } from "../../src/run/traceSurroundings.ts";
import { entails } from "../../src/solver/entails.ts";
import { project } from "../../src/solver/projection/project.ts";
import { projectByModel } from "../../src/solver/projection/projectByModel.ts";
import type { Solver } from "../../src/solver/solver.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { placeStyle } from "../../src/symbolic/placeStyle.ts";
import { projectState } from "../../src/symbolic/projectState.ts";
import { startOfProgram } from "../../src/symbolic/startOfProgram.ts";
import { originState } from "../../src/symbolic/symbolicState.ts";
import { createSymbols, staticFrame } from "../../src/symbolic/symbols.ts";
import { recordTrace } from "../../src/trace/trace.ts";
import { linearRecipe, type Recipe } from "./support/linearRecipe.ts";

const terms = createTerms();
const { solver } = createSolver({ limits: { resources: 200_000, milliseconds: 2_000 } });
afterAll(() => solver.dispose());

const int = (name: string) => terms.variable(name, "Int");
const array = (name: string) => terms.variable(name, "Array");

/** Is the conjunction, which may be quantified, unsatisfiable? null where the solver does not know. */
function isUnsatisfiable(asked: Solver, ...formulas: readonly Term[]): boolean | null {
  const script = [
    ...freeVariablesOf(formulas).map(printDeclaration),
    ...formulas.map((formula) => `(assert ${printSmtLib(formula)})`),
    "(check-sat-using (then simplify qe smt))",
  ].join("\n");
  const answer = asked.run(script);
  if (answer.kind !== "output") return null;
  return /^unsat/.test(answer.text) ? true : /^sat/.test(answer.text) ? false : null;
}

/** Checks both directions of an exact projection, or the one of an implied one. */
function expectProjection(
  store: Terms,
  asked: Solver,
  formulas: readonly Term[],
  eliminate: readonly Variable[],
): string {
  const result = project(store, formulas, new Set(eliminate), asked);
  const projected = store.all(result.formulas);
  for (const variable of freeVariablesOf([projected])) expect(eliminate).not.toContain(variable);
  // Implied: what satisfies the formulas satisfies the projection.
  expect(isUnsatisfiable(asked, ...formulas, store.not(projected)), "implied").not.toBe(false);
  if (result.kind === "implied") return "implied";
  const none = store.forall(eliminate, store.not(store.all(formulas)));
  const equivalent = isUnsatisfiable(asked, projected, none);
  expect(equivalent, "equivalent").not.toBe(false);
  return equivalent === null ? "exact, not confirmed" : "exact";
}

describe("exact projection", () => {
  const [x, y, n, old, k] = ["x", "y", "n", "old", "k"].map(int) as [Variable, Variable, Variable, Variable, Variable];
  const c = (value: number) => terms.int(value);
  const cases: readonly (readonly [string, readonly Term[], readonly Variable[], string])[] = [
    ["an assignment", [terms.eq(x, terms.add(old, c(1))), terms.ge(old, c(0))], [old], "x >= 1"],
    ["a relation", [terms.eq(x, terms.add(old, n)), terms.eq(y, terms.sub(n, old))], [old], "2 * n == x + y"],
    ["bounds", [terms.le(x, old), terms.le(old, y), terms.lt(old, n)], [old], "x <= y && n > x"],
    ["a multiple", [terms.eq(x, terms.scale(3n, old)), terms.ge(old, c(2))], [old], "mod(x, 3) == 0 && x >= 6"],
    ["a hole between bounds", [terms.ne(old, x), terms.ge(old, c(0)), terms.le(old, c(1))], [old], ""],
    ["an unbounded unknown", [terms.ne(old, x), terms.ge(old, y)], [old], "true"],
    [
      "a choice",
      [terms.eq(x, terms.ite(terms.gt(old, c(0)), c(1), c(2))), terms.ge(old, c(-3))],
      [old],
      "x == 1 || x == 2",
    ],
  ];
  it.each(cases)("%s", (_, formulas, eliminate, text) => {
    expect(expectProjection(terms, solver, formulas, eliminate)).toBe("exact");
    const result = project(terms, formulas, new Set(eliminate));
    expect(result.kind).toBe("exact");
    if (text !== "") expect(printSource(terms.all(result.formulas))).toBe(text);
  });

  it("with more cases than are told apart here, by the solver's tactic", () => {
    const cases = Array.from({ length: 20 }, (_, i) => terms.and(terms.eq(old, c(i)), terms.eq(x, c(i * i))));
    const formulas = [terms.any(cases)];
    expect(project(terms, formulas, new Set([old])).kind).toBe("implied");
    const result = project(terms, formulas, new Set([old]), solver);
    expect(result.kind).toBe("exact");
    expect(printSource(terms.all(result.formulas))).toContain("x == 4 || x == 9 || x == 16");
  });

  it("a remainder and a quotient: there is a number that has both", () => {
    const formulas = [terms.eq(x, terms.mod(old, c(4))), terms.eq(y, terms.div(old, c(4)))];
    const result = project(terms, formulas, new Set([old]));
    expect(result.kind).toBe("exact");
    expect(printSource(terms.all(result.formulas))).toBe("0 <= x && x <= 3");
    const witnessed = substitute(terms, terms.all(formulas), new Map([[old, terms.add(terms.scale(4n, y), x)]]));
    expect(entails(terms, solver, result.formulas, witnessed).kind).toBe("valid");
  });

  it("what cannot be kept is left out, and said to be", () => {
    const formulas = [terms.le(terms.scale(2n, old), x), terms.le(y, terms.scale(3n, old)), terms.ge(n, c(1))];
    const result = project(terms, formulas, new Set([old]));
    expect(result).toEqual({ kind: "implied", formulas: [terms.ge(n, c(1))], left: [old] });
  });

  // Solvers are weak at quantified arrays, so that these cases come with the array that there is.
  const [a, before] = [array("a"), array("before")];
  const written: readonly (readonly [string, readonly Term[], Term])[] = [
    [
      "a written cell",
      [terms.eq(a, terms.store(before, x, y)), terms.eq(terms.select(before, n), c(7))],
      terms.store(a, x, c(7)),
    ],
    ["two written cells", [terms.eq(a, terms.store(terms.store(before, x, y), k, c(0)))], a],
  ];
  it.each(written)("%s", (_, formulas, witness) => {
    const result = project(terms, formulas, new Set([before]));
    expect(result.kind).toBe("exact");
    const projected = terms.all(result.formulas);
    expect(freeVariablesOf([projected])).not.toContain(before);
    expect(entails(terms, solver, formulas, projected).kind).toBe("valid");
    const witnessed = substitute(terms, terms.all(formulas), new Map([[before, witness]]));
    expect(entails(terms, solver, [projected], witnessed).kind).toBe("valid");
  });

  it("generated formulas, by quantified queries", () => {
    const outcomes = new Map<string, number>();
    for (const recipe of fc.sample(linearRecipe, { seed: 11, numRuns: 40 })) {
      const { formulas, eliminate } = build(recipe);
      const outcome = expectProjection(terms, solver, formulas, eliminate);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get("exact")).toBeGreaterThan(20);
  });

  it("generated formulas, by trying all values", () => {
    let exact = 0;
    for (const [k, recipe] of fc.sample(linearRecipe, { seed: 13, numRuns: 150 }).entries()) {
      const built = build(recipe);
      const eliminate = built.eliminate.slice(-2);
      // Within bounds, "there is a value" is a finite question.
      const bounds = eliminate.map((variable) => terms.and(terms.ge(variable, c(-4)), terms.le(variable, c(4))));
      const formulas = [...built.formulas, ...bounds];
      const result = project(terms, formulas, new Set(eliminate));
      if (result.kind === "exact") exact++;
      const projected = terms.all(result.formulas);
      for (let i = 0; i < 30; i++) {
        const values = new Map<Variable, bigint>();
        for (const [v, name] of ["p", "q", "r", "s", "t"].entries())
          values.set(int(name), BigInt(((k + i * 7 + v * 5) % 13) - 6));
        const said = evaluate(projected, (variable) => values.get(variable));
        const is = existsWithin(eliminate, values, terms.all(formulas));
        if (result.kind === "exact") expect(said).toBe(is);
        else if (is) expect(said).toBe(true);
      }
    }
    expect(exact).toBeGreaterThan(80);
  });
});

describe("model-based projection is an under-approximation", () => {
  it("satisfied by its model, and implies that there are values", () => {
    let found = 0;
    for (const recipe of fc.sample(linearRecipe, { seed: 12, numRuns: 40 })) {
      const { formulas, eliminate } = build(recipe);
      solver.push();
      solver.assert(...formulas);
      const answer = solver.check();
      solver.pop();
      if (answer.kind !== "sat") continue;
      const result = projectByModel(terms, formulas, new Set(eliminate), answer.model);
      if (result === null) continue;
      found++;
      const projected = terms.all(result.literals);
      for (const variable of freeVariablesOf([projected])) expect(eliminate).not.toContain(variable);
      expect(answer.model.satisfies(projected)).toBe(true);
      const none = terms.forall(eliminate, terms.not(terms.all(formulas)));
      expect(isUnsatisfiable(solver, projected, none)).not.toBe(false);
    }
    expect(found).toBeGreaterThan(15);
  });
});

/** Is there a way to give the variables values from -4 to 4 that satisfies the formula? */
function existsWithin(variables: readonly Variable[], values: Map<Variable, bigint>, formula: Term): boolean {
  const [first, ...rest] = variables;
  if (first === undefined) return evaluate(formula, (variable) => values.get(variable)) === true;
  for (let value = -4n; value <= 4n; value++) {
    if (existsWithin(rest, new Map(values).set(first, value), formula)) return true;
  }
  return false;
}

function build(recipe: Recipe) {
  const variables = ["p", "q", "r", "s", "t"].map(int);
  return { formulas: recipe.formulas(terms, variables), eliminate: variables.slice(5 - recipe.eliminated) };
}

describe("the state of a run over its current variables", () => {
  const text = `extern int __VERIFIER_nondet_int(void); int a[4], s; int main(void) {
    int n = __VERIFIER_nondet_int(); int i = 0, d;
    if (n < 3 || n > 9) return 0;
    s = 2 * n; i = n + 1; d = s - i; a[1] = s; a[d & 1] += 1; n = n * 3; if (i > 4) s++;
    return s; }`;

  it("says how they are related, and holds at the end of the run", async () => {
    const program = await loadCText("p.c", text, { preprocess: "builtin" });
    const trace = recordTrace(program, { inputs: [7n] });
    const symbols = createSymbols(program, createTerms());
    const { solver: asked } = createSolver();
    const surroundings = traceSurroundings(symbols, runOf(trace), {
      symbolicInputs: () => symbols.fresh("input", { kind: "int", bits: 32, signed: true, name: "int" }),
      pointsTo: () => [],
      note: () => {},
    });
    const { steps, stack } = runOf(trace).between(0, trace.steps - 1);
    const reached = executeTrace(symbols, steps, { state: startOfProgram(symbols), stack }, surroundings);
    const frame = reached.stack[reached.stack.length - 1]!.frame;
    const named = (name: string) => {
      const { id, kind } = program.variables.find((variable) => variable.name === name)!;
      return symbols.register(kind === "static" ? staticFrame : frame, id);
    };
    const state = { state: reached.state, assumptions: assumedOnWay(reached) };
    const result = projectState(symbols, state, [named("n"), named("i"), named("s"), named("d")], asked);
    expect(result.kind).toBe("exact");
    const formula = symbols.terms.all(result.formulas);
    const values = new Map([
      [named("n"), 21n],
      [named("i"), 8n],
      [named("s"), 15n],
      [named("d"), 6n],
    ]);
    expect(evaluate(formula, (variable) => values.get(variable))).toBe(true);
    values.set(named("d"), 7n);
    expect(evaluate(formula, (variable) => values.get(variable))).toBe(false);
    expect(printSource(formula, placeStyle(symbols))).toContain("d");
    asked.dispose();
  });

  it("keeps what was not written", async () => {
    const program = await loadCText("p.c", text, { preprocess: "builtin" });
    const symbols = createSymbols(program, createTerms());
    const s = symbols.register(staticFrame, program.variables.find(({ name }) => name === "s")!.id);
    const positive = symbols.terms.gt(s, symbols.terms.int(0n));
    const result = projectState(symbols, { state: originState, assumptions: [positive] }, [s]);
    expect(result.kind).toBe("exact");
    expect(result.formulas).toContain(positive);
  });
});
