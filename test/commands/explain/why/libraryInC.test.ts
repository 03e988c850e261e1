import { expect, it } from "vitest";
import { runExperiments } from "../../../../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

const source = `#include <assert.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void) {
  int all[] = { 3, 1, 2 };
  qsort(all, 3, sizeof *all, order);
  assert(all[0] == 1);
  return 0;
}
`;

it("passes through library functions written in C without showing or suspecting their lines", async () => {
  const trace = recordTrace(await loadCText("p.c", source));
  const graph = dependenceGraph(trace);
  const files = whysOf(trace).graph.nodes.map(({ location }) => location.file);
  expect(files.length).toBeGreaterThan(2);
  expect(new Set(files)).toEqual(new Set(["p.c"]));
  const { suspects } = runExperiments(graph, {});
  expect(suspects[0]?.range).toMatchObject({ file: "p.c", line: 3 });
  expect(suspects.every(({ range }) => range.file === "p.c")).toBe(true);
});
