import { expect, it } from "vitest";
import type { EngineName } from "../../../src/analyses/verify/engine.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";

async function report(text: string, property: Property, engines: readonly EngineName[] = ["houdini"]) {
  const program = await loadCText("task.c", text, { preprocess: "builtin", undefined: "input" });
  const options = { property, engines, solver: "auto", seed: 1, milliseconds: 20_000, run: {} } as const;
  return describeVerification(program, verifyProgram(program, options), options, {
    version: "0",
    ms: 0,
    replay: () => "",
  });
}

it("tells a program without assertions which properties there are", async () => {
  const text = "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; return s; }";
  const [note] = (await report(text, "assert")).notes;
  expect(note?.message).toContain("--property asks for overflow");
  expect((await report(text, "overflow")).notes).toEqual([]);
});

it("does not print facts that hold for every value of a type", async () => {
  const { verdict, invariants } = await report(
    `extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
    int main(void) {
      unsigned char c = 7, n = 0;
      while (__VERIFIER_nondet_uchar() != 255) { c = __VERIFIER_nondet_uchar(); n = c * c % 7; }
      if (n == 4) reach_error();
      return 0;
    }`,
    "assert",
  );
  expect(verdict).toBe("unknown");
  const told = invariants.flatMap(({ conjuncts }) => conjuncts.map(({ text }) => text));
  expect(told).not.toContain("c >= 0");
  expect(told).not.toContain("c <= 255");
});

it("does not call a program unsafe because of a result that was made up", async () => {
  const program = (body: string) => `#include <math.h>
    extern int __fpclassify(double); extern double other(double); extern void reach_error(void);
    int main(void) { ${body} return 0; }`;
  const about = (body: string) => report(program(body), "assert", ["runs", "unrolling"]);
  const erf = await about("if (erf(1.0) == 7.0) reach_error();");
  expect(erf.verdict).toBe("unknown");
  expect(JSON.stringify(erf)).toContain("a run fails, but it uses a result of erf that was made up");
  expect((await about("if (other(1.0) == 7.0) reach_error();")).verdict).toBe("unsafe");
  expect((await about("if (__fpclassify(0.0) != FP_ZERO || isnan(1.0)) reach_error();")).verdict).toBe("safe");
});
