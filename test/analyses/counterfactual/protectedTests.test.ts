import { expect, test } from "vitest";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import type { SuspectedLine } from "../../../src/analyses/counterfactual/suspect.ts";
import { budgetOf } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { changeKinds } from "../../../src/changes/kinds.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { changesOf } from "../../../src/languages/loadProject.ts";

async function suspectsOf(text: string): Promise<readonly SuspectedLine[]> {
  const program = await loadCText("a.c", text, {
    preprocess: "builtin",
    keeps: (name: string) => name.startsWith("test"),
  });
  const trace = recordTrace(program, { expected: { exit: 0 } });
  const graph = dependenceGraph(trace);
  return runExperiments(graph, { changes: changesOf(program), budget: budgetOf(5_000_000) }).suspects;
}

/** The functions on whose lines the run is told to pass, best first. */
async function passingIn(text: string): Promise<readonly string[]> {
  const suspects = await suspectsOf(text);
  const told = suspects.filter(({ flip, value, changes }) =>
    [flip, value, ...changes].some((whatIf) => whatIf?.level === "passes" && !whatIf.avoids),
  );
  return [...new Set(told.map((suspect) => suspect.function.name))];
}

const half = "static int half(int x) { return x / 2 + (x > 100); }\n";

test("no change leaves out the test that fails", async () => {
  const tests = `#include <assert.h>
${half}
static void test_small(void) { assert(half(4) == 2); }
static void test_large(void) { assert(half(400) == 200); }
static void test_odd(void) { assert(half(3) == 1); }
int main(void) { test_small(); test_large(); test_odd(); return 0; }
`;
  expect(await passingIn(tests)).toEqual(["half"]);
});

test("nor one in a function that calls a check, whatever it is called", async () => {
  const checks = `#include <assert.h>
${half}
static void same(int a, int b) { assert(a == b); }
static void small(void) { same(half(4), 2); }
static void large(void) { same(half(400), 200); }
static void odd(void) { same(half(3), 1); same(half(1), 0); }
int main(void) { small(); large(); odd(); return 0; }
`;
  expect(await passingIn(checks)).toEqual(["half"]);
});

test("nor one of the answers that make the exit status", async () => {
  const answers = `${half}
static int small(void) { return half(4) == 2; }
static int large(void) { return half(400) == 200; }
int main(void)
{
  int failed = 0;
  if (!small()) failed++;
  if (!large()) failed++;
  if (failed > 0) return 1;
  return 0;
}
`;
  expect(await passingIn(answers)).toEqual(["half"]);
});

test("nor the call that crashes, although others come to the same place", async () => {
  const calls = `#include <stdlib.h>
struct list { int value; struct list *next; };
static int at(struct list *list, int index)
{
  while (index >= 0) { list = list->next; index--; }
  return list->value;
}
int main(void)
{
  struct list c = {3, NULL}, b = {2, &c}, a = {1, &b};
  at(&a, 1);
  at(&b, 1);
  at(&a, 0);
  at(&a, 0);
  return 0;
}
`;
  const suspects = await suspectsOf(calls);
  const inMain = suspects.filter((suspect) => suspect.function.name === "main");
  const changes = inMain.flatMap((suspect) => suspect.changes.filter(({ level }) => level === "passes"));
  expect(changes.map(({ change }) => changeKinds[change.kind].how).filter((how) => how !== "replaced")).toEqual([]);
  expect(await passingIn(calls)).toContain("at");
});
