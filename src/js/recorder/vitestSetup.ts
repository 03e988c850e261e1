import { afterAll, beforeEach } from "vitest";
import { installRecorder } from "./runtime.ts";

/** Runs in each of vitest's workers before the tests of a file. Threads may end without an `exit`. */
const recorder = installRecorder();

if (recorder !== null) {
  beforeEach(({ task }) => {
    const names: string[] = [];
    for (let at: { name: string; suite?: unknown } | undefined = task; at !== undefined; at = at.suite as typeof at)
      names.unshift(at.name);
    recorder.test(names.join(" > "));
  });
  afterAll(() => recorder.flush());
}
