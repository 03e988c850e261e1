import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { surveyTests } from "../../src/js/changes/surveyTests.ts";
import { detectRunner } from "../../src/js/runners/detectRunner.ts";
import { entryPath } from "../../src/js/runners/entries.ts";
import type { TestRun } from "../../src/js/runners/runner.ts";
import { openSession } from "../../src/js/runners/session.ts";
import { copyProject, type TestCase } from "./testCase.ts";

/** Runs all tests of the projects as they are, with the survey and with the recorder: the same ones must fail. */
export async function compareResults(cases: readonly TestCase[]): Promise<void> {
  const projects = new Map(cases.map(({ project, command }) => [project, command]));
  let [compared, differing] = [0, 0];
  for (const [project, command] of projects) {
    const root = join(mkdtempSync(join(tmpdir(), "tracefold-case-")), basename(project));
    copyProject(project, root);
    const session = await openSession({ ...detectRunner(command, root), root, cancellation: neverCancelled });
    try {
      const timed = async (work: () => Promise<TestRun>) => {
        const start = performance.now();
        const { tests, problems } = await work();
        const states = new Map(tests.map(({ id, state, error }) => [`${id.file} ${id.name}`, { state, error }]));
        return { states, problems, seconds: (performance.now() - start) / 1000 };
      };
      const plain = await timed(() => session.run({}));
      const surveyed = await timed(async () => (await surveyTests(session, null)).run);
      const folder = mkdtempSync(join(session.folder, "trace-"));
      const traced = await timed(() =>
        session.run({
          ...{ transform: entryPath("traceTransform"), hooks: entryPath("traceWorker") },
          options: { folder, test: "" },
        }),
      );
      const lines: string[] = [];
      for (const [key, { state }] of plain.states) {
        for (const [how, run] of [
          ["surveyed", surveyed],
          ["recorded", traced],
        ] as const) {
          const now = run.states.get(key);
          if (now?.state !== state)
            lines.push(
              `  ${how}: ${key} is ${now?.state ?? "missing"}, not ${state}: ${now?.error?.message.split("\n")[0]}`,
            );
        }
      }
      compared += plain.states.size;
      differing += lines.length;
      const times = [plain, surveyed, traced].map(({ seconds }) => seconds.toFixed(1)).join(" / ");
      console.log(
        `${basename(project)}: ${plain.states.size} tests, ${lines.length} differ; ${times} s plain, surveyed, recorded`,
      );
      for (const line of lines.slice(0, 8)) console.log(line);
      for (const { error } of [...surveyed.problems, ...traced.problems].slice(0, 3))
        console.log(`  problem: ${error.message.split("\n")[0]}`);
    } finally {
      session.close();
      rmSync(resolve(root, ".."), { recursive: true, force: true });
    }
  }
  console.log(`${compared} tests compared, ${differing} differ`);
}
