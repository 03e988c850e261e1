import { expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { failureRoot, rootEvents } from "../../src/dependence/failureRoot.ts";
import { refusedCall } from "../../src/dependence/missedUpdates.ts";
import { backwardSlice } from "../../src/dependence/slice.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";

const stack = (call: string, count = 3) => `#include <assert.h>
struct stack { int items[2]; int top; };
static int push(struct stack *s, int value) {
  if (s->top >= 2)
    return 0;
  s->items[s->top++] = value;
  return 1;
}
static int pop(struct stack *s) { return s->items[--s->top]; }
int main(void) {
  struct stack s = {.top = 0};
  int pushed = 0;
  for (int i = 1; i <= ${count}; i++)
    ${call};
  int last = pop(&s);
  assert(last == 9);
  return pushed;
}
`;

async function refusedIn(text: string) {
  const graph = dependenceGraph(recordTrace(await loadCText("stack.c", text, { preprocess: "builtin" })));
  const found = refusedCall(graph, backwardSlice(graph, rootEvents(failureRoot(graph))).has);
  if (found === null) return null;
  const line = (step: number) => graph.edge(step).range.line;
  return [line(found.call), line(found.condition), line(found.returned), line(found.reader)];
}

test("finds the call that was refused while nobody looked at its result", async () => {
  expect(await refusedIn(stack("push(&s, i)"))).toEqual([14, 4, 5, 9]);
});

test("does not report a call whose result is used, or that did its work", async () => {
  expect(await refusedIn(stack("pushed += push(&s, i)"))).toBeNull();
  expect(await refusedIn(stack("push(&s, i)", 2))).toBeNull();
});
