import { describe, expect, it } from "vitest";
import { runExperiments } from "../../../../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { suspectSteps } from "../../../../src/commands/explain/why/suspectSteps.ts";
import { whyOf } from "../../../../src/commands/explain/why/whyGraph.ts";
import { dependenceGraph } from "../../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { changesOf } from "../../../../src/languages/loadProject.ts";

const source = `#include <assert.h>
int main(void) {
  int a = 0, b = 0, sum = 0;
  for (int i = 0; i < 50; i++) a++;
  for (int i = 0; i < 50; i++) b++;
  for (int i = 0; i < 200; i++) sum = 1 - sum;
  assert(a < b);
  return 0;
}
`;

describe("a run of which only the last part is described", () => {
  it("names lines before that part where a change helps", async () => {
    const graph = dependenceGraph(recordTrace(await loadCText("p.c", source)), 300);
    expect(graph.first).toBeGreaterThan(0);
    const { suspects } = runExperiments(graph, { changes: changesOf(graph.trace.program) });
    const named = suspectSteps(whyOf(graph), suspects).map(({ statement, step }) => ({
      statement,
      isSeen: step >= graph.first,
    }));
    expect(named).toContainEqual({ statement: "for (int i = 0; i < 50; i++)", isSeen: false });
    expect(named).toContainEqual({ statement: "int a = 0, b = 0, sum = 0;", isSeen: false });
  });
});
