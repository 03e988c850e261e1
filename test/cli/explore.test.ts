import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findExecutable } from "../../src/solver/backend/backends.ts";
import { builtCli } from "../support/builtCli.ts";
import { schemaErrors } from "../support/schema.ts";
import { untilTimeUp } from "../support/untilTimeUp.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-explore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = join(folder, "p.c");
writeFileSync(
  program,
  `extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (a == -123456789) {
    if (b == 200) __VERIFIER_assert(a > 0);
    return 2;
  }
  return 3;
}
`,
);

/** One target is reached at once; the other one takes all combinations of sixty branches. */
const endless = join(folder, "endless.c");
writeFileSync(
  endless,
  `extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
  int a = __VERIFIER_nondet_int(), n = 0;
  if (a == 77777) __VERIFIER_assert(0);
  for (int i = 0; i < 60; i++) { int c = __VERIFIER_nondet_int(); if (c > a) n++; }
  __VERIFIER_assert(n != 61);
}
`,
);
const exploring = ["explore", endless, "--runs", "0", "--mode", "classic", "--max-states", "100000000"];

function tracefold(...args: string[]) {
  const { stdout, stderr, status } = spawnSync("node", [builtCli(), ...args], { encoding: "utf8", timeout: 600_000 });
  return { stdout, stderr, status };
}

describe("tracefold explore", () => {
  it("finds the failing input, and the printed command repeats the run", () => {
    const { stdout, status } = tracefold("explore", program, "--runs", "0", "--mode", "classic");
    expect(status).toBe(1);
    expect(stdout).toContain("assertion failed: a > 0");
    expect(stdout).toContain("--inputs=-123456789,200");
    expect(tracefold("run", program, "--inputs=-123456789,200").status).toBe(1);
  });

  it("follows its schema, writes the tree and tests, and reads tests back", () => {
    const [tree, tests, ktests] = ["t.json", "xml", "ktest"].map((name) => join(folder, name));
    const { stdout } = tracefold(
      "explore",
      program,
      "--runs",
      "20",
      "--format",
      "json",
      "--tree",
      tree!,
      "--tests",
      tests!,
    );
    const report = JSON.parse(stdout);
    expect(schemaErrors("ExploreReport", report)).toEqual([]);
    expect(report).toMatchObject({ status: "failed", complete: true, tree: { leaves: 3, failedLeaves: 0 } });
    expect(JSON.parse(readFileSync(tree!, "utf8")).tree[0].kind).toBe("root");
    tracefold(
      "explore",
      program,
      "--runs",
      "0",
      "--tests",
      ktests!,
      "--test-format",
      "ktest",
      "--tree",
      join(folder, "t.dot"),
    );
    expect(readFileSync(join(folder, "t.dot"), "utf8")).toMatch(/^digraph exploration/);
    for (const suite of [tests!, ktests!]) {
      const files = readdirSync(suite).filter((name) => /^test.*\.(xml|ktest)$/.test(name));
      const codes = files.map((name) => tracefold("run", program, "--inputs-file", join(suite, name)).stdout);
      expect(codes.filter((text) => text.includes("assertion failed"))).toHaveLength(1);
      expect(codes.filter((text) => text.includes("2"))).not.toHaveLength(0);
    }
  });

  it("covers branches, and says which lines cannot be reached", () => {
    const covered = tracefold("explore", program, "--cover", "branches");
    expect(covered.stdout).toContain("of 6 branches reached");
    const line = tracefold("explore", program, "--reach", "p.c:9");
    expect([line.status, line.stdout]).toEqual([0, expect.stringContaining("reached with inputs -123456789")]);
  });

  it("gives a reason for open targets, and for what it does not understand", () => {
    const open = tracefold("explore", program, "--runs", "0", "--max-states", "3", "--mode", "classic");
    expect(open.status).toBe(3);
    expect(open.stdout).toContain("the limit of 3 states was reached");
    expect(tracefold("explore", program, "--property", "speed").status).toBe(2);
    expect(tracefold("explore", program, "--reach", "somewhere").status).toBe(2);
    writeFileSync(join(folder, "bad.ktest"), "KTEST\0\0");
    expect(tracefold("run", program, "--inputs-file", join(folder, "bad.ktest")).stderr).toContain("TF131");
  });

  it("says what was reached when the time is up, with a reason for open targets", () => {
    const { stdout, stderr, status } = untilTimeUp((seconds) => tracefold(...exploring, "--timeout", seconds), 8);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/n != 61: unknown \(the time was up\)/);
    // On a busy machine not even the first is there by then.
    expect([1, 3]).toContain(status);
    expect(stdout.includes("assertion failed: 0")).toBe(status === 1);
  });

  it.skipIf(process.platform === "win32" || findExecutable("z3") === null)(
    "says what was reached after Ctrl-C",
    async () => {
      const mark = join(folder, "asked");
      writeFileSync(join(folder, "z3"), `#!/bin/sh\n: > "${mark}"\nexec "${findExecutable("z3")}" "$@"\n`);
      chmodSync(join(folder, "z3"), 0o755);
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const child = spawn("node", [builtCli(), ...exploring], { env, stdio: ["ignore", "pipe", "ignore"] });
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk;
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      while (!existsSync(mark) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill("SIGINT");
      const status = await ended;
      expect(stdout).toMatch(/n != 61: unknown \(it was interrupted\)/);
      // A failure that was found before is what the status says.
      expect([1, 130]).toContain(status);
      expect(stdout.includes("assertion failed: 0")).toBe(status === 1);
    },
  );
});
