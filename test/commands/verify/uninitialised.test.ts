import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";

async function verified(text: string, property: Property) {
  const program = await loadCText("task.c", `extern int __VERIFIER_nondet_int(void);\n${text}`, {
    preprocess: "builtin",
    uninitialized: "undefined",
  });
  return verifyProgram(program, {
    property,
    engines: null,
    solver: "auto",
    seed: 1,
    milliseconds: 20_000,
    run: {},
  });
}

const kinds = async (text: string, property: Property) => (await verified(text, property)).verdict.kind;

describe("reads of unwritten variables and memory", () => {
  const written = `
struct p { int a, b[2]; };
static int f(int i) { struct p q = {1, {2, 3}}; int z[4] = {0}; z[0] = i; return q.a + q.b[1] + z[3]; }
int main(void) { int c = __VERIFIER_nondet_int(); int r; if (c > 0) r = 1; else r = f(c & 3); return r; }`;

  it("are excluded if every way to a read passes a write, or a declaration writes everything", async () => {
    expect(await kinds(written, "uninitialised")).toBe("safe");
    expect(await kinds(written, "all")).toBe("safe");
  });

  it("are errors if a run has one", async () => {
    const text = "int main(void) { int x; if (__VERIFIER_nondet_int() > 0) x = 1; return x; }";
    expect(await kinds(text, "uninitialised")).toBe("unsafe");
    expect(await kinds(text, "all")).toBe("unsafe");
    expect(await kinds(`#include <stdlib.h>\nint main(void) { int *p = malloc(4); return p ? *p : 0; }`, "all")).toBe(
      "unsafe",
    );
  });

  it("are unknown if only the way shows that the variable was written", async () => {
    const text = `int main(void) { int x, c = __VERIFIER_nondet_int(); if (c > 3) x = 1; if (c > 123456789) return x; return 0; }`;
    const { verdict } = await verified(text, "uninitialised");
    expect(verdict.kind).toBe("unknown");
    expect(JSON.stringify(verdict)).toContain("whether x has been written when it is read");
    expect(await kinds(text, "all")).toBe("unknown");
  });

  it("are possible in the part that a declaration leaves out", async () => {
    const half =
      "int main(void) { int a[8], n = __VERIFIER_nondet_int() & 7; for (int i = 0; i <= n; i++) a[i] = i; return a[n]; }";
    expect(await kinds(half, "uninitialised")).toBe("unknown");
    const { verdict } = await verified(half, "all");
    expect(verdict).toMatchObject({ kind: "safe" });
    expect(JSON.stringify(verdict, (_, value) => (typeof value === "bigint" ? `${value}` : value))).toContain(
      "uninitialised-read",
    );
  });

  it("are judged with allocations that succeed, and the verdict says so", async () => {
    const text = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; return 0; }";
    expect((await verified(text, "null")).verdict).toMatchObject({
      kind: "safe",
      assumptions: [{ behaviour: "failed-allocation", range: { line: 3 } }],
    });
  });
});
