import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { verifyProgram } from "../../../src/commands/verify/pipeline.ts";

/** Programs about all cells of an array whose length is an input, and what is wrong with some of them. */
export const around = (body: string) => `
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) return 0;
  int a[n], b[n];
  ${body}
  return 0;
}`;

const fill = "for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();";
const own = {
  init: "for (int i = 0; i < n; i++) a[i] = 7; for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();",
  index:
    "for (int i = 0; i < n; i++) a[i] = 2 * i + 1; for (int j = 0; j < n; j++) if (a[j] != 2 * j + 1) reach_error();",
  downwards: "for (int i = n - 1; i >= 0; i--) a[i] = 7; for (int j = 0; j < n; j++) if (a[j] != 7) reach_error();",
  copy: `${fill} for (int i = 0; i < n; i++) b[i] = a[i]; for (int j = 0; j < n; j++) if (b[j] != a[j]) reach_error();`,
  max: `${fill} int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i];
        for (int j = 0; j < n; j++) if (a[j] > m) reach_error();`,
  find: `${fill} int x = __VERIFIER_nondet_int(), i = 0; while (i < n && a[i] != x) i++;
         if (i == n) for (int j = 0; j < n; j++) if (a[j] == x) reach_error();`,
  guarded: `${fill} a[n / 2] = 3; int i = 0; while (i < n && a[i] != 3) i++; if (i >= n) reach_error();`,
  insertion: `${fill} int i, j, key;
    for (j = 1; j < n; j++) {
      key = a[j];
      i = j - 1;
      while (i >= 0 && a[i] > key) { a[i + 1] = a[i]; i = i - 1; }
      a[i + 1] = key;
    }
    for (int k = 1; k < n; k++) if (a[k - 1] > a[k]) reach_error();`,
  sorted: `a[0] = 3; for (int i = 1; i < n; i++) a[i] = a[i - 1]; for (int j = 1; j < n; j++) if (a[j - 1] > a[j]) reach_error();`,
};

export const programs: Readonly<Record<string, string>> = own;

export const wrongPrograms: readonly (readonly [name: string, body: string])[] = [
  ["one cell is not written", own.init.replace("i = 0; i < n", "i = 1; i < n")],
  ["one is written again", own.init.replace("for (int j", "a[n / 2] = __VERIFIER_nondet_int(); for (int j")],
  ["the last is left out", own.copy.replace("i < n; i++) b", "i < n - 1; i++) b")],
  ["a later cell may be larger", own.max.replace("a[i] > m)", "a[i] > m && i < 99999)")],
  ["what the search ends at may be gone", own.guarded.replace("int i = 0; while", "a[n - 1] = 4; int i = 0; while")],
  ["a cell is lost on the way", own.insertion.replace("a[i + 1] = key", "if (j != 70000) a[i + 1] = key")],
  ["the hole goes too far", own.insertion.replace("a[i] > key)", "(a[i] > key || key == 12345))")],
  ["another index", own.index.replace("a[j] != 2 * j + 1", "a[j] != 2 * j + 1 || j == 70000")],
];

export async function decideCells(body: string, engines: readonly ("cells" | "houdini")[] = ["houdini", "cells"]) {
  const program = await loadCText("task.c", around(body), { preprocess: "builtin", uninitialized: "input" });
  const options = { property: "assert", engines, solver: "auto", seed: 1, milliseconds: 60_000, run: {} } as const;
  return verifyProgram(program, options).verdict;
}
