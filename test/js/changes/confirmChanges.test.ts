import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { present } from "../../../src/base/checked.ts";
import { confirmChanges } from "../../../src/js/changes/confirmChanges.ts";
import { readSites } from "../../../src/js/changes/proposeChanges.ts";
import type { TestOutcome } from "../../../src/js/runners/runner.ts";
import type { RunnerSession } from "../../../src/js/runners/session.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-confirm-"));
afterAll(() => rmSync(folder, { recursive: true }));

const outcome = (name: string, state: TestOutcome["state"]): TestOutcome => ({
  ...{ id: { file: "/a.test.js", name, project: "" }, state, milliseconds: 1, error: null },
});

/** Confirms one change with a runner that gives these results. */
async function confirmed(after: readonly TestOutcome[], before = "other") {
  const file = { ...present(readSites({ path: "/a.js", text: "a - b;\n" })), functions: new Set([0]) };
  const change = {
    kind: "arithmetic",
    file: "/a.js",
    edits: [{ start: 2, end: 3, text: "+" }],
    size: 2,
    lines: [1],
  } as const;
  const target = outcome("target", "failed");
  const session: RunnerSession = {
    ...{ runner: "mocha", root: "/", folder, work: () => 0, printed: () => "", close: () => {} },
    ...{ pathOf: (path: string) => path, copy: () => Promise.reject(new Error("not here")) },
    run: () => Promise.resolve({ tests: after, problems: [] }),
  };
  const survey = { run: { tests: [target, outcome(before, "passed")], problems: [] }, files: [] };
  const passing = { change, asked: 0, broken: [], repairs: null, stillFailing: [], isConfirmed: false };
  const evidence = () => ({ lateness: 0, suspicion: 0 });
  return confirmChanges({ session, target, survey, budget: 1, confirm: 1 }, [file], [passing], evidence);
}

it("shows a change with which the runner agrees", async () => {
  const [line] = await confirmed([outcome("target", "passed"), outcome("other", "failed")]);
  expect(line?.changes[0]).toMatchObject({ isConfirmed: true, asked: 1, broken: ["other"] });
});

it("shows no change whose run ended before all tests had run", async () => {
  expect(await confirmed([outcome("target", "passed")])).toEqual([]);
});

it("shows no change with which a test that passed was not run, though the runner lists it", async () => {
  expect(await confirmed([outcome("target", "passed"), outcome("other", "skipped")])).toEqual([]);
});

it("knows a test again whose name holds the time", async () => {
  const [line] = await confirmed([outcome("target", "passed"), outcome("runs at 12:01", "passed")], "runs at 12:00");
  expect(line?.changes[0]).toMatchObject({ isConfirmed: true, asked: 1, broken: [] });
});
