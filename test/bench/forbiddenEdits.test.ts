import { expect, test } from "vitest";
import { forbidsOf } from "../../bench/mutants/editKind.ts";
import { mutationsOf } from "../../bench/mutants/mutate.ts";
import { mutatedText } from "../../bench/mutants/mutation.ts";
import type { Edit } from "../../src/analyses/counterfactual/edit.ts";
import { runExperiments } from "../../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

const text = `#include <assert.h>
static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s = s + a[i];
  return s;
}
int main(void) {
  int a[4] = { 4, 3, 2, 1 };
  assert(sum(a, 3) == 9);
  return 0;
}
`;

/** The edits that are tried of a mutant, and those that are refused. */
async function edits(description: string) {
  const mutation = (await mutationsOf({ path: "sum.c", text })).find((each) => each.description === description)!;
  const mutated = mutatedText(text, mutation);
  const forbids = forbidsOf(mutation.forbidden, mutated);
  const [tried, refused]: [Edit[], Edit[]] = [[], []];
  runExperiments(dependenceGraph(recordTrace(await loadCText("sum.c", mutated))), {
    forbids: (edit, range) => {
      const isForbidden = forbids(edit, range);
      (isForbidden ? refused : tried).push(edit);
      return isForbidden;
    },
  });
  return { tried, refused };
}

test("forbids comparisons at a changed comparison", async () => {
  const { tried, refused } = await edits("i < n -> i <= n");
  expect(refused).toContainEqual(expect.objectContaining({ kind: "comparison", to: "<" }));
  expect(tried.map(({ kind }) => kind)).not.toContain("comparison");
  expect(tried.map(({ kind }) => kind)).toContain("constant");
});

test("forbids the operator that would undo a changed sum", async () => {
  const { tried, refused } = await edits("s + a[i] -> s - a[i]");
  expect(refused).toContainEqual(expect.objectContaining({ kind: "operator", to: "+" }));
  expect(tried).not.toContainEqual(expect.objectContaining({ kind: "operator", to: "+" }));
});

test("forbids the constant and the value that would undo a changed constant", async () => {
  const { tried, refused } = await edits("0 -> 1");
  expect(refused).toContainEqual(expect.objectContaining({ kind: "constant" }));
  expect(tried.map(({ kind }) => kind)).not.toContain("constant");
});

test("forbids the operator and the constant that would undo `i--`", async () => {
  const { refused } = await edits("i++ -> i--");
  const places = refused.filter((edit) => edit.kind === "operator" || edit.kind === "constant");
  expect(places).not.toEqual([]);
  expect(refused).toContainEqual(expect.objectContaining({ kind: "operator", to: "+" }));
});
