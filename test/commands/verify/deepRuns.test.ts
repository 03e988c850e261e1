import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";
import { recordTrace, runTrace } from "../../../src/interpreter/trace.ts";

/** Fails after about sixty million steps, whatever it reads. */
const deep = `
  extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
  int main(void) {
    unsigned x = 0, n = __VERIFIER_nondet_uint();
    while (x < 20000000) { x++; n++; }
    if (x % 2 == 0) reach_error();
    return 0;
  }`;

async function decide(run: { readonly maxSteps?: number }) {
  const program = await loadCText("deep.c", deep, { preprocess: "builtin", uninitialized: "input" });
  const options = { property: "assert", engines: ["runs"], solver: "auto", seed: 1, milliseconds: 60_000 } as const;
  return verifyProgram(program, { ...options, run }).verdict;
}

describe("runs that take long to fail", () => {
  it("end at no step limit, and are recorded only when someone asks", async () => {
    const verdict = await decide({});
    if (verdict.kind !== "unsafe") throw new Error(verdict.kind);
    const { trace } = verdict;
    expect(trace.steps).toBeGreaterThan(60_000_000);
    expect(trace.outcome.kind).toBe("error-location");
  });

  it("end at the step limit that was given", async () => {
    expect((await decide({ maxSteps: 1_000_000 })).kind).toBe("unknown");
  });
});

describe("a run that is recorded when someone asks", () => {
  it("has the record that it would have had", async () => {
    const program = await loadCText("short.c", deep.replace("20000000", "20"), { preprocess: "builtin" });
    const [recorded, later] = [recordTrace, runTrace].map((run) => run(program, { inputs: [3n] }));
    expect(later?.steps).toBe(recorded?.steps);
    expect(later?.log.map((chunk) => [...chunk])).toEqual(recorded?.log.map((chunk) => [...chunk]));
  });
});
