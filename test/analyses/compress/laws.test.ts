import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomInputs } from "../../../src/interpreter/inputs.ts";
import { builtCli, root } from "../../support/builtCli.ts";
import { compressText } from "../../support/compressed.ts";
import { type FoldJudgement, failingProgram, judgeFolding } from "../../support/foldLaw.ts";
import { loopProgram } from "../../support/loopPrograms.ts";
import { flatCompression } from "../../support/reports/flatReport.ts";

const foldCase = fc.record({
  program: loopProgram(0, 1),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  choice: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
});

describe("laws of folding", () => {
  // A few programs that are quick to fold: the suite has little time.
  const cases = fc.sample(foldCase, { seed: 12, numRuns: 8 });
  const attempts = { maxAttempts: 3 };

  it("is no longer than the run, includes the recorded run, and all its runs meet the target", async () => {
    const judged: FoldJudgement[] = [];
    for (const chosen of cases) {
      const failing = await failingProgram(chosen);
      if (failing === null) continue;
      const judgement = await judgeFolding(failing, attempts);
      judged.push(judgement);
      expect(judgement.problem, failing.text).toBeNull();
    }
    // The laws say nothing about programs in which nothing is folded, and little where no other run is met.
    expect(judged.filter(({ folds, checked }) => folds > 0 && checked).length).toBeGreaterThanOrEqual(5);
    expect(judged.reduce((sum, { matched }) => sum + matched, 0)).toBeGreaterThan(15);
  });

  it("gives the same result for the same program and inputs", async () => {
    for (const chosen of cases.slice(5, 7)) {
      const failing = (await failingProgram(chosen))!;
      const once = async () => {
        const run = await compressText(failing.text, randomInputs(failing.seed), attempts);
        const { stats: _, ...report } = flatCompression(run, { version: "", ms: 0 });
        return JSON.stringify({
          report,
          claims: run.claims,
          obligations: run.proof.obligations.map(({ text }) => text),
        });
      };
      expect(await once()).toBe(await once());
    }
  });

  it("gives the same result in another process", () => {
    const once = () => {
      const args = [builtCli(), "compress", "nested.c", "--format", "json"];
      const { stdout } = spawnSync("node", args, { cwd: join(root, "examples/folding"), encoding: "utf8" });
      const { stats: _, ...report } = JSON.parse(stdout);
      return report;
    };
    expect(once()).toEqual(once());
  });
});
