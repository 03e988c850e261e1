import { describe, expect, it } from "vitest";
import { asFoldedLoop } from "../../src/analyses/compress/fold.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { claimOf } from "../../src/proof/claim.ts";
import { proveRun } from "../../src/proof/proveRun.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { compressText } from "../support/compressed.ts";
import { provedReport as explain } from "../support/provedReport.ts";

const ring = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int head = 0;
  while (__VERIFIER_nondet_int() != 0) head = (head + 1) % 8;
  assert(head != 4);
}`;

const turnsBack = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 7;
  while (__VERIFIER_nondet_int() != 0) { x = x + 3; if (x > 1000) x = 0; }
  assert(x != 37);
}`;

const rounds = (count: number) => [...Array<bigint>(count).fill(1n), 0n];

describe("loops whose variables alone are not enough are folded with their rounds counted", () => {
  it.each([
    ["a position in a ring", ring, 12, 12],
    ["a position in a ring, after many rounds", ring, 8004, 8004],
    ["a value that only few rounds keep from turning back", turnsBack, 10, 10],
  ])("%s", async (_, text, count, expected) => {
    const { compressed, proof, symbols } = await compressText(text, rounds(count));
    expect(compressed.folds).toHaveLength(1);
    const fold = asFoldedLoop(symbols, compressed.folds[0]!);
    expect(fold.rounds).toBe(expected);
    expect(proof.checked).toBe(true);
  });

  it("lets the checker count for itself, and refuses what holds only with another count", async () => {
    const { trace, compressed, symbols } = await compressText(ring, rounds(12));
    const claim = claimOf(symbols, asFoldedLoop(symbols, compressed.folds[0]!));
    expect(proveRun(runOf(trace), [claim]).checked).toBe(true);
    const tampered = claim.invariants.map(({ at, formulas }) => ({
      at,
      formulas: formulas.map((formula) => formula.replaceAll(" 8)", " 4)")),
    }));
    // Every fourth round: it is kept all the same, but says less than what is needed.
    expect(proveRun(runOf(trace), [{ ...claim, invariants: tampered }]).checked).toBe(false);
  });

  it("claims other runs with the same number of rounds only, and the invariant for this run only", async () => {
    const program = await loadCText("ring.c", ring);
    const { inputCondition, loops } = explain(program, { run: { inputs: rounds(4) } });
    const formulas = [1, 2, 3, 4].map((k) => `input ${k} != 0`);
    expect(inputCondition).toMatchObject({ claims: "total", proved: true, formulas: [...formulas, "input 5 == 0"] });
    expect(inputCondition.text).toBe("fails the same way whenever inputs 1 to 4 != 0 && input 5 == 0");
    expect(loops[0]!.rounds).toBe(4);
    for (const { onlyThisRun } of loops[0]!.invariant) expect(onlyThisRun).toBe(true);
  });
});
