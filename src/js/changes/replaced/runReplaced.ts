import { existsSync, readFileSync, rmSync } from "node:fs";
import { nth } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import { entryPath } from "../../runners/entries.ts";
import type { TestOutcome, TestRun } from "../../runners/runner.ts";
import type { RunnerSession } from "../../runners/session.ts";
import type { Survey } from "../surveyTests.ts";
import { writeSources } from "../switchedSources.ts";
import type { ReplacedSources, ReplaceOptions } from "./replaceSources.ts";

/** Milliseconds of work for a run that may not end: the start of a worker, and some tests. */
const shortest = 3000;

/** How tests end with other sources, compared with how they ended before. */
export type ReplacedRun = TestRun & {
  /** null if the test that was asked about did not run. */
  readonly target: TestOutcome | null;
  /** Tests that passed before and fail now. */
  readonly broken: readonly TestOutcome[];
  /** Tests that failed before and still fail. */
  readonly stillFailing: readonly TestOutcome[];
  /** Tests that passed before and did not end now: the run was ended, or its files were not loaded. */
  readonly notRun: readonly TestOutcome[];
  /** The sources that no test loaded in their new form. */
  readonly notLoaded: readonly string[];
};

export type TestKey = (test: TestOutcome) => string;
export const keyOfTest: TestKey = ({ id }) => `${id.project}\n${id.file}\n${id.name}`;

/** Runs tests with other sources in place of those on disk. `files`: absolute paths of test files, null for all. */
export async function runReplaced(
  session: RunnerSession,
  target: TestOutcome,
  { run: before, work = 0 }: Survey,
  sources: ReplacedSources,
  files: readonly string[] | null,
): Promise<ReplacedRun> {
  const path = writeSources(session, "changed.json", sources);
  const list = `${path}.list`;
  rmSync(list, { force: true });
  const options: ReplaceOptions = { sources: path, list };
  // A change may make other tests run forever.
  const limit = shortest + 2 * work;
  const run = withEarlierNames(
    await session.run({ files, transform: entryPath("replaceSources"), options, limit }),
    before,
  );
  const loaded = new Set(existsSync(list) ? readFileSync(list, "utf8").split("\n") : []);
  const passed = new Set(before.tests.filter(({ state }) => state === "passed").map(keyOfTest));
  // A run that was ended says nothing about the rest: vitest lists the tests that did not run, too.
  const ran = new Set(run.tests.flatMap((test) => (test.state === "skipped" ? [] : [keyOfTest(test)])));
  const isWanted = ({ id }: TestOutcome) => files === null || files.includes(id.file);
  const failing = run.tests.filter(({ state }) => state === "failed");
  return {
    ...run,
    target: run.tests.find((test) => keyOfTest(test) === keyOfTest(target)) ?? null,
    broken: failing.filter((test) => passed.has(keyOfTest(test))),
    stillFailing: failing.filter((test) => !passed.has(keyOfTest(test))),
    notRun: before.tests.filter((test) => isWanted(test) && passed.has(keyOfTest(test)) && !ran.has(keyOfTest(test))),
    notLoaded: Object.keys(sources).filter((source) => !loaded.has(session.pathOf(source))),
  };
}

/** The name of a test may hold the time: tests of a file that are missing are those that are new, in their order. */
export function withEarlierNames(now: TestRun, before: TestRun): TestRun {
  const strangers = (run: TestRun, other: TestRun) => {
    const known = new Set(other.tests.map(keyOfTest));
    const byFile = new Map<string, TestOutcome[]>();
    for (const test of run.tests)
      if (!known.has(keyOfTest(test))) remembered(byFile, `${test.id.project}\n${test.id.file}`, () => []).push(test);
    return byFile;
  };
  const missing = strangers(before, now);
  const earlier = new Map<TestOutcome, TestOutcome>();
  for (const [file, fresh] of strangers(now, before)) {
    const old = missing.get(file) ?? [];
    if (old.length === fresh.length) for (const [i, test] of fresh.entries()) earlier.set(test, nth(old, i));
  }
  return { ...now, tests: now.tests.map((test) => ({ ...test, id: earlier.get(test)?.id ?? test.id })) };
}
