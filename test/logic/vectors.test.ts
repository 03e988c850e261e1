import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Term } from "../../src/logic/term.ts";
import { createTerms, type Terms } from "../../src/logic/terms.ts";
import { vectorScript } from "../../src/logic/vectors/vectorScript.ts";
import { printSmtLibScript } from "../../src/proof/proofFolder.ts";
import { createSolver } from "../../src/solver/solverChain.ts";
import { boolNames, intNames, recipes, stateArbitrary, Undefined } from "./recipe.ts";

const { solver } = createSolver({ limits: { milliseconds: 60_000 } });
afterAll(() => solver.dispose());

const bound = 2n ** 33n;

function boundsIn(t: Terms): readonly Term[] {
  return intNames.map((name) => {
    const variable = t.variable(name, "Int");
    return t.and(t.ge(variable, t.int(-bound)), t.le(variable, t.int(bound)));
  });
}

function isSatisfiable(formulas: readonly Term[], bounds: readonly Term[]): string {
  const script = vectorScript([...bounds, ...formulas], bounds)!;
  const asserted = script.texts.map((text) => `(assert ${text})`);
  const answer = solver.run(["(set-logic QF_BV)", ...script.commands, ...asserted, "(check-sat)"].join("\n"));
  return answer.kind === "output" ? answer.text.trim() : answer.message;
}

test("gives a term its value as a bit vector", () => {
  let compared = 0;
  const samples = fc.tuple(recipes({ nonlinear: true, bits: true, arrays: false, depth: 3 }).int, stateArbitrary);
  for (const [recipe, state] of fc.sample(samples, { numRuns: 400, seed: 7 })) {
    const t = createTerms();
    let value: bigint;
    try {
      value = recipe.value(state);
    } catch (error) {
      if (error instanceof Undefined) continue;
      throw error;
    }
    const term = recipe.build(t);
    const bounds = boundsIn(t);
    if (vectorScript([...bounds, t.eq(term, t.int(value))], bounds) === null) continue;
    compared++;
    const given = [
      ...intNames.map((name, i) => t.eq(t.variable(name, "Int"), t.int(state.ints[i]!))),
      ...boolNames.map((name, i) => t.iff(t.variable(name, "Bool"), t.bool(state.bools[i]!))),
    ];
    expect(isSatisfiable([...given, t.eq(term, t.int(value))], bounds), recipe.text).toBe("sat");
    expect(isSatisfiable([...given, t.ne(term, t.int(value))], bounds), recipe.text).toBe("unsat");
  }
  expect(compared).toBeGreaterThan(200);
});

test("keeps bounds although sums have only the bits that they need", () => {
  const t = createTerms();
  const x = t.variable("x", "Int");
  // In eight bits x - 1 >= 0 holds for -128, too, which is 128 modulo 256.
  const bounds = [t.ge(x, t.int(1n)), t.le(x, t.int(127n))];
  expect(isSatisfiable([t.eq(t.mod(x, t.int(256n)), t.int(128n))], bounds)).toBe("unsat");
  expect(isSatisfiable([t.eq(t.mod(x, t.int(256n)), t.int(127n))], bounds)).toBe("sat");
});

test("refuses numbers without bounds, arrays and quantifiers", () => {
  const t = createTerms();
  const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
  const low = t.ge(x, t.int(0n));
  expect(vectorScript([low], [low])).toBeNull();
  const both = [low, t.le(x, t.int(9n))];
  expect(vectorScript(both, both)).not.toBeNull();
  expect(vectorScript([...both, t.le(x, y)], both)).toBeNull();
  const cell = t.eq(t.select(t.variable("a", "Array"), x), t.int(1n));
  expect(vectorScript([...both, cell], both)).toBeNull();
  expect(vectorScript([...both, t.forall([y], t.le(x, y))], both)).toBeNull();
});

test("answers a question that integers leave open, with a model or a core", () => {
  const t = createTerms();
  const chain = createSolver({ vectors: true, cache: false, limits: { milliseconds: 60_000 } });
  const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
  for (const variable of [x, y]) chain.solver.assert(t.inRange(variable, 32, false));
  const mixed = t.bits("xor", 32, t.bits("and", 32, x, y), t.bits("or", 32, x, y));
  // (x & y) ^ (x | y) = x ^ y
  const same = t.eq(mixed, t.bits("xor", 32, x, y));
  const positive = t.ge(x, t.int(5n));
  const answer = chain.solver.check([positive, t.not(same)]);
  expect(answer).toEqual({ kind: "unsat", core: [t.not(same)] });
  const found = chain.solver.check([positive, same, t.eq(mixed, t.int(0x5a5a5a5an))]);
  expect(found.kind).toBe("sat");
  if (found.kind === "sat") expect(found.model.satisfies(t.eq(mixed, t.int(0x5a5a5a5an)))).toBe(true);
  chain.solver.dispose();
});

test("writes the script of an obligation about bits with bit vectors", () => {
  const t = createTerms();
  const [x, y] = [t.variable("x", "Int"), t.variable("y", "Int")];
  const range = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
  const about = { name: "bits", kind: "keeps", range, text: "adding by halves" } as const;
  const hypotheses = [x, y].map((variable) => t.inRange(variable, 32, false));
  const both = t.bits("and", 32, x, y);
  const sum = t.add(t.bits("xor", 32, x, y), t.scale(2n, both));
  const answer = (conclusion: Term) => {
    const script = printSmtLibScript({ ...about, hypotheses, conclusion });
    expect(script).toContain("(set-logic QF_BV)");
    const result = solver.run(script);
    return result.kind === "output" ? result.text.trim() : result.message;
  };
  expect(answer(t.eq(sum, t.add(x, y)))).toBe("unsat");
  expect(answer(t.eq(t.add(sum, both), t.add(x, y)))).toBe("sat");
});
