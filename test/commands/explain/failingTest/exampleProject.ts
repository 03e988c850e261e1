import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { neverCancelled } from "../../../../src/base/cancellation.ts";
import {
  type RecordedTest,
  readRecording,
  runRecorded,
} from "../../../../src/commands/explain/failingTest/recordFailingTest.ts";
import { startRecording } from "../../../../src/js/recorder/vitest.ts";
import { root } from "../../../support/builtCli.ts";

const recordings = new Map<string, Promise<string>>();

/** A failing test of the example project. */
export async function recordedExample(name: string): Promise<RecordedTest> {
  return recordedIn("examples/vitest", `shop > ${name}`);
}

/** A failing test of a project of this repository, whose tests are recorded once for all who ask. */
export async function recordedIn(folder: string, name: string): Promise<RecordedTest> {
  const project = join(root, folder);
  const recording = recordings.get(project) ?? record(project);
  recordings.set(project, recording);
  return readRecording(await recording, { name, message: "" }, project);
}

async function record(project: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "tracefold-example-"));
  startRecording(directory, { quota: 0, maxBytes: 2 ** 26, root: project });
  await runRecorded(["run"], directory, project, neverCancelled);
  return directory;
}
