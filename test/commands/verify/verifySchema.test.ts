import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { describeVerification } from "../../../src/commands/verify/describeVerification.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import type { Property } from "../../../src/cutpoints/obligation.ts";
import { schemaErrors } from "../../support/schema.ts";

const errorsIn = (report: unknown) => schemaErrors("VerifyReport", report);

async function reportOf(text: string, property: Property) {
  const program = await loadCText("task.c", text, { preprocess: "builtin", uninitialized: "input" });
  const options = { property, engines: null, solver: "auto", seed: 1, milliseconds: 20_000, run: {} } as const;
  const about = { version: "0.0.0", ms: 1, replay: (inputs: readonly string[]) => `run ${inputs.join(",")}` };
  return describeVerification(program, verifyProgram(program, options), options, about);
}

const input = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);";

describe("the report of verify", () => {
  it.each<[string, Property, string]>([
    ["safe", "assert", `${input} int main(void) { int i = 0; while (i < 9) i++; if (i > 9) reach_error(); return 0; }`],
    ["unsafe", "assert", `${input} int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }`],
    ["unknown", "uninitialised", `${input} int main(void) { int a[2]; a[0] = 3; return a[0]; }`],
  ])("follows the schema: %s", async (verdict, property, text) => {
    const report = await reportOf(text, property);
    expect(report.verdict).toBe(verdict);
    expect(errorsIn(report)).toEqual([]);
    expect(errorsIn({ ...report, surplus: 1 })).not.toEqual([]);
    expect(errorsIn({ ...report, verdict: "perhaps" })).not.toEqual([]);
  });
});
