import { describe, expect, it } from "vitest";
import { runExperiments } from "../../../../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

const source = `static int find(const int *a, int n, int x) {
  int lo = 0, hi = n - 1;
  while (lo <= hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] == x) return mid;
    if (a[mid] > x) hi = mid - 1;
  }
  return -1;
}
int main(void) {
  int a[5] = {1, 3, 5, 7, 9};
  return find(a, 5, 9);
}
`;

describe("a run that a limit ended", () => {
  it.each([400, 19_990, 20_002, 30_001])("is experimented with up to its end: %i steps", async (maxSteps) => {
    const trace = recordTrace(await loadCText("p.c", source), { maxSteps });
    expect(trace.outcome.kind).toBe("limit");
    const { suspects } = runExperiments(dependenceGraph(trace));
    expect(suspects.map(({ range }) => range.line)).toContain(6);
  });
});

it("is told to have needed more memory than the limit", async () => {
  const program = await loadCText(
    "p.c",
    "#include <stdlib.h>\nint main(void) {\n  for (int i = 0;; i++)\n    if (malloc(100000) == NULL) return i;\n}\n",
    { preprocess: "builtin" },
  );
  const { failure } = whysOf(recordTrace(program, { maxMemory: 1_000_000 }));
  expect(failure.message).toMatch(
    /^needs more memory than the limit after \d+ steps: the loop at line 4 is in round \d+/,
  );
});
