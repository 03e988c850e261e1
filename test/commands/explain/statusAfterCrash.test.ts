import { expect, test } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { findRun } from "../../../src/commands/explain/findRun.ts";

test("the status of a run that crashed is still expected to be 0", async () => {
  const program = await loadCText("a.c", "int main(void) { int *p = 0; if (*p == 1) return 0; return 1; }");
  const { trace } = await findRun(program, {
    source: { kind: "inputs" },
    run: { expected: { exit: 0 } },
    expectsStatus: false,
    seed: 1,
    hasTarget: false,
    cancellation: neverCancelled,
    searching() {},
  });
  expect(trace.outcome.kind).toBe("undefined-behaviour");
  expect(trace.settings.expected).toEqual({ exit: 0 });
});
