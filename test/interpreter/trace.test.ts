import { describe, expect, test } from "vitest";
import { cancelledAfter, sharedCancellation } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { randomInputs } from "../../src/interpreter/inputs.ts";
import { observe } from "../../src/interpreter/observe.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { edgeAt, stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace, replay, replayWrites, type Trace } from "../../src/interpreter/trace.ts";
import { loopsOf } from "../../src/ir/loops.ts";
import type { FunctionId, Program, VariableId } from "../../src/ir/program.ts";

/** Programs whose runs exercise calls, loops, memory, inputs, output and every kind of ending. */
const programs: Record<string, string> = {
  sorting: `
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
      int n = 20, *a = malloc(n * sizeof *a);
      for (int i = 0; i < n; i++) a[i] = rand() % 100;
      for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
      for (int i = 0; i < n; i++) printf("%d ", a[i]);
      free(a);
      return a == 0;
    }`,
  inputs: `
    int __VERIFIER_nondet_int(void);
    unsigned long __VERIFIER_nondet_ulong(void);
    double __VERIFIER_nondet_double(void);
    int main(void) {
      int sum = 0;
      for (int i = 0; i < 50; i++) { int x = __VERIFIER_nondet_int(); if (x > 0 && x < 100) sum += x; }
      if (__VERIFIER_nondet_ulong() > 18446744073709551000ul) sum++;
      return __VERIFIER_nondet_double() > 0.5 ? sum : -sum;
    }`,
  recursion: `
    int calls;
    int ackermann(int m, int n) { calls++; return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
    int main(void) { int r = ackermann(2, 5); return r + calls; }`,
  failing: `
    #include <assert.h>
    int table[8];
    int find(int key) { for (int i = 0; ; i++) { if (table[i] == key) return i; } }
    int main(void) { for (int i = 0; i < 8; i++) table[i] = i * i; assert(find(36) == 6); return find(50); }`,
  asserting: `
    #include <assert.h>
    int main(void) { int x = 1; for (int i = 0; i < 10; i++) x += x; assert(x < 1000); return 0; }`,
  endless: `int main(void) { unsigned i = 0; for (;;) i++; }`,
  missing: `int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() + __VERIFIER_nondet_int(); }`,
  pointers: `
    #include <stdio.h>
    struct s { int a; struct s *next; };
    int apply(int (*f)(int), int x) { return f(x); }
    int twice(int x) { return 2 * x; }
    int main(int argc, char **argv) {
      struct s list[5]; struct s *p = 0; int total = 0;
      for (int i = 0; i < 5; i++) { struct s fresh; fresh.a = apply(twice, i); fresh.next = p; list[i] = fresh; p = &list[i]; }
      for (; p; p = p->next) total += p->a;
      printf("%d %p %s", total, (void *)p, argv[0]);
      return total;
    }`,
};

const load = (name: string): Promise<Program> => loadCText(`${name}.c`, programs[name]!);
const options = { inputs: [...Array(60)].map((_, i) => BigInt(i)), maxSteps: 20_000 };

function edgesOf(trace: Trace): string[] {
  const cursor = stepCursor(trace);
  const edges: string[] = [];
  while (cursor.next()) edges.push(`${cursor.function}:${cursor.edge}`);
  return edges;
}

describe("recording and replaying", () => {
  for (const name of Object.keys(programs)) {
    test(`keeps outcome, steps, output and inputs of a plain run: ${name}`, async () => {
      const program = await load(name);
      const given =
        name === "inputs" ? { ...options, inputs: randomInputs(7) } : name === "missing" ? { inputs: [1n] } : options;
      const plain = runProgram(program, given);
      const trace = recordTrace(program, given);
      const { outcome, steps, inputs, stdout, stderr, files, outsidePaths, tests } = trace;
      const recorded = { outcome, steps, inputs, stdout, stderr, files, outsidePaths, tests };
      expect(recorded).toEqual(plain);
      const again = replay(trace, { record: true, writes: false, hooks: null });
      expect(again.result).toEqual(recorded);
      expect(again.paths).toEqual(trace.paths);
      expect(edgesOf(trace)).toHaveLength(trace.steps);
    });
  }

  test("replays a run that was stopped from outside up to its end", async () => {
    const program = await load("endless");
    const cancellation = sharedCancellation();
    cancellation.cancel("interrupt");
    const trace = recordTrace(program, { cancellation });
    expect(trace.outcome).toMatchObject({ kind: "limit", limit: "interrupted", code: "TF345" });
    const again = replay(trace, { record: true, writes: false, hooks: null });
    expect(again.result.steps).toBe(trace.steps);
    expect(again.paths).toEqual(trace.paths);
  });

  test("records traces longer than a chunk of the log", async () => {
    const program = await loadCText(
      "long.c",
      "int main(void) { int s = 0; for (int i = 0; i < 200000; i++) s ^= i; return s & 1; }",
    );
    const trace = recordTrace(program);
    expect(trace.log.length).toBeGreaterThan(2);
    const cursor = stepCursor(trace);
    let steps = 0;
    let iterations = 0;
    while (cursor.next()) {
      steps++;
      iterations = Math.max(iterations, cursor.loops[0]?.iteration ?? 0);
    }
    expect(steps).toBe(trace.steps);
    expect(iterations).toBe(200000);
  });
});

describe("steps", () => {
  test("have call depth, activation, loop activation and iteration", async () => {
    const program = await loadCText(
      "nested.c",
      `int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }
       int main(void) { int t = 0; for (int i = 0; i < 3; i++) t += f(i); return t; }`,
    );
    const trace = recordTrace(program);
    const f = program.functions.find(({ name }) => name === "f")!;
    const main = program.functions.find(({ name }) => name === "main")!;
    const cursor = stepCursor(trace);
    const seen = new Map<number, { activation: Set<number>; depth: Set<number>; iterations: Map<number, number> }>();
    while (cursor.next()) {
      let own = seen.get(cursor.function);
      if (own === undefined) {
        own = { activation: new Set(), depth: new Set(), iterations: new Map() };
        seen.set(cursor.function, own);
      }
      own.activation.add(cursor.activation);
      own.depth.add(cursor.depth);
      for (const { number, iteration, loop } of cursor.loops) {
        expect(loopsOf(program.functions[cursor.function]!).loops).toContain(loop);
        expect(loop.body.has(edgeAt(program, cursor).from)).toBe(true);
        own.iterations.set(number, Math.max(own.iterations.get(number) ?? 0, iteration));
      }
    }
    expect([...seen.get(main.id)!.depth]).toEqual([0]);
    expect([...seen.get(f.id)!.depth]).toEqual([1]);
    expect(seen.get(f.id)!.activation.size).toBe(3);
    expect([...seen.get(main.id)!.iterations.values()]).toEqual([3]);
    // f(0) visits its header once, f(1) twice, f(2) three times.
    expect([...seen.get(f.id)!.iterations.values()]).toEqual([0, 1, 2]);
  });

  test("can be walked from the middle", async () => {
    const trace = recordTrace(await load("recursion"));
    const all = stepCursor(trace);
    const late = stepCursor(trace, 500);
    while (all.step < 499) all.next();
    while (late.next()) {
      all.next();
      expect([late.step, late.function, late.edge, late.depth, late.activation]).toEqual([
        all.step,
        all.function,
        all.edge,
        all.depth,
        all.activation,
      ]);
    }
    expect(all.next()).toBe(false);
  });

  test("end before the edge that was undefined, or with the edge that failed", async () => {
    const failing = recordTrace(await load("failing"), options);
    expect(failing.outcome).toMatchObject({ kind: "undefined-behaviour", problem: "out-of-bounds-read" });
    const last = lastStep(failing);
    const { outcome } = failing;
    if (outcome.kind !== "undefined-behaviour") throw new Error();
    expect(last.edge.to).toBe(failing.program.functions[outcome.at.function]!.edges[outcome.at.edge]!.from);
    const asserting = recordTrace(await load("asserting"));
    expect(lastStep(asserting).edge.operation).toMatchObject({ kind: "fail", reason: "assertion" });
  });
});

function lastStep(trace: Trace) {
  const cursor = stepCursor(trace, trace.steps - 1);
  expect(cursor.next()).toBe(true);
  return { edge: edgeAt(trace.program, cursor) };
}

describe("values on demand", () => {
  test("reports every write of a window, with its step", async () => {
    const program = await loadCText(
      "w.c",
      `int f(int a) { return a * 2; }
       int main(void) { int x = 5, m[2]; m[0] = x; x = f(x); m[1] = x; return m[0] + m[1]; }`,
    );
    const trace = recordTrace(program);
    const writes: string[] = [];
    const name = (variable: number) => program.variables[variable]!.name;
    replayWrites(trace, 0, trace.steps, {
      register: (step, _fn, _edge, variable, value) => writes.push(`${step} ${name(variable)}=${value}`),
      memory: (step, _fn, _edge, pointer, size, value) => writes.push(`${step} +${pointer % 2 ** 32}/${size}=${value}`),
    });
    const text = writes.join("; ").replaceAll(/\$\w+/g, "$t");
    expect(text).toMatch(/\d+ x=5; \d+ \+0\/4=5; (\d+) a=5; .*x=10; \d+ \+4\/4=10/);
    const call = Number(/(\d+) a=5/.exec(text)![1]);
    const cursor = stepCursor(trace, call);
    cursor.next();
    expect(edgeAt(program, cursor).operation.kind).toBe("call");
    // A window is a part of the whole.
    const part: number[] = [];
    replayWrites(trace, 3, 6, { register: (step) => part.push(step), memory: (step) => part.push(step) });
    expect(part.every((step) => step >= 3 && step < 6)).toBe(true);
    expect(part).toEqual(writes.map((write) => Number.parseInt(write, 10)).filter((step) => step >= 3 && step < 6));
  });

  test("reports the bytes that library functions write", async () => {
    const program = await loadCText(
      "l.c",
      `#include <string.h>
       int main(void) { char s[10]; memset(s, 0, 10); strcpy(s, "abc"); return s[0]; }`,
    );
    const sizes: number[] = [];
    const trace = recordTrace(program);
    replayWrites(trace, 0, trace.steps, { register() {}, memory: (_s, _f, _e, _p, size) => sizes.push(size) });
    expect(sizes).toEqual([10, 4]);
  });

  test("shows states at chosen places", async () => {
    const program = await loadCText(
      "o.c",
      `int total;
       int main(void) { int a[4]; for (int i = 0; i < 4; i++) { a[i] = i * i; total += a[i]; } return total; }`,
    );
    const trace = recordTrace(program);
    const main = program.functions[program.entry]!;
    const [loop] = loopsOf(main).loops;
    const variable = (name: string) => program.variables.find((candidate) => candidate.name === name)!.id as VariableId;
    const states: unknown[] = [];
    const int = program.variables[variable("i")]!.type;
    observe(trace, [{ kind: "location", function: main.id as FunctionId, location: loop!.header }], (state) => {
      const array = state.addressOf(variable("a"));
      if (int.kind !== "int") throw new Error();
      states.push([
        state.register(variable("i")),
        state.register(variable("total")),
        [0, 1, 2, 3].map((i) => state.load(array + 4 * i, int)),
        state.object(array)?.name,
      ]);
      return states.length === 4 ? "stop" : undefined;
    });
    expect(states).toEqual([
      [0, 0, [undefined, undefined, undefined, undefined], "a"],
      [1, 0, [0, undefined, undefined, undefined], "a"],
      [2, 1, [0, 1, undefined, undefined], "a"],
      [3, 5, [0, 1, 4, undefined], "a"],
    ]);
  });

  test("numbers observations by the steps of the trace", async () => {
    const trace = recordTrace(await load("recursion"));
    const { program } = trace;
    const visits: string[] = [];
    const points = program.functions.flatMap((fn) =>
      fn.edges.map((edge) => ({ kind: "before", function: fn.id, edge: edge.id }) as const),
    );
    observe(trace, points, ({ step, point }) => {
      if (point.kind === "before") visits.push(`${step} ${point.function}:${point.edge}`);
    });
    expect(visits).toEqual(edgesOf(trace).map((edge, step) => `${step} ${edge}`));
  });
});

describe("limits", () => {
  test("stop steps, time, memory, recursion and output", async () => {
    const program = await load("endless");
    expect(runProgram(program, { maxSteps: 1000 }).outcome).toMatchObject({
      kind: "limit",
      limit: "steps",
      code: "TF341",
    });
    expect(runProgram(program, { maxSteps: 1e15, cancellation: cancelledAfter(50) }).outcome).toMatchObject({
      kind: "limit",
      limit: "time",
    });
    const memory = await loadCText("m.c", "#include <stdlib.h>\nint main(void) { for (;;) malloc(1 << 20); }");
    expect(runProgram(memory, { maxMemory: 2 ** 26 }).outcome).toMatchObject({ kind: "limit", limit: "memory" });
    const recursion = await loadCText("r.c", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }");
    expect(runProgram(recursion).outcome).toMatchObject({ kind: "limit", limit: "recursion", code: "TF344" });
  });

  test("name missing inputs and inputs out of range", async () => {
    const program = await load("missing");
    expect(runProgram(program, { inputs: [1n] }).outcome).toMatchObject({
      kind: "needs-input",
      given: 1,
      source: "__VERIFIER_nondet_int",
    });
    expect(() => runProgram(program, { inputs: [1n, 2147483648n] })).toThrow(
      /input 2 is 2147483648, but __VERIFIER_nondet_int reads int: it must be from -2147483648 to 2147483647/,
    );
    expect(() => runProgram(program, { inputs: [1.5] })).toThrow(/a whole number is needed/);
  });
});
