import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { explain } from "../../../src/commands/explain/pipeline.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

const head = "#include <assert.h>\n#include <setjmp.h>\nstatic jmp_buf env;\n";

it("ends a run that jumps to a function that has returned", async () => {
  const text = `${head}static int set(void) { return setjmp(env); }
int main(void) { if (set() == 0) longjmp(env, 1); return 0; }`;
  expect(runProgram(await loadCText("p.c", text)).outcome).toMatchObject({ kind: "abort", at: { range: { line: 5 } } });
});

it("does not assign the result of a call that is left", async () => {
  const text = `${head}static int leave(void) { longjmp(env, 3); }
int main(void) { int n = 1; int r = setjmp(env); if (r == 0) n = leave(); return 10 * r + n; }`;
  expect(runProgram(await loadCText("p.c", text)).outcome).toMatchObject({ kind: "exit", code: 31 });
});

it("is followed back to the call that jumped", async () => {
  const text = `${head}static int digit(char c) {
  if (c > '9')
    longjmp(env, 2);
  return c - '0';
}
int main(void) {
  volatile int value = -1;
  if (setjmp(env) == 0)
    value = digit('x');
  assert(value >= 0);
  return 0;
}`;
  const explained = explain(await loadCText("p.c", text));
  if (explained.kind !== "explained") throw new Error(explained.kind);
  const lines = explained.graph.nodes.map(({ location }) => location.line);
  expect(lines).toEqual(expect.arrayContaining([5, 6, 12]));
  const tests = explained.graph.nodes.flatMap((node) => node.tests.map((test) => test.text));
  expect(tests).toContain("left by longjmp");
  expect(JSON.stringify(explained.graph)).not.toContain("$jump");
});
