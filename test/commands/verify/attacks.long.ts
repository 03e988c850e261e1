import { describe, expect, it } from "vitest";
import type { EngineName } from "../../../src/analyses/verify/engine.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/** Programs with an error that is easily overlooked: no engine calls one of them safe. */
const attacks: Record<string, string> = {
  "a loop that is entered in its middle": `int main(void) {
    int i = 0, odd = 0;
    if (__VERIFIER_nondet_int()) goto middle;
  top: odd = 1;
  middle: i++;
    if (i < 7) goto top;
    if (!odd || i == 7) reach_error();
    return 0; }`,
  "entered in its middle, with a state that only one entry has": `int main(void) {
    int s = 0, n = 0;
    if (__VERIFIER_nondet_int()) { s = 5; goto middle; }
  top: s = s * 2 % 11;
  middle: n++;
    if (s == 10 && n == 2) reach_error();
    if (n < 20) goto top;
    return 0; }`,
  "a counter of eight bits": `int main(void) { unsigned char c = 0; int n = 0; while (n < 300) { c++; n++; } if (c == 44) reach_error(); return 0; }`,
  "no inputs, an error in the last round": `int main(void) { int a[40], s = 0; for (int i = 0; i < 40; i++) a[i] = i * i;
    for (int i = 0; i < 40; i++) s += a[i]; if (s == 20540) reach_error(); return 0; }`,
  "two names of one array": `int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 50) return 0; int a[50]; int *p = a;
    for (int i = 0; i < n; i++) a[i] = 1; p[n / 2] = 2; for (int j = 0; j < n; j++) if (a[j] != 1) reach_error(); return 0; }`,
  "a cell behind the part that was written": `int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 50) return 0; int a[51];
    for (int i = 0; i < n; i++) a[i] = 0; for (int j = 0; j <= n; j++) if (a[j] != 0) reach_error(); return 0; }`,
  "cells that wrap": `int main(void) { signed char a[200]; for (int i = 0; i < 200; i++) a[i] = (signed char)i;
    for (int j = 0; j < 200; j++) if (a[j] != j) reach_error(); return 0; }`,
  "an unsigned index that wraps": `int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n > 9) return 0; int a[10]; unsigned i;
    for (i = n; i < 10; i--) a[i] = 3; for (unsigned j = 0; j < 10; j++) if (j <= n + 1 && j < 10 && a[j] != 3) reach_error(); return 0; }`,
  "memory that nothing was written to": `int main(void) { char in[4]; int n = 0; in[3] = 0; while (in[n]) n++; if (n == 2 && in[0] == 'x') reach_error(); return 0; }`,
  "sums that wrap": `int main(void) { unsigned n = __VERIFIER_nondet_int(), s = 0;
    for (int i = 0; i < 3; i++) s += n; if (s != 0 && s / 3 != n) reach_error(); return 0; }`,
  "a sum that fits until the error": `int main(void) { int n = __VERIFIER_nondet_int(), s = 0; if (n < 0) return 0;
    while (s <= 2000000000 - n && n > 0) { s += n; if (s == 1999999998) reach_error(); } s += n; return 0; }`,
};

describe("no engine calls a program with an error safe", () => {
  const engines: readonly EngineName[] = [
    "unrolling",
    "houdini",
    "k-induction",
    "spacer",
    "cells",
    "guarded",
    "minimax",
  ];
  for (const [name, text] of Object.entries(attacks)) {
    it(name, { timeout: 1_800_000 }, async () => {
      const program = await loadCText("task.c", `${declarations}${text}`, {
        preprocess: "builtin",
        uninitialized: "input",
      });
      const options = { property: "assert", solver: "auto", seed: 1, run: {} } as const;
      for (const engine of engines) {
        const { verdict } = verifyProgram(program, { ...options, engines: [engine], milliseconds: 8000 });
        expect([engine, verdict.kind]).not.toEqual([engine, "safe"]);
      }
      expect(verifyProgram(program, { ...options, engines: null, milliseconds: 60_000 }).verdict.kind).toBe("unsafe");
    });
  }
});
