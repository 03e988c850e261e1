import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { recordedExample } from "./exampleProject.ts";

/** The model is a program of its own: it has to compute what the test computed. */
describe("a lowered test does what the recorded one did", () => {
  it.each([
    "ships for nothing from 50 on",
    "finds the median",
    "adds up an invoice",
    "lets an account be used up to its limit",
    "packs what is in stock",
  ])("%s", async (name) => {
    const { files, calls } = await recordedExample(name);
    const lowered = lowerTest(files, calls)!;
    expect(lowered.comparison.mismatch).toBeNull();
    expect(lowered.isFaithful).toBe(true);
    expect(lowered.comparison.values).toBeGreaterThanOrEqual(20);
    expect(lowered.demoted.size).toBe(0);
  });
});
