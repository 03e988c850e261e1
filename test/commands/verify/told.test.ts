import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";

async function report(text: string, property: Property) {
  const program = await loadCText("task.c", text, { preprocess: "builtin" });
  const options = { property, engines: ["houdini"], solver: "auto", seed: 1, milliseconds: 20_000, run: {} } as const;
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
