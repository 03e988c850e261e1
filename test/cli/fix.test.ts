import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtCli } from "../support/builtCli.ts";

const program = `#include <assert.h>
int sum(const int *a, int n) {
  int s = 0;
  for (int i = 1; i < n; i++) s += a[i];
  return s;
}
int main(void) {
  int a[] = {3, 4, 5};
  assert(sum(a, 3) == 12);
  return 0;
}
`;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-fix-"));
  writeFileSync(join(folder, "sum.c"), program);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function explain(...words: readonly string[]) {
  return spawnSync(process.execPath, [builtCli(), "explain", "sum.c", ...words], { cwd: folder, encoding: "utf8" });
}

test("writes a change with which the run passes as a patch, and leaves the file alone", () => {
  const { stdout, status } = explain("--fix");
  expect(status).toBe(0);
  expect(stdout).toContain("tracefold.patch has a change with which the run passes");
  const patch = readFileSync(join(folder, "tracefold.patch"), "utf8");
  expect(patch).toContain("-  for (int i = 1; i < n; i++) s += a[i];\n");
  expect(readFileSync(join(folder, "sum.c"), "utf8")).toBe(program);
  execFileSync("git", ["apply", "tracefold.patch"], { cwd: folder });
  expect(explain().stdout).toContain("This run does not fail");
});

test("changes the file with --fix=apply, but not if it has changes that are not committed", () => {
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
  git("init", "-q");
  git("add", "sum.c");
  const refused = explain("--fix=apply");
  expect(refused.stderr).toContain("sum.c has changes that are not committed");
  expect(readFileSync(join(folder, "sum.c"), "utf8")).toBe(program);
  git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "start");
  expect(explain("--fix=apply").stdout).toContain("sum.c was changed");
  expect(readFileSync(join(folder, "sum.c"), "utf8")).not.toBe(program);
});

test("refuses another word after --fix", () => {
  expect(explain("--fix=please").stderr).toContain("--fix takes apply, not please");
});

const words = `#include <stdio.h>
int main(void) {
  int n, sum;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 0) {
    printf("%d\\n", sum);
    return 0;
  }
  sum = 0;
  for (int i = 1; i < n; i++) sum += i;
  printf("%d\\n", sum);
  return 0;
}
`;

test("says how many tests pass if a test with another fault still fails, and writes no patch then", () => {
  writeFileSync(join(folder, "sum.c"), words);
  const tests = [
    ["three", "3", "6"],
    ["four", "4", "10"],
    ["none", "0", "0"],
    ["negative", "-5", "0"],
  ] as const;
  for (const [name, input, output] of tests) {
    writeFileSync(join(folder, `${name}.in`), input);
    writeFileSync(join(folder, `${name}.out`), output);
  }
  const { stdout } = explain("--tests", ".", "--fix");
  expect(stdout).toMatch(/`i <= n`[^;]*? 3 of 4\s+tests pass/);
  expect(stdout).toContain("this run is three; four fails for the same reason, negative for another\n");
  expect(stdout).not.toContain("all 3 tests pass");
  expect(stdout).toContain("no change was found with which all tests pass");
});
