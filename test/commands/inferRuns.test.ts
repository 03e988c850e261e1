import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { inferRuns } from "../../src/commands/infer/pipeline.ts";
import type { InferReport, ReportedFunction } from "../../src/commands/infer/result.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { root } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";

async function infer(text: string, inputs: readonly (readonly bigint[])[]): Promise<InferReport> {
  const program = await loadCText("program.c", text, { entry: "test" });
  return inferRuns(
    program,
    inputs.map((values, at) => ({ name: `run ${at}`, options: { inputs: values } })),
    {
      ...{ wanted: (path) => !path.startsWith("<"), keep: 6, solver: {}, version: "0", before: null },
      ...{ cancellation: neverCancelled, progress: () => {} },
    },
  );
}

/** Everything that a contract says, a line each. */
function lines(report: InferReport, name: string): readonly string[] {
  const one = report.functions.find((each) => each.name === name)!;
  return [
    ...one.throws.map(({ error, when }) => `fails ${error} if ${when.join(" && ")}`),
    ...one.pre.map(({ condition, origin }) => `requires ${condition} (${origin})`),
    ...one.post,
    ...one.cases.flatMap(({ guard, effects }) => effects.map((effect) => `if ${guard.join(" && ")}: ${effect}`)),
    ...(one.pure ? ["pure"] : [`modifies ${one.modifies.join(", ")}`]),
    ...one.calls.map((text) => `calls ${text}`),
  ];
}

describe("contracts of C functions from runs", () => {
  it("have the same kinds of statements as for JavaScript, in the syntax of C", async () => {
    const text = readFileSync(join(root, "test/fixtures/infer/lists.c"), "utf8");
    const report = await infer(text, [[2n], [7n], [-1n], [0n], [1n]]);
    const of = (name: string) => lines(report, name);
    expect(of("fac")).toEqual(["if n <= 1: result == 1", "if n > 1: result == n * fac(n - 1)", "pure"]);
    expect(of("divide")).toEqual(["fails assert(b != 0) if b == 0", "result == a / b", "pure"]);
    expect(of("apply")).toContain("if k == 1: result == a - b");
    expect(of("insert")).toEqual([
      "requires l != NULL (needed)",
      "l->head is a new block from malloc",
      "l->length == old(l->length) + 1",
      "modifies l->head, l->length",
    ]);
    expect(of("pop")).toContain("if is_empty(l): result == -1");
    expect(of("pop")).toContain("calls free(l->head)");
    expect(of("sum")).toContain("result == $s");
    expect(of("swap")).toContain("*a == old(*b)");
    expect(of("clear")).toEqual(["modifies s[..]"]);
    expect(of("len")).toContain("result == old(strlen(s))");
    expect(of("put")).toContain("if r >= 0 && r < 3 && c >= 0 && c < 4: grid[r][c] == v");
    expect(of("get")).toContain("requires c < 4 (needed)");
    expect(of("add")).toEqual(["result.x == a.x + b.x", "result.y == a.y + b.y", "pure"]);
    expect(of("norm")).toContain("result == p.x * p.x + p.y * p.y");
    // Called by `qsort`.
    expect(of("cmp")).toContain("result == *a - *b");
    expect(report.recording.disagreed).toBeGreaterThan(0);
    expect(report.functions.find(({ name }) => name === "hash")!.withheld).toBe(3);
    expect(schemaErrors("InferReport", report)).toEqual([]);
  });

  it("state only what holds on other runs of the same path", async () => {
    const report = await infer(`${arithmetic}${driver("0")}`, [
      [3n, 5n, 1n],
      [-2n, 4n, 2n],
      [9n, 9n, 3n],
      [7n, -3n, 0n],
      [0n, 1n, -4n],
    ]);
    const stated = report.functions.filter((one) => one.pure && !one.rounds && one.withheld === 0);
    expect(stated.map(({ name }) => name)).toEqual(["clamp", "sign", "middle", "steps"]);
    const program = await loadCText("program.c", `${arithmetic}${stated.map(checked).join("\n")}\n${driver("1")}`, {
      entry: "test",
    });
    for (let seed = 0; seed < 150; seed++) {
      const value = (k: number): bigint => BigInt(((seed * 37 + k * 101 + seed * seed * 7) % 41) - 20);
      const { outcome } = runProgram(program, { inputs: [value(1), value(2), value(3)] });
      expect(outcome.kind, JSON.stringify(outcome)).not.toBe("assertion");
    }
  });

  it("include writes through other names, in callees and by the library", async () => {
    const report = await infer(
      `#include <string.h>
       int total; int cells[4];
       struct pair { int a, b; };
       void bump(int *p) { *p = *p + 1; }
       void both(struct pair *s) { bump(&s->a); bump(&s->b); bump(&s->a); }
       int alias(int *p, int *q) { *p = 1; *q = 2; return *p; }
       void fill(struct pair *s) { memset(s, 0, sizeof *s); }
       void add(int i) { total += cells[i]; cells[i] = total; }
       int local(int x) { int a[2] = {x, 1}; bump(&a[0]); return a[0]; }
       int test(void) { int v; struct pair s = {1, 2}; both(&s); total = alias(&v, &v) + alias(&s.a, &s.b);
         fill(&s); add(2); add(3); return local(4) + local(7); }`,
      [[]],
    );
    expect(lines(report, "both")).toContain("s->a == old(s->a) + 2");
    expect(lines(report, "both")).toContain("modifies s->a, s->b");
    // Two paths by what the pointers are: neither is said for both.
    expect(lines(report, "alias").some((line) => /^result == [12]$/.test(line))).toBe(false);
    expect(lines(report, "fill")).toEqual(["modifies s[..]"]);
    expect(lines(report, "add")).toContain("cells[i] == old(total) + old(cells[i])");
    expect(lines(report, "local")).toEqual(["result == x + 1", "pure"]);
  });
});

const arithmetic = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int clamp(int x, int low, int high) { if (x < low) return low; if (x > high) return high; return x; }
int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
int middle(int a, int b) { return a + (b - a) / 2; }
int steps(int a, int b) { switch (a) { case 0: return b; case 3: case 4: return a * b; default: return a - b % 5; } }
`;

/** Calls all, with checks or without. */
function driver(mode: "0" | "1"): string {
  const call = (name: string, args: string): string => (mode === "1" ? `check_${name}(${args})` : `${name}(${args})`);
  return `int test(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  ${call("clamp", "a, b, c")}; ${call("sign", "a")}; ${call("sign", "b")}; ${call("middle", "b, c")}; ${call("steps", "a, b")};
  ${call("steps", "c, a")}; return 0; }`;
}

/** A function that calls another and asserts what its contract says. */
function checked(one: ReportedFunction): string {
  const args = one.params.map(({ name }) => name).join(", ");
  const asserts = one.cases.flatMap(({ guard, effects, partial }) =>
    partial ? [] : effects.map((effect) => `if (${guard.join(" && ") || "1"}) assert(${effect});`),
  );
  const required = one.pre.map(({ condition }) => `if (!(${condition})) return;`);
  return `void check_${one.name}(${one.params.map(({ seen }) => seen).join(", ")}) { ${required.join(" ")}
    int result = ${one.name}(${args}); ${one.post.map((text) => `assert(${text});`).join(" ")} ${asserts.join(" ")} }`;
}
