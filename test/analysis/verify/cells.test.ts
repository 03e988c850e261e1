import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/frontend/c/loadC.ts";
import { verifyProgram } from "../../../src/jobs/verify/verifyProgram.ts";

const around = (body: string) => `
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int a[n], b[n];
  ${body}
  return 0;
}`;

const fill = "for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();";
const programs: Record<string, string> = {
  init: "for (int i = 0; i < n; i++) a[i] = 7; for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();",
  index:
    "for (int i = 0; i < n; i++) a[i] = 2 * i + 1; for (int j = 0; j < n; j++) if (a[j] != 2 * j + 1) reach_error();",
  downwards: "for (int i = n - 1; i >= 0; i--) a[i] = 7; for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();",
  copy: `${fill} for (int i = 0; i < n; i++) b[i] = a[i]; for (int j = 0; j < n; j++) if (b[j] != a[j]) reach_error();`,
  max: `${fill} int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i];
        for (int j = 0; j < n; j++) if (a[j] > m) reach_error();`,
  find: `${fill} int x = __VERIFIER_nondet_int(), i = 0; while (i < n && a[i] != x) i++;
         if (i == n) for (int j = 0; j < n; j++) if (a[j] == x) reach_error();`,
  sorted: `a[0] = 3; for (int i = 1; i < n; i++) a[i] = a[i - 1]; for (int j = 1; j < n; j++) if (a[j - 1] > a[j]) reach_error();`,
};

async function decide(body: string, engines: readonly ("cells" | "houdini")[] = ["houdini", "cells"]) {
  const program = await loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });
  const options = { property: "assert", engines, solver: "auto", seed: 1, milliseconds: 60_000, run: {} } as const;
  return verifyProgram(program, options).verdict;
}

describe("cells: what holds of all cells of a part of an array", () => {
  it.each(Object.keys(programs))("%s", async (name) => {
    const verdict = await decide(programs[name]!);
    expect(verdict).toMatchObject({ kind: "safe", engine: "cells" });
  });

  it.each([
    ["one cell is not written", programs["init"]!.replace("i = 0; i < n", "i = 1; i < n")],
    ["one is written again", programs["init"]!.replace("for (int j", "a[n / 2] = __VERIFIER_nondet_int(); for (int j")],
    ["the last is left out", programs["copy"]!.replace("i < n; i++) b", "i < n - 1; i++) b")],
    ["a later cell may be larger", programs["max"]!.replace("a[i] > m)", "a[i] > m && i < 99999)")],
    ["another index", programs["index"]!.replace("a[j] != 2 * j + 1", "a[j] != 2 * j + 1 || j == 70000")],
  ])("%s: not safe", async (_, text) => {
    expect((await decide(text, ["cells"])).kind).not.toBe("safe");
  });
});
