import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding, VerifyEngine } from "../../../src/analyses/verify/engine.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { VerifyOptions } from "../../../src/commands/verify/verification.ts";
import { certificateOf } from "../../../src/cutpoints/certificate.ts";
import { plain } from "../../../src/render/layout.ts";
import { verifyText } from "../../../src/render/verifyText.ts";
import { findExecutable } from "../../../src/solver/backend/backends.ts";

const load = (text: string) => loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });
const options: VerifyOptions = {
  property: "assert",
  engines: null,
  solver: "auto",
  seed: 1,
  milliseconds: 30_000,
  run: {},
};

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);";
/** No run finds its error: one input of four billion. */
const rare = `${declarations}
int main(void) {
  int x = __VERIFIER_nondet_int(), i = 0;
  while (i < 5) i++;
  if (x * 3 == 123456789) reach_error();
  return 0;
}`;
const counting = `${declarations}
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
  return 0;
}`;

function saying(finding: (task: Parameters<VerifyEngine["decide"]>[0]) => Finding): VerifyOptions["plan"] {
  return [{ engine: { name: "houdini", decide: finding }, share: 1 }];
}

describe("faults of verify", () => {
  it("refuses an engine that lies, in both directions", async () => {
    const program = await load(rare);
    const safe = saying(({ model, knowledge }) => ({
      kind: "safe",
      certificate: certificateOf(model, knowledge.invariants),
    }));
    const impossible = saying(({ model }) => ({
      kind: "safe",
      certificate: certificateOf(
        model,
        new Map([...model.heads.keys()].map((key) => [key, [model.terms.bool(false)]])),
      ),
    }));
    const unsafe = saying(() => ({ kind: "unsafe", inputs: [7n] }));
    for (const plan of [safe, impossible, unsafe]) {
      const { verdict, log } = verifyProgram(program, { ...options, plan: plan! });
      expect(verdict).toMatchObject({ kind: "unknown", reasons: [{ reason: expect.stringContaining("houdini") }] });
      expect(log.map(({ result }) => result)).toContain("refused");
    }
  });

  it("reports a certificate that runs contradict as a defect, and keeps both", async () => {
    const program = await load(counting);
    // The visits are those of no run: as if the interpreter and the encoder did not mean the same.
    const plan = saying(({ model, knowledge }) => {
      const [head] = model.heads.values();
      const i = head!.live.find(({ name }) => name.startsWith("i#"))!;
      const n = head!.live.find(({ name }) => name.startsWith("n#"))!;
      const values = head!.live.map((place) => (place === i ? 9n : place === n ? 3n : 0n));
      knowledge.visits.get(head!.key)!.push({ head: head!.key, step: 4, values });
      return { kind: "safe", certificate: certificateOf(model, new Map([[head!.key, [model.terms.le(i, n)]]])) };
    });
    expect(() => verifyProgram(program, { ...options, plan: plan! })).toThrow(
      /certificate that was checked says .*i#.* but a run has there at step 4: .*i#\S+ = 9/s,
    );
  });

  it.skipIf(findExecutable("z3") === null || process.platform === "win32")(
    "restarts a solver that is killed, or says nothing",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "tracefold-faults-"));
      const before = process.env.PATH;
      try {
        writeFileSync(join(folder, "z3"), `#!/bin/sh\nexec timeout -s KILL 0.4 ${findExecutable("z3")} "$@"\n`);
        chmodSync(join(folder, "z3"), 0o755);
        process.env.PATH = `${folder}:${before}`;
        const { verdict } = verifyProgram(await load(rare), { ...options, milliseconds: 6000 });
        expect(verdict.kind).not.toBe("safe");
        const { verdict: other } = verifyProgram(await load(counting), { ...options, milliseconds: 6000 });
        expect(other.kind).not.toBe("unsafe");
      } finally {
        process.env.PATH = before;
        rmSync(folder, { recursive: true });
      }
    },
  );

  it("says unknown after an interruption, with what was proved until then", async () => {
    const program = await load(counting.replace("i != n", "i * i != n * n && i % 7 == 3"));
    let isInterrupted = false;
    const cancellation = {
      isCancelled: () => isInterrupted,
      get reason() {
        return isInterrupted ? ("interrupt" as const) : null;
      },
      processes: null,
    };
    const plan = saying(({ model, knowledge }) => {
      const [head] = model.heads.values();
      const i = head!.live.find(({ name }) => name.startsWith("i#"))!;
      knowledge.invariants.set(head!.key, [model.terms.ge(i, model.terms.int(0n))]);
      isInterrupted = true;
      return { kind: "unknown", reason: "interrupted" };
    });
    const verification = verifyProgram(program, { ...options, plan: plan!, cancellation });
    const about = { version: "0", ms: 0, replay: () => "" };
    const report = describeVerification(program, verification, options, about);
    const text = verifyText(report, { paint: plain, source: () => null, explainVerdict: false });
    expect(text).toMatch(/^unknown: whether no assertion fails.*\nunknown: interrupted\n/);
    expect(text).toContain("proved so far:\ntask.c:5:10: loop\n    i >= 0\n");
  });

  it("works with the embedded solver alone", async () => {
    const { verdict } = verifyProgram(await load(counting), { ...options, engines: ["houdini"], solver: "wasm" });
    expect(verdict.kind).toBe("safe");
  });

  it("says unknown for unsupported code on a way, with its place", async () => {
    const text = `${declarations}
int f(int n) { return n <= 0 ? 0 : f(n - 1) + (n == 77 ? (reach_error(), 1) : 1); }
int main(void) { return f(__VERIFIER_nondet_int() & 3); }`;
    const { verdict } = verifyProgram(await load(text), { ...options, milliseconds: 4000 });
    expect(verdict).toMatchObject({ kind: "unknown", reasons: [{ reason: "a recursive call", where: { line: 2 } }] });
  });
});
