import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { createSolver } from "../../../src/solver/solverChain.ts";
import { hasTool } from "../tools.ts";
import { cornerInputs } from "./cornerInputs.ts";
import { type ExplainedCase, explainCase, inputType } from "./explainedRun.ts";
import { parseFormula } from "./formula.ts";
import { compareWithGcc } from "./gccClaims.ts";
import { instrumentClaim } from "./instrumentClaim.ts";
import { runSamples } from "./judgeClaim.ts";
import type { Claim } from "./readClaim.ts";
import { type Sample, type SampledInput, sampleInputs } from "./sampleInputs.ts";

/** Adds `k` up `n` times; it divides by `d - 3` from the ninth round on, and goes on for ever if `k` is 0. */
const text = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int k = __VERIFIER_nondet_int();
  int d = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n) {
    i += k;
    if (i > 8) d = 10 / (d - 3);
  }
  assert(i < 5);
  return 0;
}
`;

/** The case with a claim of our own in place of what is printed. */
async function claiming(kind: Claim["kind"], ...condition: readonly string[]): Promise<ExplainedCase> {
  const program = await loadCText("program.c", text, { preprocess: "builtin" });
  const explained = explainCase(recordTrace(program, { inputs: [6n, 2n, 0n] }), { shrink: false })!;
  const formulas = condition.map((formula) => parseFormula(formula)!);
  const names = ["n", "k", "d"];
  const claim = {
    kind,
    condition: formulas,
    unreadable: false,
    irrelevant: new Set<number>(),
    openLines: new Set<number>(),
    openWays: new Set<number>(),
    text: "",
  };
  const inputNamed = (name: string) => (names.includes(name) ? names.indexOf(name) : null);
  return { ...explained, report: withoutMarks(explained.report), claim: { ...claim, inputNamed } };
}

/** What holds on this run only is so beside the claim that was printed; of ours all of it follows. */
function withoutMarks(report: ExplainedCase["report"]): ExplainedCase["report"] {
  const loops = report.loops.map((loop) => ({
    ...loop,
    invariant: loop.invariant.map(({ onlyThisRun: _, ...formula }) => formula),
  }));
  return { ...report, loops };
}

function inputsOf({ trace }: ExplainedCase): readonly SampledInput[] {
  return trace.inputs.map((input) => ({ value: input.value, type: inputType(trace, input) }));
}

function samplesOf(explained: ExplainedCase, corners: readonly Sample[] = []): readonly Sample[] {
  return sampleInputs(explained.claim, inputsOf(explained), { seed: 1, random: 20, corners });
}

async function kindsFor(...claim: Parameters<typeof claiming>): Promise<readonly string[]> {
  const explained = await claiming(...claim);
  const verdicts = runSamples(explained, samplesOf(explained)).map(({ verdict }) => verdict);
  return [...new Set(verdicts.map((verdict) => (typeof verdict === "string" ? verdict : verdict.kind)))].sort();
}

describe("judging a claim", () => {
  it("finds runs that pass, divide by zero, or do not end", async () => {
    expect(await kindsFor("total", "n >= -10")).toEqual(["does not end", "fails otherwise", "open", "passes", "same"]);
    expect(await kindsFor("total", "n >= 5", "n <= 8", "k == 2")).toEqual(["same"]);
    expect(await kindsFor("total", "n >= 5", "n <= 8", "k >= 0", "k <= 2")).toEqual(["does not end", "same"]);
  });

  it("leaves out what is open", async () => {
    expect(await kindsFor("ifTerminates", "n >= 5", "n <= 8", "k >= 0", "k <= 2")).toEqual(["open", "same"]);
    expect(await kindsFor("samePath", "n >= 5", "k >= 0", "k <= 2")).not.toContain("fails otherwise");
  });

  it("goes to the corners of a condition", async () => {
    const explained = await claiming("total", "2 * n + 3 * k <= 1000", "n >= 17 * k", "k >= -4");
    const { solver } = createSolver();
    const corners = cornerInputs(solver, explained.claim, inputsOf(explained), 2);
    solver.dispose();
    const extremes = (index: number) => [...new Set(corners.map((corner) => corner[index]))];
    expect(extremes(0)).toEqual(expect.arrayContaining([-68n, 506n]));
    expect(extremes(1)).toEqual(expect.arrayContaining([-4n, 27n]));
    expect(new Set(corners.map(String)).size).toBeGreaterThanOrEqual(4);
    expect(samplesOf(explained, corners).map(String)).toEqual(expect.arrayContaining(corners.map(String)));
  });

  it.skipIf(!hasTool("gcc"))("compares with gcc, invariants included", async () => {
    const explained = await claiming("total", "n >= 5", "n <= 8", "k == 2");
    const runs = runSamples(explained, [
      [6n, 2n, 0n],
      [8n, 2n, 9n],
    ] as readonly Sample[]);
    const job = (checked: string, checks: readonly string[]) => ({
      ...{ text: checked, plain: instrumentClaim(text, null).text, checks, topLevel: ["main"] },
      runs: runs.map(({ inputs, outcome }) => ({ inputs: inputs.map(({ value }) => value), outcome })),
    });
    const good = instrumentClaim(text, explained);
    expect(good.checks).not.toEqual([]);
    const bad = text.replace("while (i < n)", "while ((tf_check(0, i != 4), i < n))");
    const other = text.replace("assert(i < 5);", "assert(i < 7);");
    const jobs = [job(good.text, good.checks), job(bad, ["i != 4"]), job(other, [])];
    const found = await compareWithGcc(jobs);
    expect(found.map((violations) => violations.map(({ kind }) => kind))).toEqual([
      [],
      ["invariant", "invariant"],
      ["gcc differs"],
    ]);
  });
});
