import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { recordedIn } from "./exampleProject.ts";

describe("a tagged template in recorded code", () => {
  it("is followed as a call", async () => {
    const { files, calls } = await recordedIn("test/fixtures/recorded", "tagged > follows the function of a template");
    const lowered = lowerTest(files, calls)!;
    expect(lowered.comparison.mismatch).toBeNull();
    expect(lowered.trace.outcome.kind).toBe("assertion");
    expect(lowered.lowered.program.functions.map(({ name }) => name)).toContain("outdent");
    expect(lowered.demoted.size).toBe(0);
  });
});
