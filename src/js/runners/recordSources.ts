import { isRecorded, transform } from "../recorder/instrument.ts";
import { sourceKindOf } from "../recorder/syntax.ts";
import type { RecorderOptions } from "./recordTests.ts";
import type { TransformMaker } from "./runner.ts";

/** Instruments each loaded source for `infer`. */
const make: TransformMaker = (options) => {
  const { directory, root } = options as RecorderOptions;
  return ({ code, file }) => {
    const text = isRecorded(file, root) ? transform(directory, file, code, sourceKindOf(file, code)) : null;
    return text === null ? null : { code: text.toString(), map: null };
  };
};

export default make;
