import type { TransformMaker } from "../../../src/js/runners/runner.ts";

/** For tests: writes one text for another in the sources. */
const make: TransformMaker = (options) => {
  const { from, to } = options as { readonly from: string; readonly to: string };
  return ({ code, isTest }) => (isTest || !code.includes(from) ? null : { code: code.replace(from, to), map: null });
};

export default make;
