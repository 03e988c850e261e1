import { describe, expect, test } from "vitest";
import { describeWhatIf } from "../../../src/analyses/counterfactual/describeChange.ts";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import { budgetOf, neverCancelled } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { changesOf } from "../../../src/languages/loadProject.ts";
import { faultyPrograms } from "./programs.ts";

async function experimentsOn(name: string, maxSteps = 20_000_000, edit = (text: string) => text) {
  const text = edit(faultyPrograms.find((each) => each.name === name)!.text);
  const options = { preprocess: "builtin", keeps: (fn: string) => fn.startsWith("test_") } as const;
  const program = await loadCText(`${name}.c`, text, options);
  const trace = recordTrace(program, { maxSteps: 20_000 });
  return {
    program,
    ...runExperiments(dependenceGraph(trace), { changes: changesOf(program), budget: budgetOf(maxSteps) }),
  };
}

describe("the faulty line is among the first suspects", () => {
  for (const { name, line } of faultyPrograms) {
    test(name, async () => {
      const { suspects } = await experimentsOn(name);
      const lines = suspects.slice(0, 3).map(({ range }) => range.line);
      expect(lines).toContain(line);
    });
  }
});

test("describes the first suspect of the ring buffer", async () => {
  const { program, suspects } = await experimentsOn("ring");
  const { whatIf, range, function: fn } = suspects[0]!;
  expect([fn.name, range.line, describeWhatIf(program, whatIf!)]).toEqual([
    "put",
    7,
    "with `r->count >= SIZE` instead of `r->count > SIZE` the run passes",
  ]);
  expect(suspects[0]!.flip).toMatchObject({ level: "passes", distance: 0, visit: 4 });
});

test("ranks changes that break passing tests later", async () => {
  const { suspects, asked } = await experimentsOn("fee", 50_000_000, (text) =>
    text.replaceAll(/ {2}test_\w+\(\);\n/g, ""),
  );
  expect(asked).toBe(3);
  // On one line, changes that break a test come after those that break none.
  const broken = suspects.map(({ changes }) =>
    changes.filter(({ level }) => level === "passes").map((each) => Math.sign(each.broken.length)),
  );
  for (const line of broken) expect(line).toEqual([...line].sort((a, b) => a - b));
  expect(Math.max(...broken.flat())).toBeGreaterThan(0);
});

test("includes omissions in the slice, with the condition that prevented the write", async () => {
  const { omissions, slice } = await experimentsOn("max");
  expect(omissions.length).toBeGreaterThan(0);
  for (const { condition, reader } of omissions) {
    expect(slice.has(condition)).toBe(true);
    expect(condition).toBeLessThan(reader);
  }
});

test("returns what is known when a small budget ends, and the same for the same budget", async () => {
  const whole = await experimentsOn("ring");
  expect(whole.complete).toBe(true);
  const [once, again] = [await experimentsOn("ring", 60_000), await experimentsOn("ring", 60_000)];
  expect(once.complete).toBe(false);
  expect(once.reruns).toBeLessThan(whole.reruns);
  expect(once.suspects.map(({ range }) => range.line)).toEqual(again.suspects.map(({ range }) => range.line));
  expect(once.suspects.length).toBeGreaterThan(0);
});

test("returns what is known after an interruption", async () => {
  const { text } = faultyPrograms[0]!;
  const program = await loadCText("ring.c", text, { preprocess: "builtin" });
  const graph = dependenceGraph(recordTrace(program));
  let questions = 0;
  const outer = { ...neverCancelled, isCancelled: () => questions++ > 20 };
  const result = runExperiments(graph, { budget: budgetOf(1e9, outer) });
  expect(result.complete).toBe(false);
  expect(result.reruns).toBeLessThan(30);
  expect(result.suspects.length).toBeGreaterThan(3);
});

test("re-runs have room for large global arrays", async () => {
  const text = `#include <assert.h>
static int a[4194304], b[4194304];
int main(void) {
  a[3] = 1;
  b[5] = 2;
  int n = a[3] + b[5];
  assert(n == 7);
  return 0;
}`;
  const program = await loadCText("large.c", text, { preprocess: "builtin" });
  const { suspects } = runExperiments(dependenceGraph(recordTrace(program)), { budget: budgetOf(20_000) });
  const lines = suspects.slice(0, 3).map(({ range }) => range.line);
  expect([...lines].sort()).toEqual([4, 5, 6]);
});
