import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { cancelledAtLook } from "../../support/cancelledAtLook.ts";
import { provedReport as explain } from "../../support/provedReport.ts";

const text = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int sum = 0, twice = 0, odd = 0;
  for (int i = 0; i < n; i++) sum++;
  twice = sum + sum;
  odd = twice + 1;
  if (odd > 20) odd = odd - n;
  assert(odd != 12);
}
`;

describe("an explanation that is interrupted anywhere", () => {
  it("reports what is known and what is missing, and never calls it proved", async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const run = { inputs: [11n] };
    const kinds = new Set<string>();
    for (let looks = 1, isDone = false; !isDone; looks = Math.ceil(looks * 1.35)) {
      const cancellation = cancelledAtLook(looks);
      const report = explain(program, { run, cancellation, checkers: ["z3"], solver: { backend: "z3" } });
      isDone = cancellation.looked() <= looks;
      expect(report.outcome).toMatchObject({ kind: "assertion", message: "assertion failed: odd != 12" });
      const [unknown, ...others] = report.unknowns;
      expect(report.status === "ok").toBe(unknown === undefined);
      expect(others).toEqual([]);
      if (unknown === undefined) {
        expect(report.proof.checked).toBe(true);
        continue;
      }
      expect(unknown.reason).toMatch(/^the work was interrupted: /);
      for (const part of unknown.reason.replace(/^.*?: /, "").split(", ")) kinds.add(part);
      expect(unknown.reason.includes("the proof is not checked")).toBe(!report.proof.checked);
      expect(unknown.reason.includes("which statements matter")).toBe(report.steps.length === 0);
    }
    // How often somebody who waits for a solver looks depends on how long it takes, so not every window is met each time.
    expect([...kinds]).toEqual(
      expect.arrayContaining(["it is not proved which statements matter", "the proof is not checked"]),
    );
    expect(kinds.size).toBeGreaterThan(3);
  });
});
