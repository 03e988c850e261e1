import { expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

it("makes a continuing call of strtok depend on the call before it", async () => {
  const text = `#include <string.h>
int main(void) {
  char a[] = "x y z", b[] = "u v";
  char *t = strtok(a, " ");
  t = strtok(NULL, " ");
  t = strtok(NULL, " ");
  t = strtok(b, " ");
  return t == NULL;
}`;
  const graph = dependenceGraph(recordTrace(await loadCText("p.c", text, { preprocess: "builtin" })));
  const steps = Array.from({ length: graph.end - graph.first }, (_, i) => graph.first + i).filter(
    (step) => graph.edge(step).operation.kind === "callLibrary",
  );
  const before = steps.map((step) => {
    const writers = graph.dependences({ step, part: 0 }).filter(({ kind }) => kind === "data");
    return steps
      .filter((other) => writers.some((writer) => writer.step === other))
      .map((other) => steps.indexOf(other));
  });
  expect(before.map((calls) => calls.at(-1))).toEqual([undefined, 0, 1, undefined]);
});
