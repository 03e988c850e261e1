import { expect, test } from "vitest";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import { budgetOf } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { changesOf } from "../../../src/languages/loadProject.ts";

const queue = (otherwise: string) => `#include <stdlib.h>
struct node { struct node *next, *prev; int value; };
struct queue { struct node *head, *tail; };
static void push(struct queue *q, int value) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){NULL, q->tail, value};
  if (q->tail != NULL)
    q->tail->next = n;
  else
    q->head = n;
  q->tail = n;
}
static void pop(struct queue *q) {
  struct node *n = q->head;
  q->head = n->next;
  if (q->head != NULL)
    q->head->prev = NULL;
  ${otherwise}
  free(n);
}
int main(void) {
  struct queue q = {NULL, NULL};
  push(&q, 1);
  push(&q, 2);
  pop(&q);
  pop(&q);
  push(&q, 3);
  return q.tail->value - 3;
}
`;

/** The first suspect of a run that used a freed block. */
async function firstSuspect(text: string) {
  const trace = recordTrace(await loadCText("queue.c", text, { preprocess: "builtin" }));
  expect(trace.outcome).toMatchObject({ kind: "undefined-behaviour", problem: "use-after-free" });
  const { suspects } = runExperiments(dependenceGraph(trace), {
    changes: changesOf(trace.program),
    budget: budgetOf(50_000_000),
  });
  return suspects[0]!;
}

test("suspects a branch that skipped the update of a kept pointer, even if no code updates it", async () => {
  const { range, omission, whatIf } = await firstSuspect(queue(""));
  expect([range.line, omission?.write.range.line, whatIf]).toEqual([16, 17, null]);
});

test("suspects, of two branches, the one that skipped the right statement", async () => {
  const { range, omission } = await firstSuspect(queue("if (n->value > 2)\n    q->tail = NULL;"));
  expect(range.line).toBe(18);
  expect(omission?.write.range.line).toBe(19);
});
