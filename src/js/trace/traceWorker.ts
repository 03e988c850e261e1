import type { HooksMaker } from "../runners/runner.ts";
import { messageOf, questionOf } from "./question.ts";
import { readFileOfSite, type TraceOptions, writeTraceRun } from "./run.ts";
import { TraceRuntime } from "./runtime.ts";
import { runtimeName } from "./runtimeName.ts";
import { sliceEvents } from "./slice.ts";

/** Records in the worker of a test runner. When the test has failed, it writes what led to the failure. */
const make: HooksMaker = (options) => {
  const { folder, test: wanted } = options as TraceOptions;
  const runtime = new TraceRuntime((site) => {
    const file = readFileOfSite(folder, site);
    return file?.sites[site - file.first]?.name ?? null;
  });
  Object.defineProperty(globalThis, runtimeName, { value: runtime, configurable: true });
  let isWritten = false;
  return {
    beforeTest() {
      runtime.assertions.start();
      runtime.lastThrow = null;
    },
    afterTest({ name }, error) {
      if (isWritten || name !== wanted || error === null) return;
      isWritten = true;
      const question = questionOf(runtime, error);
      writeTraceRun(folder, {
        test: name,
        question,
        error: messageOf(error),
        slice: sliceEvents(runtime, question.starts),
        steps: runtime.executions.last,
        isCut: runtime.events.isCut,
      });
    },
  };
};

export default make;
