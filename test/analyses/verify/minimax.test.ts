import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { branches, computedState, infeasiblePath, lockAndFlag, oneRound } from "./programs.ts";

async function plain(text: string, interpolation = true) {
  const program = await loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });
  return verifyProgram(program, {
    ...{ property: "assert", engines: ["minimax"], solver: "auto", seed: 1, milliseconds: 120_000, run: {} },
    interpolation,
  });
}

describe("minimax alone", () => {
  for (const [name, text, states] of [
    ["paths that exclude each other", infeasiblePath, 30],
    ["a lock and a flag: one constraint is locked, one round unrolled", lockAndFlag, 60],
    ["one round through the loop is enough", oneRound, 30],
  ] as const) {
    it(name, async () => {
      const { verdict, tree } = await plain(text);
      if (verdict.kind !== "safe") throw new Error(verdict.kind);
      expect(verdict.engine).toBe("minimax");
      // The counters of the lock may overflow.
      const conditions = new Set(verdict.assumptions.map(({ behaviour }) => behaviour));
      expect([...conditions]).toEqual(text === lockAndFlag ? ["signed-overflow"] : []);
      expect(tree!.states).toBeLessThan(states);
    });
  }

  it("finds an existing error", async () => {
    expect((await plain(infeasiblePath.replace("x > 5", "x > 4"))).verdict.kind).toBe("unsafe");
    expect((await plain(lockAndFlag.replace("flag = 1", "flag = 0"))).verdict.kind).toBe("unsafe");
  });

  for (const [name, family] of [
    ["sums", branches],
    ["a computed state", computedState],
  ] as const) {
    it(`visits a number of states that grows with n, not with the number of paths: ${name}`, async () => {
      const counts: number[] = [];
      for (const n of [3, 6, 9]) {
        const { verdict, tree } = await plain(family(n));
        expect(verdict.kind).toBe("safe");
        counts.push(tree!.states);
      }
      expect(counts[2]! - counts[1]!).toBeLessThanOrEqual(counts[1]! - counts[0]! + 2);
    });
  }

  it("visits more states without interpolation", async () => {
    const [learning, forgetting] = [await plain(branches(4)), await plain(branches(4), false)];
    expect(forgetting.tree!.states).toBeGreaterThan(2 * learning.tree!.states);
  });
});
