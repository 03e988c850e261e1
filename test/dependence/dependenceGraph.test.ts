import { describe, expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { type DependenceGraph, dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { failureRoot, rootEvents } from "../../src/dependence/failureRoot.ts";
import { backwardSlice } from "../../src/dependence/slice.ts";
import { type RunOptions, recordTrace } from "../../src/interpreter/index.ts";
import { printOperation } from "../../src/ir/printOperation.ts";

async function graphOf(text: string, options: RunOptions = {}, maxSteps?: number): Promise<DependenceGraph> {
  const program = await loadCText("program.c", text, { preprocess: "builtin" });
  return dependenceGraph(recordTrace(program, options), maxSteps);
}

const show = (graph: DependenceGraph, step: number) => printOperation(graph.trace.program, graph.edge(step).operation);

/** The steps with this text, in order. */
function stepsOf(graph: DependenceGraph, text: string): number[] {
  const found: number[] = [];
  for (let step = graph.first; step < graph.end; step++) if (show(graph, step) === text) found.push(step);
  return found;
}

const linesOf = (graph: DependenceGraph, steps: readonly number[]) => [
  ...new Set(steps.map((step) => graph.edge(step).range.line)),
];

describe("control", () => {
  test("makes a step depend on the branch that caused it, then on the call", async () => {
    const graph = await graphOf(`
      int pick(int x) {
        int r = 0;
        if (x > 1) r = 5;
        r = r + 1;
        return r;
      }
      int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += pick(i); return s; }`);
    const [inside] = stepsOf(graph, "r = 5");
    const [after] = stepsOf(graph, "r = r + 1");
    expect(show(graph, graph.parent(inside!)!)).toBe("[x > 1]");
    expect(show(graph, graph.parent(after!)!)).toContain("pick(i)");
    const rounds = stepsOf(graph, "[i < 3]");
    expect(graph.parent(rounds[0]!)).toBeNull();
    expect(graph.parent(rounds[2]!)).toBe(rounds[1]);
    expect(graph.parent(stepsOf(graph, "[i >= 3]")[0]!)).toBe(rounds[2]);
    expect(graph.parent(stepsOf(graph, "return s")[0]!)).toBeNull();
  });

  test("makes code after an early exit depend on its test, but not code after an assertion", async () => {
    const graph = await graphOf(`
      #include <assert.h>
      #include <stdlib.h>
      int g;
      void f(int x) { if (x == 9) return; g = 1; }
      int main(void) { int x = 3; assert(x > 1); g = 2; f(x); if (x == 7) exit(0); g = 3; return 0; }`);
    expect(graph.parent(stepsOf(graph, "g = 2")[0]!)).toBeNull();
    expect(show(graph, graph.parent(stepsOf(graph, "g = 1")[0]!)!)).toBe("[x != 9]");
    expect(show(graph, graph.parent(stepsOf(graph, "g = 3")[0]!)!)).toBe("[x != 7]");
  });
});

describe("data", () => {
  test("follows calls argument by argument, and copies byte by byte", async () => {
    const graph = await graphOf(`
      #include <string.h>
      struct pair { int left, right; };
      int second(int a, int b) { return b; }
      int main(void) {
        int one = 1;
        int two = 2;
        struct pair p;
        p.left = one;
        p.right = two;
        struct pair q = p;
        struct pair r;
        memcpy(&r, &q, sizeof r);
        int z = second(one, r.right);
        return z;
      }`);
    const [result] = stepsOf(graph, "return z");
    const slice = backwardSlice(graph, [{ step: result!, part: 0 }], ["data"]);
    const lines = linesOf(graph, slice.steps()).map((line) => line - 1);
    // `two`, p.right, both copies, the call, the callee's return, the result; neither `one` nor p.left.
    expect(lines).toEqual([6, 9, 10, 12, 13, 3, 14]);
  });

  test("follows the bytes that library functions read and write", async () => {
    const graph = await graphOf(`
      #include <stdio.h>
      #include <string.h>
      int main(void) {
        char text[16];
        int n = 0;
        text[0] = '4';
        text[1] = '2';
        text[2] = 0;
        text[5] = 'x';
        sscanf(text, "%d", &n);
        return n;
      }`);
    const [result] = stepsOf(graph, "return n");
    const slice = backwardSlice(graph, [{ step: result!, part: 0 }], ["data"]);
    expect(linesOf(graph, slice.steps()).map((line) => line - 1)).toEqual([6, 7, 8, 10, 11]);
  });

  test("separates addresses from values", async () => {
    const graph = await graphOf(`
      int main(void) { int a[3] = {5, 6, 7}; int i = 1; int *p = &a[i]; *p = 9; return a[1]; }`);
    const [store] = stepsOf(graph, "*p = 9");
    const kinds = graph.dependences({ step: store!, part: 0 }).map(({ step, kind }) => [kind, show(graph, step)]);
    expect(kinds).toEqual([["address", "p = &a[i]"]]);
    expect(graph.value(store!)).toBe(9);
  });

  test("knows which step made and which step ended an object", async () => {
    const graph = await graphOf(`
      #include <stdlib.h>
      int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }`);
    const root = failureRoot(graph);
    expect(root.kind).toBe("trap");
    const read = graph.reads(root.step).find(({ expression }) => expression?.kind === "variable");
    expect(show(graph, graph.birth(read!.value as number)!)).toContain("malloc(4)");
    expect(show(graph, graph.death(read!.value as number)!)).toBe("free(p)");
  });

  test("knows both sides of a comparison", async () => {
    const graph = await graphOf(`
      #include <assert.h>
      int main(void) { unsigned char b = 72; int i = 1; assert(b == 0x40 + i); return 0; }`);
    const root = failureRoot(graph);
    if (root.kind !== "condition") throw new Error("no condition");
    const { operation } = graph.edge(root.deciding[0]!);
    if (operation.kind !== "assume" || operation.condition.kind !== "comparison") throw new Error("no comparison");
    const { left, right } = operation.condition;
    expect([left, right].map((side) => graph.valueOf(root.deciding[0]!, side))).toEqual([72, 65]);
  });
});

describe("roots", () => {
  const decidedBy = async (condition: string) => {
    const graph = await graphOf(`
      #include <assert.h>
      int id(int x) { return x; }
      int main(void) { int a = 0, b = 0, c = 1; assert(${condition}); return 0; }`);
    const root = failureRoot(graph);
    return root.kind === "condition" ? root.deciding.map((step) => show(graph, step)) : root;
  };

  test("begins with the operands that decide", async () => {
    expect(await decidedBy("c == 1 && a == 1")).toEqual(["[a != 1]"]);
    expect(await decidedBy("a == 1 || b == 1")).toEqual(["[a != 1]", "[b != 1]"]);
    expect(await decidedBy("(c == 1 && a == 1) || b == 1")).toEqual(["[a != 1]", "[b != 1]"]);
    expect(await decidedBy("(a == 1 && c == 1) || b == 1")).toEqual(["[a != 1]", "[b != 1]"]);
    expect(await decidedBy("id(a) == 1 || id(b) == 1")).toHaveLength(2);
  });

  test("begins at the caller for an abort in a function of its own", async () => {
    const graph = await graphOf(`
      #include <stdlib.h>
      void die(void) { abort(); }
      int main(void) { int a = 1; while (a < 5) { if (a == 3) die(); a++; } return 0; }`);
    const root = failureRoot(graph);
    expect(root.kind === "condition" && root.deciding.map((step) => show(graph, step))).toEqual(["[a == 3]"]);
  });

  test("begins with the loop that does not end", async () => {
    const graph = await graphOf(
      `int main(void) { int i = 0, n = 10; for (int k = 0; k < 3; k++) i++; while (i < n) { for (int k = 0; k < 2; k++); if (i == 99) break; } return 0; }`,
      { maxSteps: 5000 },
    );
    const root = failureRoot(graph);
    expect(root.kind === "loop" && root.deciding.map((step) => show(graph, step))).toEqual(["[i != 99]", "[i < n]"]);
  });
});

describe("windows and distances", () => {
  const text = `
    #include <assert.h>
    int main(void) {
      int first = 3;
      int s = 0;
      for (int i = 0; i < 500; i++) s += i;
      int last = first + 1;
      assert(last == 5);
      return 0;
    }`;

  test("knows the writers before a window by number", async () => {
    const [whole, tail] = [await graphOf(text), await graphOf(text, {}, 10)];
    expect(tail.first).toBe(tail.end - 10);
    for (let step = tail.first; step < tail.end; step++) {
      expect(tail.reads(step)).toEqual(whole.reads(step));
      expect(tail.parent(step)).toBe(whole.parent(step));
      expect(tail.value(step)).toBe(whole.value(step));
    }
    const sources = tail.dependences({ step: stepsOf(tail, "last = first + 1")[0]!, part: 0 });
    expect(sources).toEqual([{ step: stepsOf(whole, "first = 3")[0]!, part: 0, kind: "data" }]);
  });

  test("counts changes of line as distance", async () => {
    const graph = await graphOf(text);
    const slice = backwardSlice(graph, rootEvents(failureRoot(graph)));
    const distances = slice.steps().map((step) => [show(graph, step), slice.distance(step)]);
    expect(distances).toEqual([
      ["first = 3", 2],
      ["last = first + 1", 1],
      ["[last != 5]", 0],
      ["assert(last == 5) fails", 0],
    ]);
  });
});
