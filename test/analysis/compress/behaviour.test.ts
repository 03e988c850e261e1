import { describe, expect, it } from "vitest";
import { compressRun } from "../../../src/explain/compressRun.ts";
import { describeCompression } from "../../../src/formats/describeCompression.ts";
import { loadCText } from "../../../src/frontend/c/loadC.ts";
import { compressText as printCompression } from "../../../src/report/compressText.ts";
import { plain } from "../../../src/report/paint.ts";
import { recordTrace } from "../../../src/trace/trace.ts";
import { compressText } from "../../support/compressed.ts";

const prelude =
  "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern void reach_error(void); int a[10];\n";
const rounds = [1n, 1n, 1n, 1n, 0n];

async function compressed(body: string, inputs: readonly bigint[] = []) {
  const text = `${prelude}${body}\n`;
  const report = describeCompression(await compressText(text, inputs), { version: "", ms: 0 });
  return { report, shown: printCompression(report, { paint: plain, source: () => text }) };
}

describe("where loops are, and how they are left", () => {
  it.each([
    [
      "in a called function",
      "int drain(int left) { while (left > 0) left--; return left; } int main(void) { int a = drain(8); assert(a > 0); }",
      { iterations: 8, function: "drain", invariant: [] },
    ],
    [
      "break",
      "int main(void) { int x = 1; for (;;) { x++; if (!__VERIFIER_nondet_int()) break; } assert(x < 1); }",
      { iterations: 4, invariant: ["x >= 0"] },
    ],
    [
      "return",
      "int f(void) { int x = 1; for (;;) { x++; if (!__VERIFIER_nondet_int()) return x; } } int main(void) { int r = f(); assert(r < 1); }",
      { iterations: 4, function: "f", invariant: ["x >= 0"] },
    ],
    [
      "goto out of two loops",
      "int main(void) { int x = 1; while (1) while (1) { x++; if (!__VERIFIER_nondet_int()) goto out; } out: assert(x < 1); }",
      { iterations: 4, invariant: ["x >= 0"] },
    ],
    [
      "the error itself, and nothing else",
      "int main(void) { int x = 1; while (1) { int go = __VERIFIER_nondet_int(); x++; if (!go && x > 0) reach_error(); } }",
      { iterations: 4, invariant: ["x >= 0"] },
    ],
    [
      "an assertion in the body, and nothing else",
      "int main(void) { int x = 1; while (1) { x++; int go = __VERIFIER_nondet_int(); if (!go) assert(x < 1); } }",
      { iterations: 4, invariant: ["x >= 0"] },
    ],
    [
      "an array: what is known of a cell stays known",
      "int main(void) { a[0] = 7; for (int i = 1; i < 10; i++) a[i] = i; assert(a[0] != 7); }",
      { iterations: 9, invariant: ["a[0] == 7", "i >= 1"] },
    ],
    [
      "an array: a cell that is counted in",
      "int main(void) { for (int i = 0; i < 9; i++) a[2]++; int v = a[2]; assert(v < 0); }",
      { iterations: 9, invariant: ["a[2] >= 0"] },
    ],
  ])("%s", async (_, body, loop) => {
    const { report } = await compressed(body, rounds);
    expect(report).toMatchObject({ status: "ok", unrolls: 0, innerUnrolls: 0 });
    expect(report.loops).toHaveLength(1);
    expect(report.loops[0]).toMatchObject({ ...loop, foldedFrom: 0, failure: null });
  });

  it("several in sequence, each with what the next one needs", async () => {
    const { report } = await compressed(`int main(void) { int x = 0;
      for (int i = 0; i < 9; i++) x++;
      for (int i = 0; i < 9; i++) x += 2;
      assert(x < 0); }`);
    expect(report.loops.map(({ foldedFrom, invariant }) => ({ foldedFrom, invariant }))).toEqual([
      { foldedFrom: 0, invariant: ["x >= 0"] },
      { foldedFrom: 0, invariant: ["x >= 0"] },
    ]);
  });
});

describe("loops that do not fold", () => {
  it("the inner one may, round by round; of the outer one it says what was tried and what was missing", async () => {
    const { report, shown } = await compressed(`int main(void) { int x = 1;
      for (int i = 0; i < 3; i++) {
        int y = 0;
        for (int j = 0; j < 9; j++) y++;
        x = x * 3;
      }
      assert(x != 27); }`);
    const [outer, ...inner] = report.loops;
    expect(report).toMatchObject({ status: "ok", unrolls: 3, innerUnrolls: 0 });
    expect(outer).toMatchObject({ iterations: 3, foldedFrom: null, proof: { checked: false } });
    expect(inner.map(({ foldedFrom, invariant }) => [foldedFrom, invariant])).toEqual([
      [0, ["x == 1"]],
      [0, ["x == 3"]],
      [0, ["x == 9"]],
    ]);
    expect(shown).toContain("not folded: program.c:4:23: for (int i = 0; i < 3; i++) in main, 3 iterations\n");
    expect(shown).toMatch(/^ {2}why: .* implies what is needed after the loop: x == 27$/m);
    expect(shown).toMatch(/^ {2}tried: 3 times$/m);
    expect(shown).toMatch(/^ {2}best: {2}x >= 3 /m);
    expect(shown).toContain("3 loops folded, 3 unrolled, 1 not folded; proof checked");
  });

  it("undefined behaviour is a target like others", async () => {
    const { report, shown } = await compressed(
      "int main(void) { int x = 0; for (int i = 0; i < 30; i++) x++; int i = x / 2; while (i < 90) { a[i] = 1; i++; } }",
    );
    expect(report.outcome).toMatchObject({ kind: "undefined-behaviour" });
    expect(report.status).toBe("ok");
    expect(shown).toContain("index 15 is outside of a[10]");
  });
});

describe("an interruption", () => {
  const text = `${prelude}int main(void) { int x = 0;
    for (int i = 0; i < 9; i++) x++;
    for (int i = 0; i < 9; i++) x += 2;
    assert(x < 0); }`;

  it("leaves what is folded by then, and never a checked proof", async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const trace = recordTrace(program, { inputs: [] });
    const folds = new Set<number>();
    for (let patience = 0, isDone = false; !isDone; patience += 12) {
      let asked = 0;
      const { compressed, proof } = compressRun(trace, { checkers: ["z3"], isInterrupted: () => ++asked > patience });
      folds.add(compressed.folds.length);
      isDone = asked <= patience;
      expect(proof.checked).toBe(isDone);
      if (!compressed.interrupted) continue;
      const reasons = compressed.failures.map(({ reason }) => reason);
      expect(reasons).toEqual(reasons.map(() => expect.stringContaining("the work was interrupted")));
      expect(reasons.length + compressed.folds.length).toBe(2);
    }
    expect([...folds]).toEqual([0, 1, 2]);
  });
});
