import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { sequenceOf } from "./campaign.ts";
import { generateClaimProgram } from "./claimProgram.ts";
import { findFailingRun } from "./failingRun.ts";

const seeds = [...Array(25).keys()];

describe("programs for claims", () => {
  it("are the same for the same seed, and fail with the inputs that are found", async () => {
    let failing = 0;
    for (const seed of seeds) {
      const [one, other] = [generateClaimProgram(sequenceOf(seed)), generateClaimProgram(sequenceOf(seed))];
      expect(one.text([])).toBe(other.text([]));
      if (one.features.includes("errno")) continue;
      const run = await findFailingRun(one);
      expect(await findFailingRun(other)).toEqual(run);
      if (run === null) continue;
      failing++;
      const program = await loadCText("program.c", run.text, { preprocess: "builtin" });
      const { outcome } = runProgram(program, { inputs: run.inputs });
      expect(["assertion", "abort", "error-location", "undefined-behaviour"]).toContain(outcome.kind);
    }
    expect(failing).toBeGreaterThan(15);
  });

  it("cover many features", () => {
    const features = new Set([...Array(400).keys()].flatMap((seed) => generateClaimProgram(sequenceOf(seed)).features));
    expect(features.size).toBeGreaterThan(15);
  });
});
