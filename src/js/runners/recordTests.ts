import { directoryVariable } from "../recorder/logFormat.ts";
import { installRecorder } from "../recorder/runtime.ts";
import type { HooksMaker } from "./runner.ts";

/** Where a recording for `infer` goes, and the root of the recorded files. */
export type RecorderOptions = { readonly directory: string; readonly root: string };

/** Records in the worker of a test runner. */
const make: HooksMaker = (options) => {
  const { directory } = options as RecorderOptions;
  process.env[directoryVariable] = directory;
  const recorder = installRecorder();
  return {
    beforeTest: ({ name }) => recorder?.test(name),
    afterFile: () => recorder?.flush(),
  };
};

export default make;
