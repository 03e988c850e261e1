import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { type RecordedTest, readRecording, runRecorded } from "../../../src/explain/test/recordTest.ts";
import { startRecording } from "../../../src/recorder/vitest.ts";
import { root } from "../../support/builtCli.ts";

export const project = join(root, "examples/vitest");

let recording: Promise<string> | null = null;

/** The tests of the example project, recorded once for all who ask. */
export async function recordedExample(name: string): Promise<RecordedTest> {
  recording ??= record();
  return readRecording(await recording, { name: `shop > ${name}`, message: "" }, project);
}

async function record(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "tracefold-example-"));
  startRecording(directory, { quota: 0, maxBytes: 2 ** 26, root: project });
  await runRecorded(["run"], directory, project, neverCancelled);
  return directory;
}
