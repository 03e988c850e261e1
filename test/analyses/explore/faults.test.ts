import { describe, expect, it } from "vitest";
import type { ExploredTarget } from "../../../src/analyses/explore/explore.ts";
import { cancelledAtLook } from "../../support/cancelledAtLook.ts";
import { exploreText, statuses } from "../../support/explored.ts";

/** The first assertion fails behind one branch; the second takes all combinations of twelve. */
const program = `int main(void) {
  int a = __VERIFIER_nondet_int(), n = 0;
  if (a == 77777) __VERIFIER_assert(0);
  for (int i = 0; i < 12; i++) { int c = __VERIFIER_nondet_int(); if (c > a) n++; }
  __VERIFIER_assert(n != 13);
}`;

const reasonOf = (target: ExploredTarget | undefined) =>
  target?.status === "unknown" ? target.reason : target?.status;

describe("work that cannot be finished ends with what is known, and a reason for each open target", () => {
  it("survives a solver that dies in the middle, and all later ones", async () => {
    // No other value of one input is found by evaluating.
    const asking = program.replace("c > a", "c % 7 == a % 5");
    const result = await exploreText(asking, { mode: "classic", diesAfter: 30 });
    expect(statuses(result)).toEqual(["reached", "unknown"]);
    expect(result.isComplete).toBe(false);
    expect(reasonOf(result.targets[1])).toBe("not decided: the solver process ended");
    expect(result.failures).toHaveLength(1);
  });

  it.each(["classic", "concolic", "compact", "merged"] as const)("works without any solver: %s", async (mode) => {
    const result = await exploreText(program, { mode, diesAfter: 0 });
    expect(result.targets.map(({ status }) => status)).not.toContain("unreachable");
    for (const target of result.targets) expect(reasonOf(target)).toContain("the solver process ended");
  });

  it("limits the number of states, including open ones", async () => {
    const result = await exploreText(program, { mode: "classic", limits: { maxStates: 200, maxDepth: 500 } });
    expect(statuses(result)).toEqual(["reached", "unknown"]);
    expect(reasonOf(result.targets[1])).toBe("the limit of 200 states was reached");
    expect(result.counts.states).toBeLessThanOrEqual(200);
  });

  it.each(["classic", "concolic", "compact", "merged"] as const)("can be interrupted at any time: %s", async (mode) => {
    const kept: number[] = [];
    for (const looks of [0, 3, 40]) {
      const result = await exploreText(program, { mode, cancellation: cancelledAtLook(looks) });
      for (const target of result.isComplete ? [] : result.targets) {
        if (target.status !== "reached") expect(reasonOf(target)).toBe("it was interrupted");
      }
      kept.push(result.failures.length);
    }
    expect(kept).toEqual([...kept].sort());
  });
});
