import { expect, test } from "vitest";
import { neverCancelled } from "../../src/base/cancellation.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { findRun } from "../../src/commands/explain/findRun.ts";
import { explainFoundRun } from "../../src/commands/explain/pipeline.ts";
import { explainText } from "../../src/render/explainText.ts";
import { plain } from "../../src/render/layout.ts";

const text = `#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == -1) return 10 / (x + 1);
  assert(x != 7);
  return 0;
}`;

test("explains the assertion, and names the other failure that was seen", async () => {
  const program = await loadCText("p.c", text, { preprocess: "builtin" });
  const source = { kind: "search" } as const;
  const found = await findRun(program, {
    source,
    run: {},
    seed: 1,
    hasTarget: false,
    expectsStatus: false,
    cancellation: neverCancelled,
    searching() {},
  });
  expect(found.trace.outcome.kind).toBe("assertion");
  const explanation = explainFoundRun(found, {
    about: () => ({ version: "", ms: 0 }),
    replay: () => "",
    budget: 2_000,
  });
  if (explanation.kind !== "explained") throw new Error(explanation.kind);
  expect(explanation.otherFailures).toMatchObject([{ kind: "undefined-behaviour", location: { line: 5 } }]);
  const screen = explainText(explanation, { paint: plain, source: () => text });
  expect(screen).toContain("other inputs: 1 other failure seen, as");
});
