import { expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { failureRoot, rootEvents } from "../../src/dependence/failureRoot.ts";
import { staleWrites } from "../../src/dependence/missedUpdates.ts";
import { backwardSlice } from "../../src/dependence/slice.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

const box = (again: string) => `#include <assert.h>
struct box { int width, height, area; };
static int area_of(const struct box *b) { return b->width * b->height; }
static void init(struct box *b, int width, int height) {
  b->width = width;
  b->height = height;
  b->area = area_of(b);
}
static void widen(struct box *b, int by) {
  b->width += by;
  ${again}
}
int main(void) {
  struct box a, b;
  init(&a, 2, 3);
  init(&b, 4, 5);
  widen(&a, 1);
  assert(a.area == 9 && b.area == 21);
  return 0;
}
`;

async function staleIn(text: string): Promise<readonly (readonly number[])[]> {
  const graph = dependenceGraph(recordTrace(await loadCText("box.c", text, { preprocess: "builtin" })));
  const found = staleWrites(graph, backwardSlice(graph, rootEvents(failureRoot(graph))));
  return found.map(({ condition, reader, write }) => [
    graph.edge(condition).range.line,
    graph.edge(reader).range.line,
    write.range.line,
  ]);
}

test("reports a field whose source changed since, in another function", async () => {
  expect(await staleIn(box(""))).toEqual([[10, 18, 7]]);
});

test("does not report a field that was computed again, whatever failed", async () => {
  expect(await staleIn(box("b->area = area_of(b);"))).toEqual([]);
});
