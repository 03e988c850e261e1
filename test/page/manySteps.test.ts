import { describe, expect, it } from "vitest";
import { askLongRun } from "../support/longRun.ts";
import { hasTool } from "../support/tools.ts";

describe.skipIf(!hasTool("chromium"))("the page of 10,000 steps", () => {
  it("is below 1 MB, and answers about any of them", async () => {
    const { steps, bytes } = await askLongRun(1_100);
    expect(steps).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(1_000_000);
  });
});
