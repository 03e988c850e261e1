import { describe, expect, it } from "vitest";
import { chooseTest, type TestResult } from "../../../../src/commands/explain/failingTest/recordFailingTest.ts";

const test = (name: string, status: string): TestResult => ({
  kind: "test",
  file: "a.test.ts",
  name,
  status,
  message: "m",
});

describe("which test is meant", () => {
  it("is the failing one, by its own name or with its suites", () => {
    const results = [test("a > x", "passed"), test("b > x", "failed"), test("b > x and y", "failed")];
    expect(chooseTest("x", results, "").name).toBe("b > x");
    expect(chooseTest("b > x and y", results, "").name).toBe("b > x and y");
    expect(chooseTest("and", results, "").name).toBe("b > x");
  });

  it.each([
    { what: "it passes", results: [test("a > x", "passed")], code: "TF126" },
    { what: "it does not exist", results: [test("a > y", "skipped")], code: "TF128" },
    { what: "the runner wrote nothing", results: null, code: "TF127" },
    {
      what: "the file does not compile",
      results: [{ kind: "file" as const, file: "a.test.ts", message: "Unexpected token" }],
      code: "TF127",
    },
  ])("says so where $what", ({ results, code }) => {
    expect(() => chooseTest("x", results, "Error: cannot start")).toThrow(expect.objectContaining({ code }));
  });
});
