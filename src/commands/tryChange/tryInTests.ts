import { resolve } from "node:path";
import { type Cancellation, throwIfCancelled } from "../../base/cancellation.ts";
import { runReplaced } from "../../js/changes/replaced/runReplaced.ts";
import { surveyTests } from "../../js/changes/surveyTests.ts";
import { detectRunner } from "../../js/runners/detectRunner.ts";
import type { TestOutcome } from "../../js/runners/runner.ts";
import { openSession } from "../../js/runners/session.ts";
import { firstLine } from "../../js/trace/question.ts";
import { chooseTest } from "../explain/failingTest/chooseTest.ts";
import type { ChangedFile, TriedTest, TryResult } from "./result.ts";

export type TryInTestsOptions = {
  readonly cancellation: Cancellation;
  readonly progress: (phase: string) => void;
};

/** Runs all tests of a project as it is, and then with other texts in place of some sources. */
export async function tryInTests(
  command: readonly string[],
  test: string,
  changes: readonly ChangedFile[],
  { cancellation, progress }: TryInTestsOptions,
): Promise<TryResult> {
  const root = process.cwd();
  progress("running the tests as they are");
  const session = await openSession({ ...detectRunner(command, root), root, cancellation });
  try {
    const survey = await surveyTests(session, null, test);
    throwIfCancelled(cancellation, "running the tests");
    const target = chooseTest(test, survey.run, session.printed());
    progress("running the tests with the change");
    // A changed program may write where the program itself does not.
    const hasEffects = survey.files.some(({ tests }) => tests.some(({ effects }) => effects.length > 0));
    const place = hasEffects ? await session.copy() : session;
    try {
      const sources = Object.fromEntries(changes.map(({ path, was, now }) => [resolve(root, path), { was, now }]));
      const now = await runReplaced(place, target, survey, sources, null);
      throwIfCancelled(cancellation, "running the tests with the change");
      const [missed] = now.notLoaded;
      const [problem] = now.problems;
      const isNew = now.problems.length > survey.run.problems.length;
      if (isNew && problem !== undefined && now.target === null)
        return { kind: "notRun", reason: `the changed project does not load: ${firstLine(problem.error.message)}` };
      if (missed !== undefined)
        return { kind: "notRun", reason: `no test loads ${missed} as a source, so the change was not tried` };
      return {
        kind: "ran",
        target:
          now.target === null
            ? { name: target.id.name, passes: false, message: "it did not run with the change" }
            : told(now.target),
        ran: now.tests.filter(({ state }) => state !== "skipped").length,
        passed: now.tests.filter(({ state }) => state === "passed").length,
        broken: [
          ...now.broken.map(told),
          ...(isNew
            ? [{ name: problem?.file ?? "the run", passes: false, message: problem?.error.message ?? "" }]
            : []),
        ],
        stillFailing: now.stillFailing.filter((each) => each !== now.target).map(told),
        notRun: now.notRun.map(({ id }) => id.name),
      };
    } finally {
      if (hasEffects) place.close();
    }
  } finally {
    session.close();
  }
}

function told({ id, state, error }: TestOutcome): TriedTest {
  return { name: id.name, passes: state === "passed", message: firstLine(error?.message ?? state) };
}
