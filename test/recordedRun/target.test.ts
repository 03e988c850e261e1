import { expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { targetOf } from "../../src/recordedRun/target.ts";

const prelude = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

it.each([
  ["both tests of a condition", "int main(void) { int x = 3, y = 4; assert(x > 3 || y < 4); }", "x <= 3 && y >= 4"],
  [
    "one test, where the other is elsewhere",
    "int main(void) { int x = 3; if (x) { x++; if (x > 3) reach_error(); } }",
    "x > 3",
  ],
  [
    "not the loop of a message",
    "int main(void) { int x = 3; if (x > 2) { for (int i = 0; i < 3; i++) x++; reach_error(); } }",
    "x > 2",
  ],
  ["in the caller", "void fail(void) { reach_error(); } int main(void) { int x = 3; if (x == 3) fail(); }", "x == 3"],
  ["in an endless loop", "int main(void) { int x = 3; for (;;) { if (x > 5) reach_error(); x++; } }", "x > 5"],
])("finds the condition that decided: %s", async (_, text, condition) => {
  const program = await loadCText("program.c", prelude + text, { preprocess: "builtin" });
  expect(targetOf(runOf(recordTrace(program, { inputs: [] }))).text).toBe(condition);
});

it("finds none for a failure that nothing decides", async () => {
  const program = await loadCText("program.c", `${prelude}int main(void) { reach_error(); }`, {
    preprocess: "builtin",
  });
  expect(() => targetOf(runOf(recordTrace(program, { inputs: [] })))).toThrow("depends on no condition");
});
