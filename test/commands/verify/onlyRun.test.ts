import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";
import { checkCertificate } from "../../../src/proof/checkCertificate.ts";
import { startCheckers } from "../../../src/proof/checkObligations.ts";
import { onlyRun } from "../../../src/proof/onlyRun.ts";

const around = (body: string) => `
  #include <stdlib.h>
  #include <stdio.h>
  #include <time.h>
  extern void reach_error(void);
  extern int __VERIFIER_nondet_int(void);
  ${body}`;
const load = (body: string) => loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });

async function decide(body: string, property: Property = "assert") {
  const program = await load(body);
  const options = { property, engines: null, solver: "auto", seed: 1, milliseconds: 20_000, run: {} } as const;
  return { program, ...verifyProgram(program, options) };
}

const fib = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }";

describe("a program with only one run", () => {
  it("is decided by it, with a certificate that is checked by making it again", async () => {
    const { program, verdict } = await decide(`${fib} int main(void) { if (fib(12) != 144) reach_error(); return 0; }`);
    if (verdict.kind !== "safe") throw new Error(verdict.kind);
    const { certificate } = verdict;
    expect(certificate.kind).toBe("run");
    const options = { property: "assert", checkers: () => startCheckers() } as const;
    expect(checkCertificate(program, certificate, options).kind).toBe("proved");
    for (const wrong of [
      { ...certificate, depth: certificate.depth - 1 },
      { ...certificate, depth: certificate.depth + 1 },
      { ...certificate, invariants: new Map([["main:1", ["true"]]]) },
    ]) {
      expect(checkCertificate(program, wrong, options)).toMatchObject({ kind: "refused", isWrong: true });
    }
    const failing = await load(`${fib} int main(void) { if (fib(12) == 144) reach_error(); return 0; }`);
    expect(checkCertificate(failing, certificate, options).kind).toBe("refused");
  });

  it("fails if the run does", async () => {
    const { verdict } = await decide(`${fib} int main(void) { if (fib(12) == 144) reach_error(); return 0; }`);
    expect(verdict).toMatchObject({ kind: "unsafe", engine: "runs" });
  });

  it("is safe on no condition but that there is memory", async () => {
    const { verdict } = await decide(
      "int main(void) { int *p = malloc(4); *p = 1; if (*p != 1) reach_error(); return 0; }",
    );
    expect(verdict).toMatchObject({ kind: "safe", assumptions: [{ behaviour: "failed-allocation" }] });
  });

  // Each has other runs, or one that is another on another machine.
  it.each([
    "int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }",
    "int main(void) { int x; if (x == 5) reach_error(); return 0; }",
    "int main(void) { int a[2]; if (a[1] == 5) reach_error(); return 0; }",
    "int main(void) { int *p = malloc(4); if (*p == 5) reach_error(); return 0; }",
    "int main(int n, char **words) { if (n == 5) reach_error(); return 0; }",
    "int main(void) { int x; if ((unsigned long)&x % 64 == 4) reach_error(); return 0; }",
    "int main(void) { int a[4], b[4]; if (a + 4 == b) reach_error(); return 0; }",
    "int main(void) { int x; union { int *p; unsigned long n; } u; u.p = &x; if (u.n == 64) reach_error(); return 0; }",
    "int main(void) { if (time(0) == 5) reach_error(); return 0; }",
    "int main(void) { if (rand() == 5) reach_error(); return 0; }",
    "int main(void) { if (getchar() == 5) reach_error(); return 0; }",
    'int main(void) { if (getenv("HOME") == 0) reach_error(); return 0; }',
    'int main(void) { if (printf("x") != 1) reach_error(); return 0; }',
  ])("is never taken for one with only one run: %s", async (body) => {
    expect(onlyRun(await load(body), { property: "assert" }, { maxSteps: 10_000 })).toBeNull();
  });

  it("shows nothing of properties that runs do not decide, and nothing behind undefined behaviour", async () => {
    const program = await load("int main(void) { return 0; }");
    for (const property of ["bounds", "null", "uninitialised", "all"] as const) {
      expect(onlyRun(program, { property }, { maxSteps: 1000 })).toBeNull();
    }
    const { verdict } = await decide(
      "int main(void) { int zero = 0; if (1 / zero) return 1; reach_error(); return 0; }",
    );
    expect(verdict).not.toMatchObject({ kind: "safe", assumptions: [] });
  });
});
