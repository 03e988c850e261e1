import { expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";

/** A run whose array is too large to be looked at as a whole says nothing of the cells that were not. */
it("accepts a cell far behind the start of an array", async () => {
  const program = await loadCText(
    "task.c",
    `extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
    int main(void) {
      static int a[20000];
      unsigned n = __VERIFIER_nondet_uint(), j = 0;
      if (n >= 40000) return 0;
      a[n / 2] = 3;
      while (j < n && a[j] != 3) j++;
      if (j > n / 2) reach_error();
      return 0;
    }`,
    { preprocess: "builtin" },
  );
  const options = { property: "assert", engines: ["cells"], solver: "auto", seed: 1, milliseconds: 60_000 } as const;
  expect(verifyProgram(program, { ...options, run: {} }).verdict.kind).toBe("safe");
});
