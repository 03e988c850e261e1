import type { VerifyReport } from "./result.ts";

/** What is claimed of all runs. */
export const claims: Record<VerifyReport["property"], string> = {
  assert: "no assertion fails and no error is reached",
  overflow: "no signed arithmetic overflows",
  bounds: "no access is out of bounds",
  null: "no null pointer is dereferenced",
  "div-by-zero": "nothing is divided by zero",
  uninitialised: "nothing is read before it is written",
  all: "no assertion fails, and nothing overflows, is out of bounds, null, divided by zero or read before it is written",
};
