import { describe, expect, it } from "vitest";
import { chooseTest } from "../../../../src/commands/explain/failingTest/chooseTest.ts";
import { describeError, type TestOutcome } from "../../../../src/js/runners/runner.ts";

const test = (name: string, state: TestOutcome["state"]): TestOutcome => ({
  id: { file: "a.test.ts", name, project: "" },
  state,
  milliseconds: 1,
  error: state === "failed" ? describeError(new Error("m")) : null,
});

describe("which test is meant", () => {
  it("is the failing one, by its own name, with its suites, or by a part of it", () => {
    const tests = [test("a > x", "passed"), test("b > x", "failed"), test("b > x and y", "failed")];
    const chosen = (name: string | null) => chooseTest(name, { tests, problems: [] }, "").id.name;
    expect(chosen("x")).toBe("b > x");
    expect(chosen("b > x and y")).toBe("b > x and y");
    expect(chosen("b x and y")).toBe("b > x and y");
    expect(chosen("and")).toBe("b > x and y");
    expect(chosen(null)).toBe("b > x");
  });

  const broken = { file: "a.test.ts", error: describeError(new Error("Unexpected token")) };
  it.each([
    { what: "it passes", tests: [test("a > x", "passed")], problems: [], code: "TF126" },
    { what: "it passes beside a broken file", tests: [test("a > x", "passed")], problems: [broken], code: "TF126" },
    { what: "it does not exist", tests: [test("a > y", "skipped")], problems: [], code: "TF128" },
    { what: "the runner found nothing", tests: [], problems: [], code: "TF127" },
    { what: "the file does not compile", tests: [], problems: [broken], code: "TF127" },
  ])("says so if $what", ({ tests, problems, code }) => {
    expect(() => chooseTest("x", { tests, problems }, "Error: cannot start")).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
