import { describe, expect, it } from "vitest";
import { shrinkChoices } from "./shrinkChoices.ts";

describe("shrinkChoices", () => {
  it("finds the two numbers that matter", async () => {
    const start = [...Array(200).keys()].map((i) => (i * 7919) % 1000);
    const fails = async (c: readonly number[]) => c.some((x) => x > 900) && c.some((x) => x >= 37 && x < 500);
    const result = await shrinkChoices(start, fails, 5000);
    expect([...result].sort((a, b) => a - b)).toEqual([37, 901]);
  });

  it("stops when its budget is used up", async () => {
    let calls = 0;
    await shrinkChoices([...Array(100).keys()], async () => ++calls < 0, 10);
    expect(calls).toBe(10);
  });
});
