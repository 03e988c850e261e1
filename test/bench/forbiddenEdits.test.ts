import { expect, test } from "vitest";
import { forbidsOf } from "../../bench/mutants/editKind.ts";
import { mutationsOf } from "../../bench/mutants/mutate.ts";
import { mutatedText } from "../../bench/mutants/mutation.ts";
import { cChanges } from "../../src/c/cFrontEnd.ts";
import { applyEdits } from "../../src/changes/change.ts";
import { projectOf } from "../../src/frontEnd/project.ts";

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

/** The texts that allowed and forbidden changes of a mutant lead to. */
async function changes(description: string) {
  const mutation = (await mutationsOf({ path: "sum.c", text })).find((each) => each.description === description)!;
  const mutated = mutatedText(text, mutation);
  const forbids = forbidsOf(mutation.forbidden);
  const project = projectOf([{ path: "sum.c", text: mutated }]);
  const proposed = cChanges({ preprocess: "builtin" }).propose(project, { executed: () => true });
  const results = (isForbidden: boolean) =>
    proposed.filter((each) => forbids(each) === isForbidden).map(({ edits }) => applyEdits(mutated, edits));
  return { tried: results(false), refused: results(true) };
}

for (const description of ["i < n -> i <= n", "s + a[i] -> s - a[i]", "0 -> 1", "i++ -> i--"]) {
  test(`forbids the change that undoes ${description}`, async () => {
    const { tried, refused } = await changes(description);
    expect(refused).toContain(text);
    expect(tried).not.toContain(text);
    expect(tried.length).toBeGreaterThan(100);
  });
}
