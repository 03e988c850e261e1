import { expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

test.each([
  ["a variable", "int div = 4, signal = 3; int main(void) { return div - signal; }"],
  [
    "a function with other parameters",
    "static int n; int bsearch(int *a, int x) { n++; return a[x]; } int main(void) { int a[] = {5, n + 1}; return bsearch(a, 1); }",
  ],
])("a program without the header uses the name of a library function for %s", async (_, text) => {
  const { outcome } = runProgram(await loadCText("p.c", text, { preprocess: "builtin" }));
  expect(outcome).toMatchObject({ kind: "exit", code: 1 });
});
