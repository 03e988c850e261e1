import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findExecutable } from "../../src/solver/backend/backends.ts";
import { builtCli } from "../support/builtCli.ts";
import { untilTimeUp } from "../support/untilTimeUp.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-cancel-"));
  writeFileSync(join(folder, "assignments.c"), assignments(2600));
  writeFileSync(join(folder, "bits.c"), bits);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each mixes two variables: which of them matter takes a question for each. */
function assignments(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const [a, b, c] = [(i * 7) % 20, (i * 13 + 3) % 20, (i * 11 + 5) % 20];
    return `  v${a} = (v${b} + v${c}) % ${50 + ((i * 37) % 950)};`;
  });
  const variables = Array.from({ length: 20 }, (_, i) => `v${i} = __VERIFIER_nondet_int() % 100`);
  return `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int ${variables.join(", ")};
${lines.join("\n")}
  assert(v0 > 2000);
}
`;
}

const manyInputs = Array.from({ length: 20 }, (_, i) => i + 1).join();

// One round decides nothing about the other bits of x: the solver reasons about all of them until its limit.
const bits = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  for (int i = 0; i < 4; i++) { int k = __VERIFIER_nondet_int(); x = x | (k & 4); }
  for (int j = 0; j < 100; j++) y++;
  assert(x != 0 || y < 100);
}
`;

describe("--timeout", () => {
  it("says how a run of 2,600 assignments fails, what is known and what is missing, with exit status 3", () => {
    const args = [builtCli(), "explain", "assignments.c", "--inputs", manyInputs, "--timeout"];
    const { stdout, stderr, status } = untilTimeUp(
      (seconds) => spawnSync("node", [...args, seconds], { cwd: folder, encoding: "utf8", timeout: 600_000 }),
      2,
    );
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^error: assertion failed: v0 > 2000\n {2}--> assignments\.c:2605:3 in main\n/);
    expect(stdout).toMatch(/^unknown: the time was up: [\s\S]*?the proof is not checked$/m);
    for (const line of stdout.split("\n"))
      if (!line.startsWith("replay:")) expect(line.length).toBeLessThanOrEqual(100);
    expect(stdout).toMatch(/^why v0 is /m);
    expect(stdout).not.toContain("proof checked");
    expect(status).toBe(3);
  });
});

/** A z3 that writes down its process first, and a command under way while it thinks. */
async function inTheMiddle(name: string) {
  const tools = join(folder, name);
  const dump = join(tools, "queries");
  mkdirSync(join(tools, "processes"), { recursive: true });
  const script = `#!/bin/sh\n: > "${tools}/processes/$$"\nexec "${findExecutable("z3")}" "$@"\n`;
  writeFileSync(join(tools, "z3"), script);
  chmodSync(join(tools, "z3"), 0o755);
  const args = ["compress", "bits.c", "--inputs", "0,0,0,0", "--dump", "smt", dump];
  const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
  const child = spawn("node", [builtCli(), ...args], { cwd: folder, env });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // Once no question follows another for a while, there is one that takes long.
  const asked = () => (existsSync(dump) ? readdirSync(dump).length : 0);
  for (let before = -1, count = 0; count < 5 || count !== before; ) {
    before = count;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    count = asked();
  }
  return { child, ended, solvers: () => readdirSync(join(tools, "processes")).map(Number), printed: () => stdout };
}

/** Ended, and perhaps not yet waited for by whoever inherited it. */
function isGone(pid: number): boolean {
  const stat = join("/proc", `${pid}`, "stat");
  return !existsSync(stat) || /\) Z /.test(readFileSync(stat, "utf8"));
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let i = 0; i < 100 && !pids.every(isGone); i++) await new Promise((resolve) => setTimeout(resolve, 100));
  return pids.every(isGone);
}

const known = {
  folded: /^ +6 \| \+-- for \(int j = 0; j < 100; j\+\+\): 100 iterations as one/m,
  unfolded: /^not folded: bits\.c:5:\d+: .* 4 iterations\n {2}why: +the work was ended meanwhile$/m,
};

describe.runIf(existsSync("/proc/self/stat"))("a signal in the middle of a question that takes the solver long", () => {
  it.each([
    ["Ctrl-C", "SIGINT", 130],
    ["SIGTERM", "SIGTERM", 143],
  ] as const)("%s prints the folds so far, and ends the solver too", async (name, signal, status) => {
    const { child, ended, solvers, printed } = await inTheMiddle(name);
    expect(solvers().filter((pid) => !isGone(pid))).not.toEqual([]);
    child.kill(signal);
    expect(await ended).toBe(status);
    expect(printed()).toMatch(known.folded);
    expect(printed()).toMatch(known.unfolded);
    expect(await allGone(solvers())).toBe(true);
  });

  it("ends at once after a second Ctrl-C, and ends the solver too", async () => {
    const { child, ended, solvers } = await inTheMiddle("twice");
    await signalTwice(child);
    expect(await ended).toBe(130);
    expect(await allGone(solvers())).toBe(true);
  });
});

/** Two of the same signal that come together count as one. */
async function signalTwice(child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
