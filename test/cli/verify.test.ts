import { spawn, spawnSync } from "node:child_process";
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
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findExecutable } from "../../src/solver/backend/backends.ts";
import { builtCli } from "../support/builtCli.ts";

const declarations = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);";
const counting = `${declarations}
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
  return 0;
}`;
/** That no sum of this kind is a square of a prime is beyond every engine. */
const hard = `${declarations}
int main(void) {
  unsigned n = __VERIFIER_nondet_int() & 65535u, i = 0, s = 0, p = 1;
  while (i < n) { s += i * i * i + 7u; p = p * 31u + s; i++; }
  if (p == 3405691582u && s == 195948557u) reach_error();
  return 0;
}`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-verify-"));
  writeFileSync(join(folder, "counting.c"), counting);
  writeFileSync(join(folder, "hard.c"), hard);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tool(in_: string, name: string, text: string): void {
  mkdirSync(join(folder, in_), { recursive: true });
  writeFileSync(join(folder, in_, name), text);
  chmodSync(join(folder, in_, name), 0o755);
}

function verify(args: readonly string[], path = process.env.PATH) {
  const env = { ...process.env, PATH: path };
  return spawnSync(process.execPath, [builtCli(), "verify", ...args], { cwd: folder, env, encoding: "utf8" });
}

/** A solver that says `unsat` to everything. */
const liar = (name: string) => `#!${process.execPath}
const known = /\\(check-sat|\\(get-unsat-assumptions\\)|\\(get-info :([a-z-]+)\\)|\\(echo "([^"]*)"\\)/g;
process.stdin.setEncoding("utf8").on("data", (text) => {
  for (const [all, asked, mark] of text.matchAll(known)) {
    if (mark !== undefined) console.log(mark);
    else if (asked !== undefined) console.log('(:' + asked + ' "${name}")');
    else console.log(all === "(check-sat" ? "unsat" : "()");
  }
});
`;

describe.skipIf(process.platform === "win32")("verify", () => {
  it("reports a defect if solvers lie and runs contradict the certificate, and keeps both", () => {
    tool("liars", "z3", liar("Z3"));
    tool("liars", "cvc5", liar("cvc5"));
    const { stdout, stderr, status } = verify(["counting.c", "--timeout", "60"], join(folder, "liars"));
    expect([stdout, status]).toEqual(["", 70]);
    const kept = /every run ends within \d+ regions, but one comes to \d+ loop heads \(both are in (\S+)\)/.exec(
      stderr,
    );
    expect(JSON.parse(readFileSync(join(kept![1]!, "certificate.json"), "utf8")).kind).toBe("bounded");
    expect(JSON.parse(readFileSync(join(kept![1]!, "run.json"), "utf8")).inputs).toHaveLength(1);
    rmSync(kept![1]!, { recursive: true });
  });

  it("proves safety with the embedded solver alone, with a checked certificate", () => {
    const { stdout, status } = verify(["counting.c", "--engine", "houdini"], "/nonexistent");
    expect(stdout).toMatch(/^safe: .*certificate checked by z3 \S+ \(embedded\)/);
    expect(status).toBe(0);
  });

  it("claims nothing if a solver has too little memory", () => {
    const { stdout, stderr, status } = verify([
      ...["hard.c", "--engine", "unrolling", "--max-megabytes", "40", "--timeout", "4"],
      ...["--explain-verdict"],
    ]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^unknown: /);
    expect(status).toBe(3);
  });

  it.skipIf(findExecutable("z3") === null || !existsSync("/proc/self/stat"))(
    "says unknown after Ctrl-C, with what is known, and ends the solvers too",
    async () => {
      const log = join(folder, "watched", "processes");
      mkdirSync(log, { recursive: true });
      tool("watched", "z3", `#!/bin/sh\n: > "${log}/$$"\nexec "${findExecutable("z3")}" "$@"\n`);
      const path = `${join(folder, "watched")}:${dirname(process.execPath)}:/usr/bin:/bin`;
      const env = { ...process.env, PATH: path };
      const child = spawn(process.execPath, [builtCli(), "verify", "hard.c", "--timeout", "300"], { cwd: folder, env });
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk;
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      // Two: the one that Spacer has from the start, and the one that the other engines ask.
      while (readdirSync(log).length < 2 && child.exitCode === null) await pause(50);
      child.kill("SIGINT");
      expect(await ended).toBe(130);
      expect(stdout).toMatch(/^unknown: whether no assertion fails .*\nunknown: interrupted/);
      const isGone = (pid: string) => {
        const stat = join("/proc", pid, "stat");
        return !existsSync(stat) || /\) Z /.test(readFileSync(stat, "utf8"));
      };
      for (let i = 0; i < 100 && !readdirSync(log).every(isGone); i++) await pause(100);
      expect(readdirSync(log).every(isGone)).toBe(true);
    },
  );
});
