import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { exploreProgram } from "../../../src/commands/explore/pipeline.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { hasTool } from "../../support/tools.ts";

const programs = {
  branches: `int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), way = 0;
  if (a > 10) way += 1;
  if (b == a * 3) way += 2;
  if (b < -5 && a != 0) way += 4;
  printf("%d %d\\n", way, a / 7);
  return 0;
}`,
  loop: `int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0, odd = 0;
  __VERIFIER_assume(n >= 0 && n <= 3);
  for (int i = 0; i < n; i++) { int x = __VERIFIER_nondet_int() % 50; if (x & 1) odd++; else sum += x; }
  printf("%d %d\\n", sum, odd);
  return 0;
}`,
  machine: `int main(void) {
  unsigned state = 1, seen = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    switch (state) {
      case 1: state = c == 'a' ? 2 : 1; break;
      case 2: state = c >= 200 ? 3 : 1; break;
      default: state = 1; seen++;
    }
  }
  printf("%u %u\\n", state, seen);
  return 0;
}`,
};

const header = `#include <stdio.h>
extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); void __VERIFIER_assume(int);
`;
const stubs = `#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void) { long long x = 0; if (scanf("%lld", &x) != 1) exit(99); return (int)x; }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)__VERIFIER_nondet_int(); }
void __VERIFIER_assume(int c) { if (!c) exit(98); }
`;

describe.skipIf(!hasTool("gcc"))("tests that exploration writes", () => {
  it.each(Object.entries(programs))("%s: each replays in the interpreter and under gcc", async (_name, body) => {
    const text = header + body;
    const program = await loadCText("p.c", text);
    const { tests, isComplete } = exploreProgram(program, {
      goal: { kind: "cover", unit: "branches" },
      ...{ mode: "classic", searcher: "bfs", seed: 1, runs: 0, maxStates: 3000, maxDepth: 200 },
      ...{ all: false, wholeTree: true, run: {}, cancellation: neverCancelled },
    });
    expect(isComplete).toBe(true);
    expect(tests.length).toBeGreaterThan(3);
    const folder = mkdtempSync(join(tmpdir(), "tracefold-replay-"));
    try {
      writeFileSync(join(folder, "p.c"), text);
      writeFileSync(join(folder, "stubs.c"), stubs);
      execFileSync("gcc", ["-w", "-O1", "-o", "p", "p.c", "stubs.c"], { cwd: folder });
      const outputs = new Set<string>();
      for (const inputs of tests) {
        const { stdout, outcome } = runProgram(program, { inputs });
        expect(outcome.kind).toBe("exit");
        const ours = Buffer.from(stdout).toString();
        expect(execFileSync(join(folder, "p"), { input: inputs.join("\n"), encoding: "utf8" })).toBe(ours);
        outputs.add(ours);
      }
      expect(outputs.size).toBeGreaterThan(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
