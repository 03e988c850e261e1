import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { showsColours } from "../../src/cli/doCommand.ts";
import { requestedPassing } from "../../src/commands/options/testOptions.ts";
import { builtCli } from "../support/builtCli.ts";

const fee = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int fee(int n) {
  if (n > 10)
    return n * 2;
  return n;
}
void test_small(void) { assert(fee(3) == 3); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n < 10 ? fee(n) == n : fee(n) == 2 * n);
  return 0;
}
`;
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-passing-"));
  writeFileSync(join(folder, "fee.c"), fee);
  writeFileSync(join(folder, "7"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function explain(...args: readonly string[]) {
  const command = [builtCli(), "explain", "fee.c", "--inputs", "10", ...args];
  return spawnSync("node", command, { cwd: folder, encoding: "utf8", timeout: 600_000 });
}

describe("--passing", () => {
  it("says what a change would break in runs with inputs and in test functions", () => {
    const { stdout, status } = explain("--passing", "3", "--passing", "12");
    expect(status).toBe(0);
    expect(stdout).toMatch(/fee:4 +if \(n > 10\) +10 > 10 is false {2}<-- look here: with `n >= 10` all 4 tests pass/);
  });

  it("refuses a run that does not pass, and a name that nothing has", () => {
    expect(explain("--passing", "10").stderr).toContain("--passing 10: this run does not pass");
    expect(explain("--passing", "nobody").stderr).toContain("--passing nobody: there is no such file");
  });

  it("takes numbers as inputs, names as functions and the rest as files, unless a prefix decides", () => {
    const passing = (given: string) => requestedPassing(given, { exact: false });
    expect(passing("3,-7")).toMatchObject({ entry: null, inputs: [3n, -7n] });
    expect(passing("test_small")).toMatchObject({ entry: "test_small" });
    expect(passing(join(folder, "7"))).toMatchObject({ entry: null, stdin: Buffer.from("") });
    expect(passing("test=3")).toMatchObject({ entry: "3" });
  });
});

describe("--color", () => {
  it("decides whatever the terminal is; without it FORCE_COLOR and NO_COLOR decide", () => {
    expect(showsColours({ color: "always", out: "file" })).toBe(true);
    expect(showsColours({ color: "never", out: null })).toBe(false);
    const before = { ...process.env };
    try {
      delete process.env.NO_COLOR;
      process.env.FORCE_COLOR = "1";
      expect(showsColours({ color: "auto", out: null })).toBe(true);
      process.env.NO_COLOR = "1";
      expect(showsColours({ color: "auto", out: null })).toBe(false);
    } finally {
      process.env = before;
    }
  });
});
