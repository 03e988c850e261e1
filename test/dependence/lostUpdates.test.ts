import { expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { failureRoot, rootEvents } from "../../src/dependence/failureRoot.ts";
import { lostUpdates } from "../../src/dependence/lostUpdates.ts";
import { backwardSlice } from "../../src/dependence/slice.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

const shop = (body: string) => `#include <assert.h>
struct item { char name[8]; int price, sold; };
static struct item items[2] = {{"a", 3, 0}, {"b", 5, 0}};
static void sell(int i) {
  ${body}
}
static void cheaper(struct item it, int by) { it.price -= by; }
int main(void) {
  sell(1);
  cheaper(items[0], 1);
  assert(items[1].sold == 1 && items[0].price == 2);
  return 0;
}
`;

/** The lines of the change of a copy and of the step that reads the original. */
async function lostIn(text: string): Promise<readonly (readonly number[])[]> {
  const graph = dependenceGraph(recordTrace(await loadCText("shop.c", text, { preprocess: "builtin" })));
  const found = lostUpdates(graph, backwardSlice(graph, rootEvents(failureRoot(graph))));
  return found.map(({ condition, reader }) => [graph.edge(condition).range.line, graph.edge(reader).range.line]);
}

test("reports a change of a copied struct that the original does not have", async () => {
  expect(await lostIn(shop("struct item it = items[i]; it.sold++;"))).toEqual([[5, 11]]);
});

test("reports the same of a copy in registers", async () => {
  const text = shop("struct item it = items[i]; it.sold++;").replace("char name[8]; ", "").replace('"a", ', "");
  expect(await lostIn(text.replace('"b", ', ""))).toEqual([[5, 11]]);
});

test("reports a change of a parameter, but none that was copied back", async () => {
  expect(await lostIn(shop("struct item it = items[i]; it.sold++; items[i] = it;"))).toEqual([[7, 11]]);
});
