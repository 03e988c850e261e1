import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Defect } from "../../src/base/errors.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { createModel } from "../../src/solver/answers.ts";
import { findExecutable } from "../../src/solver/backend/backends.ts";
import { cacheModels, cacheResults } from "../../src/solver/decorators/caches.ts";
import { validateAnswers } from "../../src/solver/decorators/diagnostics.ts";
import { type CheckResult, entails, type Solver, unknown } from "../../src/solver/solver.ts";
import { createSolver } from "../../src/solver/solverChain.ts";

const t = createTerms();
const x = t.variable("x", "Int");
const y = t.variable("y", "Int");

const isInstalled = (name: string) => name === "wasm" || findExecutable(name) !== null;

/** A solver that gives the answers it is told and counts the questions. */
function scripted(...answers: readonly CheckResult[]): Solver & { asked: number } {
  const solver = {
    name: "scripted",
    asked: 0,
    push() {},
    pop() {},
    assert() {},
    check: () => answers[Math.min(solver.asked++, answers.length - 1)]!,
    run: () => unknown("failure", "scripted"),
    reset() {},
    prepare() {},
    dispose() {},
  };
  return solver;
}

test("answers from a recent model before the solver is asked", () => {
  const inner = scripted({ kind: "sat", model: createModel(new Map([[x, 5n]])) }, unknown("limit", "no"));
  const solver = cacheModels(inner);
  solver.assert(t.gt(x, t.int(0)));
  expect(solver.check().kind).toBe("sat");
  expect(solver.check([t.lt(x, t.int(6))]).kind).toBe("sat");
  expect(inner.asked).toBe(1);
  expect(solver.check([t.gt(x, t.int(6))]).kind).toBe("unknown");
  expect(inner.asked).toBe(2);
  expect(solver.check([t.bool(false)]).kind).toBe("unsat");
  expect(inner.asked).toBe(2);
});

test("remembers answers by question, but not unknown", () => {
  const inner = scripted(unknown("limit", "no"), { kind: "unsat", core: [] });
  const solver = cacheResults(inner);
  solver.push();
  solver.assert(t.gt(x, y), t.gt(y, x));
  expect(solver.check().kind).toBe("unknown");
  expect(solver.check().kind).toBe("unsat");
  solver.pop();
  solver.push();
  solver.assert(t.gt(y, x));
  solver.assert(t.gt(x, y));
  expect(solver.check().kind).toBe("unsat");
  expect(inner.asked).toBe(2);
  solver.check([t.gt(x, t.int(1))]);
  expect(inner.asked).toBe(3);
});

test("reports a wrong model and a wrong core as defects", () => {
  const counts = { checked: 0, open: 0 };
  const wrongModel = validateAnswers(scripted({ kind: "sat", model: createModel(new Map([[x, 0n]])) }), counts);
  wrongModel.assert(t.gt(x, t.int(0)));
  expect(() => wrongModel.check()).toThrow(Defect);
  const core = t.gt(x, t.int(1));
  const sat: CheckResult = { kind: "sat", model: createModel(new Map()) };
  expect(() => validateAnswers(scripted({ kind: "unsat", core: [core] }, sat), counts).check([core])).toThrow(Defect);
  expect(() => validateAnswers(scripted({ kind: "unsat", core: [core] }), counts).check([])).toThrow(Defect);
});

test("counts, validates and logs queries that every solver can replay", () => {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-dump-"));
  try {
    const { solver, statistics, validation } = createSolver({
      backend: "wasm",
      dump: join(folder, "smt"),
      validate: true,
    });
    solver.assert(t.ge(x, t.int(0)), t.lt(x, y));
    expect(entails(t, solver, [], t.gt(y, t.int(0))).kind).toBe("valid");
    const refuted = entails(t, solver, [], t.gt(y, t.int(7)));
    expect(refuted.kind === "refuted" && refuted.model.satisfies(t.lt(x, y))).toBe(true);
    expect(solver.check().kind).toBe("sat");
    expect(statistics.modelHits).toBeGreaterThan(0);
    expect(validation.checked).toBeGreaterThan(0);
    const files = readdirSync(join(folder, "smt")).sort();
    expect(files.length).toBe(statistics.queries);
    for (const other of (["wasm", "z3", "cvc5"] as const).filter(isInstalled)) {
      const replaying = createSolver({ backend: other }).solver;
      for (const file of files) {
        const text = readFileSync(join(folder, "smt", file), "utf8");
        const answer = replaying.run(text.replace("(exit)", ""));
        const said = answer.kind === "output" ? answer.text.trim() : answer.message;
        expect(said, other).toBe(/:status (\w+)/.exec(text)?.[1]);
      }
      replaying.dispose();
    }
    solver.dispose();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each((["wasm", "z3"] as const).filter(isInstalled))(
  "forgets everything after reset, also in the process: %s",
  (backend) => {
    const { solver } = createSolver({ backend });
    solver.assert(t.gt(x, t.int(0)));
    solver.push();
    solver.assert(t.lt(x, t.int(5)));
    expect(solver.check([t.lt(x, t.int(1))]).kind).toBe("unsat");
    solver.reset();
    const other = createTerms();
    const p = other.variable("x", "Bool");
    solver.assert(p);
    expect(solver.check([other.not(p)]).kind).toBe("unsat");
    const result = solver.check();
    expect(result.kind === "sat" && result.model.value(p)).toBe(true);
    expect(() => solver.pop()).toThrow(Defect);
    solver.dispose();
  },
);

test("minimises a core, and counts each of its questions", () => {
  const { solver, statistics } = createSolver({ backend: "wasm" });
  const assumptions = [t.gt(x, t.int(0)), t.gt(y, t.int(3)), t.lt(y, t.int(9)), t.lt(x, t.int(0)), t.ne(x, y)];
  const result = solver.check(assumptions, { minimiseCore: true });
  expect(result).toEqual({ kind: "unsat", core: [assumptions[0], assumptions[3]] });
  expect(statistics.queries).toBeGreaterThanOrEqual(3);
  solver.dispose();
});

test("passes recursive definitions, uninterpreted functions and odd names to the solver", () => {
  const { solver } = createSolver({ backend: "wasm", validate: true, cache: false });
  const power = t.functionSymbol("power2", ["Int"], "Int");
  const n = t.variable("select", "Int");
  t.define(power, [n], t.ite(t.le(n, t.int(0)), t.int(1), t.scale(2, t.apply(power, t.sub(n, t.int(1))))));
  const f = t.functionSymbol("f", ["Int"], "Int");
  const odd = t.variable("main::a b#1", "Int");
  solver.push();
  solver.assert(t.eq(t.apply(power, t.int(5)), odd), t.eq(t.apply(f, odd), t.int(3)), t.ne(t.apply(f, n), t.int(3)));
  const result = solver.check();
  expect(result.kind === "sat" && result.model.value(odd)).toBe(32n);
  solver.pop();
  solver.push();
  solver.assert(t.eq(odd, n), t.ne(t.apply(f, odd), t.apply(f, n)));
  expect(solver.check().kind).toBe("unsat");
  solver.dispose();
});
