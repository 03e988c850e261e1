import { expect, it } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { whysOf } from "../../../support/toldWhys.ts";

const source = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; int weight; struct node *next; };
typedef int (*operation)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static operation choose(int which) { return which == 1 ? plus : minus; }
static int *weight_of(struct node *n) { return &n->weight; }
static int count(FILE *in) {
  int n = 0;
  while (fgetc(in) != EOF) n++;
  return n;
}
int main(void) {
  struct node *made = malloc(sizeof *made);
  made->weight = 45;
  int *weight = weight_of(made);
  operation chosen = choose(2);
  int result = chosen(*weight, 1) + count(stdin);
  assert(result == 48);
  return 0;
}
`;

it("names functions, fields of blocks and streams, not pointers", async () => {
  const { graph } = whysOf(recordTrace(await loadCText("p.c", source), { stdin: Buffer.from("ab") }));
  const told = graph.nodes.flatMap(({ values }) => values.map(({ text, value }) => `${text} = ${value}`));
  expect(told).toContain("chosen = minus");
  expect(told).toContain("weight = weight of the node");
  expect(told).toContain("in = stdin");
  expect(told.filter((text) => /a pointer|\$/.test(text))).toEqual([]);
});

it("does not call anything a pointer that has no name", async () => {
  const source = `#include <stdio.h>
int main(void) {
  int n = 3, a[n];
  for (int i = 1; i <= n; i++) scanf("%d", &a[i]);
  return 0;
}
`;
  const stdin = new TextEncoder().encode("1 2 3");
  const { questions, failure } = whysOf(recordTrace(await loadCText("p.c", source), { stdin }));
  expect(questions).toContain("where a[3] comes from");
  expect(failure.condition?.operands).toEqual([]);
});
