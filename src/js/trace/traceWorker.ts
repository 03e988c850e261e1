import { remembered } from "../../base/memo.ts";
import type { HooksMaker } from "../runners/runner.ts";
import { messageOf, questionOf } from "./question.ts";
import { rawRecording } from "./rawRecording.ts";
import {
  fileOfSite,
  readTracedFile,
  type TracedFile,
  type TraceOptions,
  writeRawRecording,
  writeTraceRun,
} from "./run.ts";
import { TraceRuntime } from "./runtime.ts";
import { runtimeName } from "./runtimeName.ts";
import { sliceEvents } from "./slice.ts";

/** So many statements of a test that does not end show what it does. */
const manyExecutions = 200_000;

/** Records in the worker of a test runner. When the test has failed, it writes what led to the failure. */
const make: HooksMaker = (options) => {
  const { folder, test: wanted, isEndless, keepsAll } = options as TraceOptions;
  const files = new Map<number, TracedFile | null>();
  const runtime = new TraceRuntime((site) => {
    const file = remembered(files, fileOfSite(site), () => readTracedFile(folder, site));
    return file?.sites[site - file.first]?.name ?? null;
  });
  Object.defineProperty(globalThis, runtimeName, { value: runtime, configurable: true });
  let isWritten = false;
  return {
    beforeTest() {
      runtime.assertions.start();
      runtime.lastThrow = null;
      if (isEndless) runtime.mostExecutions = runtime.executions.last + manyExecutions;
    },
    afterTest({ name }, error) {
      if (isWritten || name !== wanted || error === null) return;
      isWritten = true;
      runtime.mostExecutions = Number.POSITIVE_INFINITY;
      const question = questionOf(runtime, error);
      writeTraceRun(folder, {
        test: name,
        question,
        error: messageOf(error),
        slice: sliceEvents(runtime, question.starts),
        steps: runtime.executions.last,
        isCut: runtime.events.isCut,
      });
      if (keepsAll) writeRawRecording(folder, rawRecording(runtime));
    },
  };
};

export default make;
