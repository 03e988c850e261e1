import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../../src/base/cancellation.ts";
import { present } from "../../../../src/base/checked.ts";
import { explanationOf, orderFrom, recordTest } from "../../../../src/commands/explain/failingTest/explainTest.ts";
import type { Explained } from "../../../../src/commands/explain/result.ts";
import { judgeChanges } from "../../../../src/js/changes/judgeChanges.ts";
import { type Survey, surveyTests } from "../../../../src/js/changes/surveyTests.ts";
import { openSession, type RunnerSession } from "../../../../src/js/runners/session.ts";
import { openRecording } from "../../../../src/recording/openRecording.ts";
import { reasonsOfExecution } from "../../../../src/recording/reasons.ts";
import type { Recording } from "../../../../src/recording/recording.ts";
import { digestOf } from "../../../js/runners/fixture.ts";
import { root as repository } from "../../../support/builtCli.ts";

/** A fresh copy of examples/vitest. */
const root = mkdtempSync(join(tmpdir(), "tracefold-example-"));
for (const name of ["package.json", "vitest.config.ts", "src", "test"])
  cpSync(join(repository, "examples/vitest", name), join(root, name), { recursive: true });
symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));

let session: RunnerSession;
let survey: Survey;
const before = digestOf(root);

beforeAll(async () => {
  session = await openSession({ runner: "vitest", root, words: ["run"], cancellation: neverCancelled });
  survey = await surveyTests(session, null);
}, 60_000);

afterAll(() => {
  session.close();
  rmSync(root, { recursive: true });
});

/** Each edge of the explanation between two statements is one of the recording. Returns how many there are. */
function edgesInRecording({ graph }: Explained, recording: Recording | null): number {
  const open = openRecording(present(recording));
  const { executionsFrom, steps } = open.recording;
  // A node of a loop's head stands for the first step and the updates, too: joinLoopHeads.ts.
  const isHead = (node: number) => /^for\b/.test(graph.nodes[node]?.text ?? "");
  const executionsOf = (node: number) => (graph.nodes[node]?.steps ?? []).map((step) => step - (executionsFrom ?? 0));
  let compared = 0;
  for (const { from, to, kind } of graph.edges) {
    if (to === null || kind === "call" || isHead(from) || isHead(to)) continue;
    const reasons = executionsOf(to).flatMap((execution) => reasonsOfExecution(open, execution));
    const causes = new Set(reasons.map(({ step }) => steps.execution[step]));
    expect(executionsOf(from).some((execution) => causes.has(execution))).toBe(true);
    compared++;
  }
  return compared;
}

describe("examples/vitest", () => {
  it.each([
    ["ships for nothing from 50 on", "src/shipping.ts", 3],
    ["finds the median", "src/median.ts", 6],
    ["adds up an invoice", "src/invoice.ts", 4],
    ["lets an account be used up to its limit", "src/account.ts", 13],
    ["packs what is in stock", "src/stock.ts", 12],
  ])(
    "%s: the first suspect is the faulty line, and it is in the chain",
    async (name, file, line) => {
      const target = survey.run.tests.find(({ id }) => id.name.endsWith(name))!;
      const recorded = await recordTest(session, target, root, survey, true);
      const judgement = await judgeChanges({
        session,
        target,
        survey,
        budget: 1500,
        confirm: 2,
        ...orderFrom(recorded),
      });
      const explanation = explanationOf(recorded, target, survey.run.tests, judgement, { version: "1", ms: 1 });
      const [first] = explanation.suspects;
      expect({ file: first?.location.file, line: first?.location.line }).toEqual({ file, line });
      expect(explanation.graph.nodes.map(({ location }) => `${location.file}:${location.line}`)).toContain(
        `${file}:${line}`,
      );
      expect(edgesInRecording(explanation, recorded.recording)).toBeGreaterThan(0);
      expect(digestOf(root)).toBe(before);
    },
    60_000,
  );

  it("is explained by the command, without the name of a test, too", () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      ["--import", "tsx", join(repository, "src/cli/main.ts"), "explain", "--", "npx", "vitest", "run"],
      { cwd: root, encoding: "utf8", env: { ...process.env, FORCE_COLOR: "0" } },
    );
    expect(stdout).toContain("error: received is 4, expected 0");
    expect(stdout).toContain("look here");
    expect(stdout).toContain("observed and re-run");
    expect(status).toBe(0);
  }, 60_000);
});
