import { expect, test } from "vitest";
import { describeChange } from "../../../src/analyses/counterfactual/describeChange.ts";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import { budgetOf } from "../../../src/base/cancellation.ts";
import { cChanges, loadCText } from "../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";

/** All changes that let a run of the function pass, by line, in words. */
async function changes(functions: string, check: string): Promise<ReadonlyMap<number, readonly string[]>> {
  const text = `#include <assert.h>
${functions}
int main(void) { assert(${check}); return 0; }`;
  const { program } = recordTrace(await loadCText("p.c", text, { preprocess: "builtin" }));
  const { suspects } = runExperiments(dependenceGraph(recordTrace(program)), {
    changes: { frontEnd: cChanges({ preprocess: "builtin" }), project: projectOf([{ path: "p.c", text }]) },
    budget: budgetOf(50_000_000),
  });
  return new Map(
    suspects.map(({ range, changes: texts, flip, value }) => {
      const tried = [...texts, ...(flip === null ? [] : [flip]), ...(value === null ? [] : [value])];
      return [
        range.line,
        tried.filter(({ level }) => level === "passes").map((each) => describeChange(program, each).text),
      ];
    }),
  );
}

test("says which operand of which operation changes", async () => {
  const found = await changes(
    `static int last(const int *a, int n) {
  int at = 0;
  for (int i = 0; i < n - 2; i++)
    at = i + 1;
  return a[at];
}
static const int some[4] = {3, 4, 5, 6};`,
    "last(some, 4) == 6",
  );
  expect(found.get(4)).toContain("with `i < n - 1` instead of `i < n - 2`");
  expect(found.get(4)).toContain("with `i <= n - 2` instead of `i < n - 2`");
  expect(found.get(5)).toContain("with `at = i + 2` instead of `at = i + 1`");
  expect(found.get(5)).toContain("with 3 instead of 2 for `at`");
  expect(found.get(6)).toContain("with `return a[at + 1]` instead of `return a[at]`");
  expect(found.get(6)).toContain("with 6 instead of 5 for what it returns");
  expect(found.get(8)).toContain("with `6` instead of `5`");
});

test("gives values the names that the source has for them", async () => {
  const found = await changes(
    `enum colour { RED, GREEN, BLUE };
static enum colour next(enum colour c) {
  if (c == GREEN)
    return RED;
  return BLUE;
}`,
    "next(GREEN) == BLUE",
  );
  expect(found.get(4)).toContain("with `c == BLUE` instead of `c == GREEN`");
  expect(found.get(5)).toContain("with `return BLUE` instead of `return RED`");
});

test("puts parentheses around operands of an operator that binds more tightly", async () => {
  const found = await changes(
    `static int f(int a, int b) {
  return a - b + 3;
}`,
    "f(1, 4) == -9",
  );
  expect(found.get(3)).toContain("with `return (a - b) * 3` instead of `return a - b + 3`");
});
