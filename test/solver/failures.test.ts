import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TracefoldError } from "../../src/base/errors.ts";
import { isSystemError } from "../../src/base/files.ts";
import type { Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { findExecutable } from "../../src/solver/backend/backends.ts";
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

/** What is asked here is easy: only a machine that is busy needs the time. */
function expectWorks(solver: Solver) {
  const options = { limits: { milliseconds: 30_000 } };
  solver.push();
  solver.assert(t.gt(x, t.int(41)));
  const result = solver.check([t.lt(x, t.int(43))], options);
  expect(result.kind === "sat" ? result.model.value(x) : result).toBe(42n);
  expect(solver.check([t.lt(x, t.int(0))], options)).toEqual({ kind: "unsat", core: [t.lt(x, t.int(0))] });
  solver.pop();
}

describe.each(installed)("%s", (backend) => {
  test("answers unknown for an endless query, and the next query works with the same assertions", () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 700 } });
    expectWorks(solver);
    solver.push();
    solver.assert(...endless());
    expect(solver.check()).toMatchObject({ kind: "unknown", reason: "limit" });
    solver.pop();
    expectWorks(solver);
    solver.dispose();
  });

  test("answers unknown when out of memory, and the next query works", () => {
    const { solver } = createSolver({
      backend,
      limits: { milliseconds: 60_000 },
      megabytes: backend === "cvc5" ? 160 : 60,
    });
    solver.assert(t.gt(x, t.int(5)));
    expectWorks(solver);
    const vectors = "(declare-fun v () (_ BitVec 3000))(declare-fun w () (_ BitVec 3000))";
    const logic = backend === "cvc5" ? "(set-logic ALL)" : "";
    const hungry = `${logic}${vectors}(assert (= (bvmul v w) (bvadd v w)))(assert (distinct v w))(check-sat)`;
    expect(solver.run(hungry)).toMatchObject({ kind: "unknown", reason: "memory" });
    expectWorks(solver);
    expect(solver.check([t.lt(x, t.int(3))]).kind).toBe("unsat");
    solver.dispose();
  });

  test("stops a check at the resource limit", () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 60_000 } });
    solver.assert(...endless());
    expect(solver.check([], { limits: { resources: 2_000 } })).toMatchObject({ kind: "unknown", reason: "limit" });
    expect(solver.check([t.gt(t.variable("u", "Int"), t.int(3))], { limits: { resources: 2_000 } }).kind).toBe(
      "unknown",
    );
    solver.dispose();
  });

  test("answers unknown for quantifiers that it cannot decide", () => {
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

describe.each(installed.filter((name) => name !== "wasm"))("a process of %s killed from outside", (backend) => {
  const start = () => {
    const { solver } = createSolver({ backend, limits: { milliseconds: 30_000 }, cache: false });
    solver.assert(t.gt(x, t.int(5)));
    expectWorks(solver);
    return solver;
  };

  test("is replaced between two queries", () => {
    const solver = start();
    for (const pid of childrenNamed(backend)) process.kill(pid, "SIGKILL");
    const result = solver.check();
    // Either the loss shows in this check, or the process was replaced before it.
    if (result.kind === "unknown") expect(result.message).toContain("SIGKILL");
    else expect(result.kind).toBe("sat");
    expectWorks(solver);
    expect(solver.check([t.lt(x, t.int(3))]).kind).toBe("unsat");
    solver.dispose();
  });

  test("is replaced in the middle of a query", () => {
    const solver = start();
    // This thread sleeps while it waits for the answer: somebody else has to do it.
    spawn("/bin/sh", ["-c", `sleep 0.5; kill -9 ${childrenNamed(backend).join(" ")}`], { stdio: "ignore" });
    solver.push();
    solver.assert(...endless());
    const result = solver.check();
    expect(result).toMatchObject({ kind: "unknown", reason: "failure" });
    expect(result.kind === "unknown" && result.message).toContain("SIGKILL");
    solver.pop();
    expectWorks(solver);
    expect(solver.check([t.lt(x, t.int(3))]).kind).toBe("unsat");
    solver.dispose();
  });
});

/** Our own child processes of that name, so that nobody else's solver is ended. */
function childrenNamed(name: string): readonly number[] {
  const result: number[] = [];
  for (const entry of readdirSync("/proc").filter((e) => /^\d+$/.test(e))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const [, command, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
      if (command === name && Number(parent) === process.pid) result.push(Number(entry));
    } catch (error) {
      // It ended meanwhile.
      if (!isSystemError(error)) throw error;
    }
  }
  return result;
}

describe("a z3 on the search path that is not z3", () => {
  const fakes: readonly (readonly [string, string])[] = [
    ["prints something else", "#!/bin/sh\necho hello world; exit 0"],
    ["prints something else and waits", "#!/bin/sh\necho '(:name \"Yices\")'; cat > /dev/null"],
    ["says nothing", "#!/bin/sh\nexec sleep 600"],
    ["ends at once", "#!/bin/sh\nexit 3"],
    ["echoes its input", "#!/bin/sh\nexec cat"],
    ["prints without end", "#!/bin/sh\nyes unsat"],
    ["always says unsat", "#!/bin/sh\nwhile read -r line; do echo unsat; echo tracefold-end-1; done"],
    ["introduces itself and then hangs", introduced("exec sleep 600")],
    ["introduces itself and then ends", introduced("exit 0")],
    ["introduces itself and then prints garbage", introduced("echo '(((('; cat")],
    ["is for another machine", "\u007fELF\u0002\u0001\u0001 nothing that runs"],
    ["needs an interpreter that is not there", "#!/nonexistent/interpreter\n"],
  ];

  /** Answers as Z3 would to who it is, then does something else. */
  function introduced(then: string): string {
    const greeting = `echo '(:name "Z3")'; echo '(:version "4.8.12")'`;
    return `#!/bin/sh\nread -r line; ${greeting}; read -r line; echo tracefold-end-1; ${then}\n`;
  }

  function fakeZ3(text: string, mode = 0o755): string {
    const searchPath = mkdtempSync(join(folder, "path-"));
    writeFileSync(join(searchPath, "z3"), `${text}\n`);
    chmodSync(join(searchPath, "z3"), mode);
    return searchPath;
  }

  test.each(fakes)("is refused if it %s", (what, script) => {
    const searchPath = fakeZ3(script);
    const named = createSolver({ backend: "z3", searchPath, limits: { milliseconds: 500 } }).solver;
    named.assert(t.gt(x, t.int(0)));
    expect(named.check(), what).toMatchObject({ kind: "unknown" });
    named.dispose();
  });

  test.each([fakes[0]!, fakes[10]!])("is replaced by the embedded solver with auto if it %s", (_, script) => {
    const { solver } = createSolver({ backend: "auto", searchPath: fakeZ3(script) });
    expectWorks(solver);
    expect(solver.name).toContain("embedded");
    solver.dispose();
  });

  test("is not needed with auto, and is an input error by name", () => {
    const isFolder = mkdtempSync(join(folder, "path-"));
    mkdirSync(join(isFolder, "z3"));
    for (const searchPath of [folder, isFolder, fakeZ3("#!/bin/sh\n", 0o644)])
      expect(() => createSolver({ backend: "z3", searchPath })).toThrow(TracefoldError);
    const { solver } = createSolver({ backend: "auto", searchPath: isFolder });
    expectWorks(solver);
    expect(solver.name).toContain("embedded");
    solver.dispose();
  });
});
