import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { compressRun } from "../../../src/commands/compress/pipeline.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { proveRun } from "../../../src/proof/proveRun.ts";
import { runOf } from "../../../src/recordedRun/runOf.ts";
import { compressText as printCompression } from "../../../src/render/compressText.ts";
import { plain } from "../../../src/render/layout.ts";
import { cancelledAtLook } from "../../support/cancelledAtLook.ts";
import { compressText } from "../../support/compressed.ts";
import { asCompressed, flatCompression } from "../../support/reports/flatReport.ts";

const prelude =
  "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern void reach_error(void); int a[10];\n";
const rounds = [1n, 1n, 1n, 1n, 0n];

async function compressed(body: string, inputs: readonly bigint[] = []) {
  const text = `${prelude}${body}\n`;
  const report = flatCompression(await compressText(text, inputs), { version: "", ms: 0 });
  return { report, shown: printCompression(asCompressed(report), { paint: plain, source: () => text }) };
}

describe("the way out of a loop", () => {
  // The way out takes seven steps; whichever is taken, err stays.
  const machine = (end: string) => `
    int err;
    int serve(int state) {
      int got = 0;
      if (state > 100) err = 1;
      while (1) {
        int next = __VERIFIER_nondet_int();
        if (state == 1) got++;
        else if (state == 2) got = 3;
        else if (next == 9) { got = 4; ${end} }
        else if (next == 0) { got = 5; got = got + 1; got = got * 2; goto end; }
        state = next;
      }
    end:
      got = got + 1;
      return got;
    }
    int main(void) { serve(101); assert(err == 0); }`;

  it("is folded with the rounds if all ways lead to what is needed", async () => {
    const { report, shown } = await compressed(machine("goto end;"), [1n, 2n, 1n, 3n, 0n]);
    expect(report.loops[0]).toMatchObject({ iterations: 4, foldedFrom: 0, left: [{ text: "err != 0" }] });
    expect(report.steps.map((step) => (step.kind === "step" ? step.text : "loop"))).toEqual(
      expect.arrayContaining(["loop", "got = got + 1", "return got"]),
    );
    expect(report.steps.some((step) => step.kind === "step" && step.text === "got = 5")).toBe(false);
    expect(report.proof.checked).toBe(true);
    expect(shown).toContain("left: err != 0");
  });

  it("is not folded if one way destroys what is needed, and nothing is claimed about ways that return elsewhere", async () => {
    const { report } = await compressed(machine("err = 0; goto end;"), [1n, 2n, 1n, 3n, 0n]);
    expect(report.loops[0]!.left).toBeUndefined();
    const returned = await compressed(machine("err = 0; return 0;"), [1n, 2n, 1n, 3n, 0n]);
    expect(returned.report.loops[0]!.left).toMatchObject([{ text: "err != 0" }]);
    expect(returned.report.proof.checked).toBe(true);
  });

  it("is checked by the checker of the proof", async () => {
    const run = await compressText(`${prelude}${machine("err = 0; goto end;")}`, [1n, 2n, 1n, 3n, 0n]);
    const [claim] = run.claims;
    const good = await compressText(`${prelude}${machine("goto end;")}`, [1n, 2n, 1n, 3n, 0n]);
    const { left } = good.claims[0]!;
    const forged = { ...claim!, left: left!, sorts: good.claims[0]!.sorts };
    const { verdicts } = proveRun(runOf(run.trace), [forged]);
    expect(
      verdicts.find(({ obligation }) => obligation.kind === "exit" && obligation.name === "loop1-left-1"),
    ).toBeDefined();
    expect(verdicts.some(({ obligation, answer }) => obligation.kind === "exit" && answer === "refuted")).toBe(true);
  });
});

describe("places and exits of loops", () => {
  it.each([
    [
      "in a called function",
      "int drain(int left) { while (left > 0) left--; return left; } int main(void) { int a = drain(8); assert(a > 0); }",
      { iterations: 8, function: "drain", invariant: [] },
    ],
    [
      "break",
      "int main(void) { int x = 1; for (;;) { x++; if (!__VERIFIER_nondet_int()) break; } assert(x < 1); }",
      { iterations: 4, invariant: [{ text: "x >= 0" }] },
    ],
    [
      "return",
      "int f(void) { int x = 1; for (;;) { x++; if (!__VERIFIER_nondet_int()) return x; } } int main(void) { int r = f(); assert(r < 1); }",
      { iterations: 4, function: "f", invariant: [{ text: "x >= 0" }] },
    ],
    [
      "goto out of two loops",
      "int main(void) { int x = 1; while (1) while (1) { x++; if (!__VERIFIER_nondet_int()) goto out; } out: assert(x < 1); }",
      { iterations: 4, invariant: [{ text: "x >= 0" }] },
    ],
    [
      "the error itself, and nothing else",
      "int main(void) { int x = 1; while (1) { int go = __VERIFIER_nondet_int(); x++; if (!go && x > 0) reach_error(); } }",
      { iterations: 4, invariant: [{ text: "x >= 0" }] },
    ],
    [
      "an assertion in the body, and nothing else",
      "int main(void) { int x = 1; while (1) { x++; int go = __VERIFIER_nondet_int(); if (!go) assert(x < 1); } }",
      { iterations: 4, invariant: [{ text: "x >= 0" }] },
    ],
    [
      "an array: what is known of a cell stays known",
      "int main(void) { a[0] = 7; for (int i = 1; i < 10; i++) a[i] = i; assert(a[0] != 7); }",
      { iterations: 9, invariant: [{ text: "a[0] == 7" }, { text: "i >= 1" }] },
    ],
    [
      "an array: a cell that is counted in",
      "int main(void) { for (int i = 0; i < 9; i++) a[2]++; int v = a[2]; assert(v < 0); }",
      { iterations: 9, invariant: [{ text: "a[2] >= 0" }] },
    ],
  ])("%s", async (_, body, loop) => {
    const { report } = await compressed(body, rounds);
    expect(report).toMatchObject({ status: "ok", unrolls: 0, innerUnrolls: 0 });
    expect(report.loops).toHaveLength(1);
    expect(report.loops[0]).toMatchObject({ ...loop, foldedFrom: 0, failure: null });
  });

  it("folds several loops in sequence, each with what the next one needs", async () => {
    const { report } = await compressed(`int main(void) { int x = 0;
      for (int i = 0; i < 9; i++) x++;
      for (int i = 0; i < 9; i++) x += 2;
      assert(x < 0); }`);
    expect(report.loops).toMatchObject([
      { foldedFrom: 0, invariant: [{ text: "x >= 0" }] },
      { foldedFrom: 0, invariant: [{ text: "x >= 0" }] },
    ]);
  });
});

describe("loops that do not fold", () => {
  it("folds the inner loop round by round, and says what was tried and what was missing for the outer one", async () => {
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
    expect(inner.map(({ foldedFrom, invariant }) => [foldedFrom, invariant.map(({ text }) => text)])).toEqual([
      [0, ["x == 1"]],
      [0, ["x == 3"]],
      [0, ["x == 9"]],
    ]);
    expect(shown).toContain("not folded: program.c:4:23: for (int i = 0; i < 3; i++) in main, 3 iterations\n");
    expect(shown).toMatch(/^ {2}why: .* implies what is needed after the loop: x == 27$/m);
    expect(shown).toMatch(/^ {2}tried: folding after 0, 1 and 2 unrolled iterations, with \d+ to \d+ candidates$/m);
    expect(shown).toMatch(/^ {2}best: {2}after 1 unrolled iteration: x >= 3 /m);
    expect(outer!.failure!.tried.map(({ from }) => from)).toEqual([0, 1, 2]);
    expect(outer!.failure!.best).toMatchObject({ from: 1 });
    expect(shown).toContain("3 loops folded, 3 unrolled, 1 not folded; proof checked");
  });

  it("names a fact that would be enough and the statement that loses it, also inside another loop", async () => {
    const { report, shown } = await compressed(
      `int main(void) { int x = 0;
      for (int i = 0; i < 2; i++) {
        if (__VERIFIER_nondet_int())
          for (int j = 0; j < 3; j++)
            x = 1;
      }
      assert(x != 0); }`,
      [0n, 0n],
    );
    expect(report.loops[0]!.failure).toMatchObject({
      lost: { fact: { text: "x == 0" }, text: "x = 1", location: { line: 7 } },
    });
    expect(shown).toMatch(/^ {2}best: {2}nothing: no candidate was shown to be kept$/m);
    expect(shown).toMatch(/^ {2}lost: {2}x == 0 at program\.c:7:13: x = 1$/m);
  });

  it("names a need without a formula by what it comes from", async () => {
    const { report } = await compressed(
      "int main(void) { long x = 1;\nfor (int i = 0; i < 2; i++) x = x + 5;\nassert((float)x < 1.0f); }",
    );
    const { failure } = report.loops[0]!;
    expect(failure!.reason).toMatch(
      /: something that has no formula, because of a conversion to or from floating point at line 5$/,
    );
    // That i stays 0 would do only because the loop would then never be left.
    expect(failure!.lost).toBeNull();
  });

  it("says where a loop is jumped into, and from where", async () => {
    const { report, shown } = await compressed(
      `int main(void) { int s = 0, i = 0, n = __VERIFIER_nondet_int();
      if (n > 5) goto middle;
      while (i < n) {
        s++;
        middle: i++;
      }
      for (int k = 0; k < 9; k++) s++;
      assert(s < 0); }`,
      [9n],
    );
    expect(report).toMatchObject({ status: "ok", unrolls: 9 });
    expect(report.loops).toMatchObject([
      { iterations: 9, foldedFrom: null, location: { line: 5 } },
      { iterations: 9, foldedFrom: 0 },
    ]);
    expect(shown).toMatch(
      /^not folded: program\.c:5:14: while \(i < n\) in main, 9 iterations\n {2}why: .* at line 4: /m,
    );
    expect(shown).not.toContain("tried:");
  });

  it("does not fold a loop that contains a loop that is jumped into", async () => {
    const { report } = await compressed(
      `int main(void) { int y = 0;
      for (int i = 0; i < 2; i++) {
        int k = 0, m = __VERIFIER_nondet_int();
        switch (m % 4) { case 0: do { k++; case 3: k++; } while (k < m); }
        y++;
      }
      assert(y < 0); }`,
      [7n, 1n],
    );
    expect(report.loops.map(({ location, failure }) => [location.line, failure!.reason])).toEqual([
      [4, "control jumps into a loop inside of it at line 6, which has no invariant (TF210)"],
      [6, expect.stringContaining("control jumps into it at line 6")],
    ]);
  });

  it("does not fold one iteration if its facts are more than its steps, and writes remainders as equations", async () => {
    const { report } = await compressed(
      `int main(void) { int n = __VERIFIER_nondet_int(), s = 0;
      for (int i = 1; i <= n; i++) s += i;
      assert(2 * s != n * (n + 1)); }`,
      [5n],
    );
    const { failure } = report.loops[0]!;
    expect(failure!.reason).toBe("only its last iteration could be folded: 3 steps would become 6 facts");
    expect(failure!.best).toMatchObject({
      from: 4,
      invariant: expect.arrayContaining([expect.objectContaining({ text: expect.stringMatching(/^mod\(.* == /) })]),
    });
  });

  it("takes undefined behaviour as a target", async () => {
    const { report, shown } = await compressed(
      "int main(void) { int x = 0; for (int i = 0; i < 30; i++) x++; int i = x / 2; while (i < 90) { a[i] = 1; i++; } }",
    );
    expect(report.outcome).toMatchObject({ kind: "undefined-behaviour" });
    expect(report.status).toBe("ok");
    expect(shown).toContain("index 15 is outside of a[10]");
  });
});

describe("the listing", () => {
  it("shows each loop by its own head, also on one line and without a condition", async () => {
    const { shown } = await compressed(
      "int main(void) { int s = 0; for (int i = 0; i < 6; i++) for (int j = 0; j < i; j++) s++;\n" +
        "for (;;) { s++; if (s > 40) break; } assert(s < 0); }",
    );
    expect(shown).toContain("+-- for (int i = 0; i < 6; i++): 6 iterations");
    expect(shown).toContain("inside, for (int j = 0; j < i; j++):");
    expect(shown).toContain("+-- for (;;): ");
  });

  it("hides steps without source text, but gives them a place and counts them", async () => {
    const { report, shown } = await compressed("int main(void) { for (int i = 0; i < 6; i++); assert(0); }");
    expect(report.folded.steps).toBe(report.steps.length);
    expect(report.steps[0]).toMatchObject({ text: "return", location: { file: "program.c", line: 3 } });
    expect(shown).not.toMatch(/\| return|at the start/);
  });
});

describe("an interruption", () => {
  const text = `${prelude}int main(void) { int x = 0;
    for (int i = 0; i < 9; i++) x++;
    for (int i = 0; i < 9; i++) x += 2;
    assert(x < 0); }`;

  it("keeps the folds so far, and never calls the proof checked", async () => {
    const program = await loadCText("program.c", text, { preprocess: "builtin" });
    const trace = recordTrace(program, { inputs: [] });
    const folds = new Set<number>();
    for (let patience = 0, isDone = false; !isDone; patience += 5) {
      const cancellation = cancelledAtLook(patience);
      const { compressed, proof } = compressRun(trace, { checkers: ["z3"], cancellation });
      folds.add(compressed.folds.length);
      isDone = cancellation.looked() <= patience;
      // A wait for a solver looks more often on a busy machine, so the end may also come when every verdict is there.
      if (isDone) expect(proof.checked).toBe(true);
      expect(proof.checked && (proof.interrupted || proof.verdicts.length < proof.obligations.length)).toBe(false);
      if (!compressed.interrupted) continue;
      expect(proof.checked).toBe(false);
      const reasons = compressed.failures.map(({ reason }) => reason);
      expect(reasons).toEqual(reasons.map(() => expect.stringContaining("the work was ended")));
      expect(reasons.length + compressed.folds.length).toBe(2);
    }
    expect([...folds].sort()).toEqual([0, 1, 2]);
  });
});
