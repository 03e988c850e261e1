import { describe, expect, it } from "vitest";
import { lowerTest } from "../../../../src/commands/explain/failingTest/lowerTest.ts";
import { recordedIn } from "./exampleProject.ts";

/** Who leaves a `try` runs its `finally`, in the model as in the language: every value is compared. */
describe("finally in recorded code", () => {
  it.each([
    { name: "counts what was done", outcome: "assertion", demoted: 0 },
    { name: "runs in every round", outcome: "assertion", demoted: 0 },
    { name: "overrides what is returned", outcome: "assertion", demoted: 0 },
    { name: "gives back what it took", outcome: "assertion", demoted: 0 },
    { name: "lets what is thrown pass", outcome: "error-location", demoted: 0 },
  ])("$name", async ({ name, outcome, demoted }) => {
    const { files, calls } = await recordedIn("test/fixtures/recorded", `finally > ${name}`);
    const lowered = lowerTest(files, calls)!;
    expect(lowered.comparison.mismatch).toBeNull();
    expect(lowered.trace.outcome.kind).toBe(outcome);
    expect(lowered.demoted.size).toBe(demoted);
  });
});

describe("rejected promises in recorded code", () => {
  it("are caught by the code that awaits them, and the error that ended the test is explained", async () => {
    const { files, calls } = await recordedIn("test/fixtures/recorded", "rejected > tries again");
    const { trace, comparison, isFaithful } = lowerTest(files, calls)!;
    expect(comparison.mismatch).toBeNull();
    expect(isFaithful).toBe(true);
    expect(trace.outcome).toMatchObject({ kind: "error-location", text: "throw last;" });
  });
});
