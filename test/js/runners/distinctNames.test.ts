import { expect, it } from "vitest";
import { distinctNames, type TestOutcome, withDistinctNames } from "../../../src/js/runners/runner.ts";

it("numbers the tests of a file with the same name", () => {
  expect(distinctNames(["a", "b", "a", "a (2)", "a"])).toEqual(["a", "b", "a (3)", "a (2)", "a (4)"]);
  const test = (file: string, name: string): TestOutcome => ({
    ...{ id: { file, name, project: "" }, state: "passed", milliseconds: 0, error: null },
  });
  const run = withDistinctNames({ tests: [test("x", "a"), test("y", "a"), test("x", "a")], problems: [] });
  expect(run.tests.map(({ id }) => `${id.file} ${id.name}`)).toEqual(["x a", "y a", "x a (2)"]);
  expect(withDistinctNames(run)).toEqual(run);
});
