import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { ArithmeticMode, Property } from "../../../src/cutpoints/obligation.ts";
import { checkCertificate } from "../../../src/proof/checkCertificate.ts";
import { startCheckers } from "../../../src/proof/checkObligations.ts";

const around = (body: string) => `
  #include <limits.h>
  extern int __VERIFIER_nondet_int(void);
  extern unsigned __VERIFIER_nondet_uint(void);
  extern char __VERIFIER_nondet_char(void);
  extern void reach_error(void);
  ${body}`;
const load = (body: string) => loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });

async function decide(body: string, options: { property?: Property; arithmetic?: ArithmeticMode } = {}) {
  const { property = "assert", arithmetic } = options;
  const program = await load(body);
  const settings = { engines: null, solver: "auto", seed: 1, milliseconds: 120_000, run: {} } as const;
  const { verdict } = verifyProgram(program, { property, arithmetic, ...settings });
  if (verdict.kind === "safe") {
    const question = { property, arithmetic, checkers: () => startCheckers() };
    expect(checkCertificate(program, verdict.certificate, question).kind).toBe("proved");
  }
  const conditions = verdict.kind === "safe" ? [...new Set(verdict.assumptions.map(({ behaviour }) => behaviour))] : [];
  return { program, verdict, conditions };
}

const inMain = (statements: string) => `int main(void) { ${statements} return 0; }`;
const wrapping = inMain("int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0) reach_error();");

describe("an overflow of signed arithmetic", () => {
  it("ends the run: what only a wrapped value reaches is no error, and the verdict names the place and a run", async () => {
    const { verdict, conditions } = await decide(wrapping);
    expect(conditions).toEqual(["signed-overflow"]);
    if (verdict.kind !== "safe") throw new Error(verdict.kind);
    expect(verdict.exception?.outcome).toMatchObject({ kind: "undefined-behaviour", problem: "signed-overflow" });
    expect((await decide(wrapping, { property: "overflow" })).verdict.kind).toBe("unsafe");
  });

  it("wraps if that is asked for", async () => {
    expect((await decide(wrapping, { arithmetic: "wrap" })).verdict.kind).toBe("unsafe");
  });

  it("does not happen over unbounded integers, whose certificate says so", async () => {
    const sum = inMain(
      "int i = 0, s = 0; while (__VERIFIER_nondet_int()) { i++; s += 2; } if (s != 2 * i) reach_error();",
    );
    const { program, verdict, conditions } = await decide(sum, { arithmetic: "unbounded" });
    if (verdict.kind !== "safe") throw new Error(verdict.kind);
    expect(conditions).toEqual([]);
    const bounded = { property: "assert", checkers: () => startCheckers() } as const;
    expect(checkCertificate(program, verdict.certificate, bounded)).toMatchObject({ kind: "proved" });
    // It holds of machine integers, but not because they are unbounded.
    const limit = inMain("int x = __VERIFIER_nondet_int(); if (x > INT_MAX - 1 && x != INT_MAX) reach_error();");
    const beyond = await decide(limit, { arithmetic: "unbounded" });
    expect(beyond.verdict.kind).toBe("unknown");
    const inRange = await decide(limit);
    if (inRange.verdict.kind !== "safe") throw new Error(inRange.verdict.kind);
    const { certificate } = inRange.verdict;
    const unbounded = { ...bounded, arithmetic: "unbounded" } as const;
    expect(checkCertificate(inRange.program, certificate, unbounded).kind).toBe("refused");
  });

  it("is excluded by invariants that the error does not need", async () => {
    const { verdict, conditions } = await decide(
      inMain(`int n = __VERIFIER_nondet_int(), s = 0, ok = 1; if (n < 0 || n > 1000) return 0;
        for (int i = 0; i < n; i++) { s += 3; if (ok != 1) reach_error(); }`),
    );
    expect([verdict.kind, conditions]).toEqual(["safe", []]);
  });

  // Errors that come without an overflow, also where one is close.
  it.each([
    "unsigned x = __VERIFIER_nondet_uint(); if (x + 1 == 0) reach_error();",
    "unsigned x = __VERIFIER_nondet_uint(); if (x > 5 && x * 2u < 3u) reach_error();",
    "unsigned x = 0; x--; if (x == UINT_MAX) reach_error();",
    "int x = __VERIFIER_nondet_int(); signed char c = (signed char)x; if (x > 127 && c < 0) reach_error();",
    "signed char c = 127; c++; if (c == -128) reach_error();",
    "short s = 32767; s += 1; if (s < 0) reach_error();",
    "int x = __VERIFIER_nondet_int(); if (x == INT_MAX) reach_error(); x++;",
    "int x = __VERIFIER_nondet_int(); if (x < 0) return 0; if ((unsigned)x * 2u == 4294967294u) reach_error();",
    "int x = __VERIFIER_nondet_int(); unsigned u = x; if (x < 0 && u > 5) reach_error();",
    "int x = __VERIFIER_nondet_int(); if (x != 0 && INT_MIN / x == INT_MIN) reach_error();",
    "int x = INT_MIN; long long y = -(long long)x; if (y == 2147483648LL) reach_error();",
    "int x = __VERIFIER_nondet_int(); if (x > 0 && x < 31 && 1 << x == 1 << 30) reach_error();",
    "int x = __VERIFIER_nondet_int(); if (x < 0 && x >> 1 == -1) reach_error();",
    "int s = 0; for (int i = 0; i < 40; i++) s += i; if (s == 780) reach_error(); s = INT_MAX; s++;",
  ])("hides no error: %s", async (statements) => {
    expect((await decide(inMain(statements))).verdict.kind).toBe("unsafe");
  });

  // Each is an error only where a value wraps.
  it.each([
    ["int x = __VERIFIER_nondet_int(); if (x == INT_MIN && -x == x) reach_error();", "signed-overflow"],
    ["int x = __VERIFIER_nondet_int(); if (x == -1 && INT_MIN / x < 0) reach_error();", "signed-overflow"],
    ["int x = __VERIFIER_nondet_int(); if (x == -1 && INT_MIN % x == 0) reach_error();", "signed-overflow"],
    ["int x = __VERIFIER_nondet_int(); if (x > 70000 && x < 80000 && x * x < 0) reach_error();", "signed-overflow"],
    ["int x = __VERIFIER_nondet_int(); if (x == 30 && 2 << x <= 0) reach_error();", "bad-shift"],
    ["int x = __VERIFIER_nondet_int(); if (x < 0 && x << 1 == 0) reach_error();", "bad-shift"],
    ["int x = __VERIFIER_nondet_int(); int y = x; y += 10; if (y < x) reach_error();", "signed-overflow"],
    ["int a[2]; int x = __VERIFIER_nondet_int(); a[1] = x; a[1]--; if (a[1] > x) reach_error();", "signed-overflow"],
    ["long long x = __VERIFIER_nondet_int(); x *= 4294967296LL; x *= 2; if (x == 1) reach_error();", "signed-overflow"],
  ])("is a condition: %s", async (statements, behaviour) => {
    const { verdict, conditions } = await decide(inMain(statements));
    expect([verdict.kind, conditions]).toEqual(["safe", [behaviour]]);
  });
});
