import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shellWords } from "../../src/commands/output.ts";
import { builtCli } from "../support/builtCli.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-files-"));
  mkdirSync(join(folder, "include"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), `${text}\n`);
  write(
    "include/account.h",
    `void deposit(int);
int balance(void);`,
  );
  write(
    "main.c",
    `#include <assert.h>
#include "account.h"
int __VERIFIER_nondet_int(void);
static int total;
int main(int argc, char **argv) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    total += 2;
    deposit(2);
  }
  assert(balance() == total || argc > 1);
  return 0;
}`,
  );
  write(
    "account.c",
    `#include "account.h"
static int total = START;
void deposit(int amount) { total += amount; }
int balance(void) { return total; }`,
  );
  const command = (file: string, more: string) => ({
    directory: ".",
    file,
    command: `gcc -Iinclude ${more} -c ${file}`,
  });
  write("compile_commands.json", JSON.stringify([command("main.c", ""), command("account.c", "-DSTART=1")]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tracefold(...args: readonly string[]) {
  const options = { cwd: folder, encoding: "utf8", timeout: 600_000 } as const;
  const { stdout, stderr, status } = spawnSync("node", [builtCli(), ...args], options);
  return { status, stdout, stderr };
}

const files = ["main.c", "account.c", "-I", "include", "-D", "START=1"];

describe("a program of several files", () => {
  it("runs with the arguments after --", () => {
    expect(tracefold("run", ...files, "--inputs", "3").stdout).toMatch(/^main\.c:11:3: assertion failed/);
    expect(tracefold("run", ...files, "--inputs", "3", "--", "x.c")).toMatchObject({ status: 0 });
  });

  it("is explained, with the file of each line in other files and all files in the replay", () => {
    const { stdout, status } = tracefold("explain", ...files, "--inputs", "3");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {3}account\.c global:2 +static int total = START;/m);
    expect(stdout).toMatch(/^ {3}account\.c deposit:3 /m);
    expect(stdout).toMatch(/^ {3}main:8 /m);
    expect(stdout).toMatch(/^replay: tracefold run main\.c account\.c -I include -D START=1 --inputs=\d/m);
  });

  it("is folded, and its proof, which names every file, is checked again", () => {
    const made = tracefold("compress", ...files, "--inputs", "9", "--proof", "proof");
    expect(made).toMatchObject({ status: 0, stderr: "" });
    // The invariant is about both variables of that name.
    expect(made.stdout).toMatch(/ account\.c::total /);
    expect(made.stdout).toMatch(/ main\.c::total /);
    const { program } = JSON.parse(readFileSync(join(folder, "proof/proof.json"), "utf8"));
    expect(program.read.map(({ path }: { path: string }) => path)).toEqual([
      "../main.c",
      "../include/account.h",
      "../account.c",
    ]);
    expect(tracefold("check", "proof")).toMatchObject({ status: 0 });
    const account = join(folder, "account.c");
    const text = readFileSync(account, "utf8");
    writeFileSync(account, `${text}int unused;\n`);
    expect(tracefold("check", "proof").stdout).toMatch(
      /^wrong: account\.c was edited: the proof is about another text$/m,
    );
    writeFileSync(account, text);
  });

  it("is read as its compile_commands.json says", () => {
    expect(tracefold("run", "--project", ".", "--inputs", "3").stdout).toMatch(/^main\.c:11:3: assertion failed/);
    const named = tracefold("run", "main.c", "--project", "compile_commands.json", "--inputs", "3");
    expect(named).toMatchObject({ status: 2 });
    expect(named.stderr).toMatch(/^main\.c:9:5: TF184: undefined function deposit/);
  });

  it("takes missing definitions as inputs with --undefined input", () => {
    const { stdout, status } = tracefold("run", "main.c", "-I", "include", "--undefined", "input", "--inputs", "0,0");
    expect(status).toBe(0);
    expect(stdout).toContain("inputs: 0, 0");
  });

  it("takes a target with a file name", () => {
    expect(tracefold("explain", ...files, "--target", "total == 1 @ 3").stderr).toMatch(/^TF130: --target: .*several/);
    const target = tracefold("explain", ...files, "--target", "total == 3 @ account.c:4", "--inputs", "1");
    expect(target.stdout).toMatch(/account\.c:4/);
    expect(target.status).toBe(0);
  });
});

describe("files that are no ordinary files", () => {
  const shell = (line: string) => {
    const { stdout, stderr, status } = spawnSync("bash", ["-c", line], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, CLI: builtCli() },
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  };

  it.runIf(existsSync("/dev/full")).each(["explain", "run", "compress"])("%s says that it cannot write", (command) => {
    const { status, stderr } = shell(
      `node $CLI ${command} main.c account.c -I include -D START=1 --inputs 3 > /dev/full`,
    );
    expect(stderr).toBe("TF133: cannot write to standard output (ENOSPC)\n  What was printed is not complete.\n");
    expect(status).toBe(2);
  });

  it.runIf(existsSync("/dev/zero"))("does not read without end", () => {
    const endless = "it is not a regular file, and has more than 64 MB";
    expect(tracefold("run", "/dev/zero")).toMatchObject({ status: 2, stderr: expect.stringContaining(endless) });
    expect(tracefold("run", "main.c", "--stdin", "/dev/zero").stderr).toContain(endless);
    expect(shell("yes | node $CLI run main.c --stdin -").stderr).toContain(endless);
  });

  it("reads a pipe, and a signal ends the wait for one", () => {
    expect(shell("node $CLI run <(echo 'int main(void) { return 0; }')").status).toBe(0);
    const waiting = "mkfifo pipe; node $CLI run pipe & sleep 2; kill -TERM $!; wait $!";
    expect(shell(waiting).status).toBe(143);
  });

  it("spells out control characters in names", () => {
    const name = "red\u001b[31m.c";
    writeFileSync(join(folder, name), "int main(void) { int a[2] = {0}; return a[2]; }\n");
    for (const command of ["run", "explain", "explore", "compress"]) {
      const { stdout } = tracefold(command, name);
      expect(stdout).toContain("red\\x1b[31m.c:1:");
      expect(stdout).not.toContain("\u001b");
    }
    expect(shellWords([name, "it's"])).toBe("$'red\\033[31m.c' 'it'\\''s'");
  });
});
