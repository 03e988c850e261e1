import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TracefoldError } from "../../src/base/errors.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { findExecutable } from "../../src/solver/backend/findExecutable.ts";
import type { Solver } from "../../src/solver/solver.ts";
import { createSolver } from "../../src/solver/solverChain.ts";

const t = createTerms();
const x = t.variable("x", "Int");
const folder = mkdtempSync(join(tmpdir(), "tracefold-solver-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (["wasm", "z3", "cvc5"] as const).filter((name) => name === "wasm" || findExecutable(name) !== null);

/** `u^3 = v^3 + w^3` has no solution in numbers greater than 1, and no solver here finds that out. */
function endless(): readonly Term[] {
  const [u, v, w] = ["u", "v", "w"].map((name) => t.variable(name, "Int")) as [Term, Term, Term];
  const cube = (term: Term) => t.mul(term, term, term);
  return [...[u, v, w].map((term) => t.gt(term, t.int(1))), t.eq(cube(u), t.add(cube(v), cube(w)))];
}

/** The limit was kept, with a second to spare for noticing (and a machine that is busy with other tests). */
function expectWithin(start: number, limit: number) {
  expect(performance.now() - start).toBeLessThan(limit + 10_000);
}

function expectWorks(solver: Solver) {
  solver.push();
  solver.assert(t.gt(x, t.int(41)));
  const result = solver.check([t.lt(x, t.int(43))]);
  expect(result.kind === "sat" && result.model.value(x)).toBe(42n);
  expect(solver.check([t.lt(x, t.int(0))])).toEqual({ kind: "unsat", core: [t.lt(x, t.int(0))] });
  solver.pop();
}

describe.each(installed)("%s", (backend) => {
  test("a query that never ends is unknown, and the next query works with the same assertions", () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 700 } });
    expectWorks(solver);
    solver.push();
    solver.assert(...endless());
    const start = performance.now();
    const result = solver.check();
    expectWithin(start, 700);
    expect(result).toMatchObject({ kind: "unknown", reason: "limit" });
    solver.pop();
    expectWorks(solver);
    solver.dispose();
  });

  test("the resource limit stops a check", () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 60_000 } });
    solver.assert(...endless());
    expect(solver.check([], { limits: { resources: 2_000 } })).toMatchObject({ kind: "unknown", reason: "limit" });
    expect(solver.check([t.gt(t.variable("u", "Int"), t.int(3))], { limits: { resources: 2_000 } }).kind).toBe(
      "unknown",
    );
    solver.dispose();
  });

  test("quantifiers that the solver cannot decide are unknown, not an answer", () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 600, resources: 100_000 } });
    const f = t.functionSymbol("f", ["Int"], "Int");
    const k = t.variable("k", "Int");
    const growing = t.forall([k], t.gt(t.apply(f, t.apply(f, k)), t.mul(k, t.apply(f, t.add(k, t.int(1))))));
    solver.assert(growing, t.forall([k], t.ne(t.apply(f, k), t.mul(k, k))));
    const result = solver.check();
    expect(result.kind).toBe("unknown");
    solver.dispose();
  });
});

test.each(installed.filter((name) => name !== "cvc5"))("%s out of memory is replaced", (backend) => {
  const { solver } = createSolver({ backend, limits: { milliseconds: 20_000 }, megabytes: 60 });
  expectWorks(solver);
  const vectors = "(declare-fun v () (_ BitVec 3000))(declare-fun w () (_ BitVec 3000))";
  const result = solver.run(`${vectors}(assert (= (bvmul v w) (bvadd v w)))(assert (distinct v w))(check-sat)`);
  expect(result).toMatchObject({ kind: "unknown", reason: "memory" });
  expectWorks(solver);
  solver.dispose();
});

test.skipIf(findExecutable("z3") === null)("a solver process killed from outside", async () => {
  const { solver } = createSolver({ backend: "z3", limits: { milliseconds: 5_000 }, cache: false });
  solver.assert(t.gt(x, t.int(5)));
  expectWorks(solver);
  for (const pid of childrenNamed("z3")) process.kill(pid, "SIGKILL");
  const result = solver.check();
  // Either the loss shows in this check, or the process was replaced before it.
  if (result.kind === "unknown") expect(result.message).toContain("SIGKILL");
  else expect(result.kind).toBe("sat");
  expectWorks(solver);
  expect(solver.check([t.lt(x, t.int(3))]).kind).toBe("unsat");
  solver.dispose();
});

/** Our own child processes of that name, so that nobody else's solver is ended. */
function childrenNamed(name: string): readonly number[] {
  const result: number[] = [];
  for (const entry of readdirSync("/proc").filter((e) => /^\d+$/.test(e))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [, command, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
      if (command === name && Number(parent) === process.pid) result.push(Number(entry));
    } catch {
      // It ended meanwhile.
    }
  }
  return result;
}

describe("a z3 on the search path that is not z3", () => {
  const fakes: readonly (readonly [string, string])[] = [
    ["prints something else", "echo hello world; exit 0"],
    ["prints something else and waits", "echo '(:name \"Yices\")'; cat > /dev/null"],
    ["says nothing", "exec sleep 600"],
    ["ends at once", "exit 3"],
    ["echoes its input", "exec cat"],
    ["prints without end", "yes unsat"],
    ["always says unsat", "while read -r line; do echo unsat; echo tracefold-end-1; done"],
  ];
  test.each(fakes)("that %s", (what, script) => {
    const searchPath = mkdtempSync(join(folder, "path-"));
    const path = join(searchPath, "z3");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    const start = performance.now();
    const named = createSolver({ backend: "z3", searchPath, limits: { milliseconds: 500 } }).solver;
    named.assert(t.gt(x, t.int(0)));
    const result = named.check();
    expect(result, what).toMatchObject({ kind: "unknown" });
    expectWithin(start, 500);
    named.dispose();
  });

  test("auto takes the embedded solver instead", () => {
    const searchPath = mkdtempSync(join(folder, "path-"));
    writeFileSync(join(searchPath, "z3"), "#!/bin/sh\necho not a solver\n");
    chmodSync(join(searchPath, "z3"), 0o755);
    const { solver } = createSolver({ backend: "auto", searchPath });
    expectWorks(solver);
    expect(solver.name).toContain("embedded");
    solver.dispose();
  });

  test("none at all: auto is embedded, naming it is an input error", () => {
    const { solver } = createSolver({ backend: "auto", searchPath: folder });
    expectWorks(solver);
    expect(solver.name).toContain("embedded");
    solver.dispose();
    expect(() => createSolver({ backend: "z3", searchPath: folder })).toThrow(TracefoldError);
  });
});
