import { describe, expect, it } from "vitest";
import { askLongRun } from "../support/longRun.ts";
import { hasTool } from "../support/tools.ts";

describe.skipIf(!hasTool("chromium"))("the page of a million steps", () => {
  it("is below 20 MB, and answers about any of them", async () => {
    const { steps, bytes } = await askLongRun(111_000);
    expect(steps).toBeGreaterThan(990_000);
    expect(bytes).toBeLessThan(20_000_000);
  });
});
