import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EngineName, emptyKnowledge } from "../../../src/analyses/verify/engine.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { assertAgreesWithRuns } from "../../../src/commands/verify/confirmRun.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";
import { checkCertificate } from "../../../src/proof/checkCertificate.ts";
import { startCheckers } from "../../../src/proof/checkObligations.ts";
import { exhaustiveVerdict } from "./exhaustive.ts";
import { generateTask, taskChoices } from "./generateTask.ts";

const load = (text: string) => loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });

async function decide(text: string, property: Property = "assert", engines: readonly EngineName[] | null = null) {
  const program = await load(text);
  const options = { property, engines, solver: "auto", seed: 1, milliseconds: 60_000, run: {} } as const;
  return { program, ...verifyProgram(program, options) };
}

const summing = `
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) { s += 2; i++; }
  if (s != 2 * n) reach_error();
  return 100 / (n + 1);
}`;

describe("verify", () => {
  it("proves a loop safe for every number of rounds, with a certificate", async () => {
    const { verdict } = await decide(summing);
    expect(verdict).toMatchObject({ kind: "safe", assumptions: [] });
  });

  it("refuses certificates that say something else", async () => {
    const { program, verdict } = await decide(summing);
    if (verdict.kind !== "safe") throw new Error(verdict.kind);
    const { certificate } = verdict;
    const check = (invariants: ReadonlyMap<string, readonly string[]>) =>
      checkCertificate(
        program,
        { ...certificate, invariants },
        { property: "assert", checkers: () => startCheckers() },
      );
    const [[head, conjuncts]] = [...certificate.invariants] as [[string, readonly string[]]];
    expect(check(certificate.invariants).kind).toBe("proved");
    expect(check(new Map([[head, []]])).kind).toBe("refused");
    for (const [i, conjunct] of conjuncts.entries()) {
      const others = conjuncts.filter((_, k) => k !== i);
      expect(check(new Map([[head, [...others, `(not ${conjunct})`]]])).kind).toBe("refused");
    }
    expect(check(new Map([[head, ["false"]]])).kind).toBe("refused");
  });

  it("reports a certificate that a run contradicts as a defect", async () => {
    const { model, verdict } = await decide(summing);
    if (verdict.kind !== "safe" || model === null) throw new Error(verdict.kind);
    const [head] = model.heads.values();
    const values = head!.live.map(() => 7n);
    const knowledge = {
      ...emptyKnowledge(model),
      visits: new Map([[head!.key, [{ head: head!.key, step: 1, values }]]]),
    };
    expect(() => assertAgreesWithRuns(model, verdict.certificate, emptyKnowledge(model))).not.toThrow();
    expect(() => assertAgreesWithRuns(model, verdict.certificate, knowledge)).toThrow(/but a run has there at step 1/);
  });

  it("counts undefined behaviour in the last statement of main", async () => {
    const text = summing.replace("n + 1", "n - 7");
    expect((await decide(text, "div-by-zero")).verdict.kind).toBe("unsafe");
    expect((await decide(summing, "div-by-zero")).verdict.kind).toBe("safe");
  });

  it("never calls recursion safe that may fail", async () => {
    const text = `
      extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
      int f(int n) { if (n == 77777) reach_error(); return n <= 0 ? 0 : f(n - 1); }
      int main(void) { f(__VERIFIER_nondet_int() % 64); return 0; }`;
    expect((await decide(text)).verdict).toMatchObject({ kind: "unknown", reasons: [{ reason: "a recursive call" }] });
  });

  // No run finds these errors: the inputs that lead to them are too rare.
  const rare = `
    #include <stdlib.h>
    #include <string.h>
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
      int rare = a > 1000 && a < 100000 && b == a * 7 + 13;`;

  it.each<[Property, string]>([
    ["null", "void (*f)(void) = 0; if (rare) f(); return 0;"],
    ["null", 'char d[4], *p = d, s[4] = "abc"; if (rare) p = 0; memcpy(p, s, 4); return 0;'],
    ["bounds", 'char d[4]; strcpy(d, rare ? "abcdefgh" : "abc"); return 0;'],
    ["bounds", "char d[4], s[20] = {0}; memcpy(d, s, rare ? 5 : 4); return 0;"],
    [
      "bounds",
      "unsigned n = b & 31; char *m = malloc(n + 1); if (m == 0) return 0; m[rare ? n + 1 : n] = 1; return 0;",
    ],
    ["bounds", "unsigned n = (b & 31) + 1; char v[n]; v[0] = 1; if (rare) v[n] = 1; return v[0];"],
  ])("never calls code safe that is not encoded: %s: %s", async (property, body) => {
    const { verdict } = await decide(`${rare}${body}}`, property, ["unrolling"]);
    expect(verdict.kind).not.toBe("safe");
  });

  it("proves library calls with plain bounds", async () => {
    const { verdict } = await decide(`${rare} char d[4]; memset(d, 0, sizeof d); return d[rare];}`, "bounds");
    expect(verdict.kind).toBe("safe");
  });

  it("assumes that a freed block is not used", async () => {
    const body =
      "int *p = malloc(4); if (p == 0) return 0; *p = 0; if (rare) free(p); if (*p) reach_error(); return 0;";
    const { verdict } = await decide(`${rare}${body}}`, "assert", ["unrolling"]);
    if (verdict.kind === "safe")
      expect(verdict.assumptions.map(({ behaviour }) => behaviour)).toContain("use-after-free");
    else expect(verdict.kind).toBe("unknown");
  });

  // The error comes in the third visit of the head: what begins at a head is one region behind the start.
  it("begins induction over several regions where the start ends", async () => {
    const text = `
      extern void reach_error(void);
      int main(void) {
        char in[4];
        int n = 0;
        in[3] = 0;
        while (in[n]) n++;
        if (n == 2 && in[0] == 'x') reach_error();
        return 0;
      }`;
    const program = await load(text);
    for (const depth of [2, 3, 4]) {
      const certificate = { kind: "inductive", depth, invariants: new Map(), sorts: new Map() } as const;
      const options = { property: "assert", checkers: () => startCheckers() } as const;
      expect(checkCertificate(program, certificate, options).kind).toBe("refused");
    }
    expect((await decide(text, "assert", ["k-induction"])).verdict.kind).not.toBe("safe");
  });

  it("assumes that nothing else changes a volatile variable", async () => {
    const text = `
      extern void reach_error(void);
      volatile int ready; /* volatile */
      int main(void) { ready = 1; if (ready != 1) reach_error(); return 0; }`;
    const { verdict } = await decide(text);
    expect(verdict).toMatchObject({
      kind: "safe",
      assumptions: [{ behaviour: "outside-change", range: { line: 3, column: 7 } }],
    });
  });

  it("forgets writes of an earlier life of a variable", async () => {
    const text = `
      extern void reach_error(void);
      static int f(int first) { int a[2]; if (first) { a[0] = 1; return 1; } return a[0]; }
      int main(void) { f(1); if (f(0) != 1) reach_error(); return 0; }`;
    expect((await decide(text)).verdict.kind).not.toBe("safe");
  });

  // All inputs of these programs can be tried; verdicts.long.ts tries more of them, with each engine alone.
  it("gives generated programs the verdict of all runs", async () => {
    for (const sequence of fc.sample(taskChoices, { seed: 5, numRuns: 4 })) {
      const text = generateTask(sequence);
      const program = await load(text);
      const options = {
        property: "assert",
        engines: null,
        solver: "auto",
        seed: 1,
        milliseconds: 3000,
        run: {},
      } as const;
      const { verdict } = verifyProgram(program, options);
      const truth = exhaustiveVerdict(program, "assert");
      if (truth !== null && verdict.kind !== "unknown") expect(verdict.kind, text).toBe(truth.kind);
    }
  });
});
