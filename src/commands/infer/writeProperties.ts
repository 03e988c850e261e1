import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Cancellation } from "../../base/cancellation.ts";
import { TracefoldError } from "../../base/errors.ts";
import { writeWhole } from "../../base/files.ts";
import { findRunner } from "../../js/runners/detectRunner.ts";
import { type Launch, plainLaunch, type TestRun } from "../../js/runners/runner.ts";
import { openSession } from "../../js/runners/session.ts";
import { contractProperties, type PropertiesTarget, propertiesFile } from "./properties.ts";
import type { InferReport, WrittenProperties } from "./result.ts";

type PropertiesRequest = { readonly words: readonly string[]; readonly folder: string; readonly path: string };

/**
 * Writes a test file with properties, and runs it under the project's runner. Properties that fail are taken out. If the
 * file cannot be run, only those are written that hold for a correct program.
 */
export async function writeProperties(
  report: InferReport,
  { words, folder, path }: PropertiesRequest,
  cancellation: Cancellation,
): Promise<WrittenProperties> {
  const all = contractProperties(report);
  const { runner, launch } = findRunner(words, folder) ?? { runner: "vitest", launch: plainLaunch };
  const target: PropertiesTarget = { folder, path: resolve(path), runner };
  if (all.length === 0) return { path, count: 0, failed: [], notRun: null };
  writeWhole(path, propertiesFile(all, target));
  const { passed, failed, notRun } = await runProperties(target, launch, cancellation);
  const kept = all.filter(({ name, isGuess }) => (notRun === null ? passed.has(name) : !isGuess));
  if (kept.length === 0) rmSync(path);
  else if (kept.length < all.length) writeWhole(path, propertiesFile(kept, target));
  return { path, count: kept.length, failed: all.map(({ name }) => name).filter((name) => failed.has(name)), notRun };
}

type PropertyRun = {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  readonly notRun: string | null;
};

async function runProperties(
  target: PropertiesTarget,
  launch: Launch,
  cancellation: Cancellation,
): Promise<PropertyRun> {
  const { folder, path, runner } = target;
  try {
    const session = await openSession({ runner, launch, root: folder, words: [], cancellation });
    try {
      return outcomeOf(await session.run({ files: [path], limit: timeLimit }), path, runner);
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return { passed: new Set(), failed: new Set(), notRun: error.message };
  }
}

const timeLimit = 60_000;

function outcomeOf({ tests, problems }: TestRun, path: string, runner: string): PropertyRun {
  const own = tests.filter(({ id }) => id.file === path);
  const names = (state: "passed" | "failed") =>
    new Set(own.filter((one) => one.state === state).map(({ id }) => id.name));
  const [problem] = problems;
  const reason = problem?.error.message.split("\n")[0] ?? `it is no test file of ${runner}`;
  return { passed: names("passed"), failed: names("failed"), notRun: own.length > 0 ? null : reason };
}
