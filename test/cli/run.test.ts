import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { builtCli, root } from "../support/builtCli.ts";
import { untilTimeUp } from "../support/untilTimeUp.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Result = { readonly stdout: string; readonly stderr: string; readonly status: number | null };

function tracefold(...args: string[]): Result {
  return spawnSync("node", [builtCli(), ...args], { cwd: root, encoding: "utf8", timeout: 600_000 });
}

/** Writes a program and runs it. */
function run(text: string, ...args: string[]): Result {
  const path = join(folder, "program.c");
  writeFileSync(path, text);
  const { stdout, stderr, status } = tracefold("run", path, ...args);
  return { stdout: stdout.replaceAll(path, "program.c"), stderr: stderr.replaceAll(path, "program.c"), status };
}

const READS = "extern int __VERIFIER_nondet_int(void);\n";

describe("outcome and exit status", () => {
  it("is 1 if the program exits with another status than 0, or than the expected one", () => {
    const { stdout, status } = run("int main(void) { return 7; }");
    expect(stdout).toBe("the program exits with status 7, expected 0\ninputs: none\ntrace: 2 steps\n");
    expect(status).toBe(1);
    expect(run("int main(void) { return 7; }", "--expect-exit", "7").status).toBe(0);
    const any = run("int main(void) { return 7; }", "--expect-exit", "any");
    expect(any.stdout).toBe("the program exits with status 7\ninputs: none\ntrace: 2 steps\n");
    expect(any.status).toBe(0);
  });

  it("is 1 for a failed assertion, with its place and its line", () => {
    const { stdout, status } = run("#include <assert.h>\nint main(void) {\n  assert(1 + 1 == 3);\n}\n");
    expect(stdout).toContain("program.c:3:3: assertion failed: 1 + 1 == 3\n  3 |   assert(1 + 1 == 3);\n    |   ^^^^");
    expect(status).toBe(1);
  });

  it("is 1 for undefined behaviour, unless --ub wrap lets the run go on", () => {
    const text = "int main(void) { int x = 2147483647; x++; return x < 0; }";
    expect(run(text).stdout).toMatch(/^program\.c:1:38: undefined behaviour: .*\n/);
    expect(run(text).status).toBe(1);
    expect(run(text, "--ub", "wrap").stdout).toContain("exits with status 1");
  });

  it("is 0 for a false assumption", () => {
    const { stdout, status } = run("void __VERIFIER_assume(int); int main(void) { __VERIFIER_assume(0); return 1; }");
    expect(stdout).toContain("assumption");
    expect(status).toBe(0);
  });

  it("is 3 for a program that does not stop", () => {
    const { stdout, status } = run("int main(void) { for (;;); }", "--max-steps", "1000");
    expect(stdout).toMatch(/limit of steps/);
    expect(stdout).toContain("--max-steps");
    expect(status).toBe(3);
    const timed = untilTimeUp((seconds) =>
      run("int main(void) { for (;;); }", "--max-steps", "1e15", "--timeout", seconds),
    );
    expect(timed.stdout).toContain("the time limit was reached after ");
    expect(timed.status).toBe(3);
  });
});

describe("bad input gets one message and exit status 2", () => {
  const cases: readonly [string, readonly string[], RegExp][] = [
    [
      "missing file",
      ["run", "nowhere.c"],
      /^nowhere\.c: TF101: .*no such file|^TF101: nowhere\.c: there is no such file$/,
    ],
    ["no file", ["run"], /TF130: the program's file is missing/],
    ["a file twice", ["run", "examples/gcd.c", "examples/gcd.c"], /TF130: examples\/gcd.c is named twice/],
    ["an argument among the files", ["run", "examples/gcd.c", "3"], /TF101: 3: .*\n.*arguments after `--`/],
    ["unknown command", ["frobnicate"], /unknown command 'frobnicate'/],
    ["unknown option", ["run", "examples/gcd.c", "--frob"], /unknown option '--frob'/],
    ["wrong choice", ["run", "examples/gcd.c", "--format", "yaml"], /Allowed choices are text, json/],
    ["wrong number", ["run", "examples/gcd.c", "--max-steps", "many"], /TF130: --max-steps needs a whole number/],
    ["wrong time", ["run", "examples/gcd.c", "--timeout", "soon"], /TF130: --timeout needs a number of seconds/],
    ["wrong inputs", ["run", "examples/gcd.c", "--inputs", "1,x"], /TF142: input 2 is not a number: x/],
    ["missing stdin", ["run", "examples/gcd.c", "--stdin", "none.txt"], /TF132: --stdin: cannot read none\.txt/],
    ["too few inputs", ["run", "examples/gcd.c", "--inputs", "1"], /gcd\.c:13:16: TF134: .* only 1 was given/],
    ["input out of range", ["run", "examples/gcd.c", "--inputs=-1,2"], /TF141: input 1 is -1/],
    ["no such entry", ["run", "examples/gcd.c", "--entry", "f"], /TF182: there is no function f/],
  ];
  it.each(cases)("%s", (_, args, message) => {
    const { stdout, stderr, status } = tracefold(...args);
    expect(stderr.trim()).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  it("reports a syntax error and an unsupported construct, with place", () => {
    const syntax = run("int main(void) { return ; } }");
    expect(syntax.stderr).toMatch(/^program\.c:1:\d+: TF10\d: /);
    expect(syntax.status).toBe(2);
    const assembly = run('int main(void) { asm("nop"); return 0; }');
    expect(assembly.stderr).toMatch(/^program\.c:1:18: TF257: inline assembly/);
    expect(assembly.status).toBe(2);
  });
});

describe("inputs, standard input and arguments", () => {
  it("reads inputs from options and files, in order", () => {
    const inputs = join(folder, "inputs.txt");
    writeFileSync(inputs, "# the rest\n0x10, -3\n");
    const text = `${READS}#include <stdio.h>\nint main(void) { for (int i = 0; i < 3; i++) printf("%d ", __VERIFIER_nondet_int()); }`;
    const { stdout } = run(text, "--inputs", "5", "--inputs-file", inputs);
    expect(stdout).toMatch(/^5 16 -3 \n---\n.*\ninputs: 5, 16, -3\n/s);
  });

  it("makes up inputs, the same ones for the same seed", () => {
    const text = `${READS}int main(void) { return __VERIFIER_nondet_int() + 0 * __VERIFIER_nondet_int() == 0; }`;
    const inputsOf = (seed: string) => /inputs: .*/.exec(run(text, "--random-inputs", "--seed", seed).stdout)![0];
    expect(inputsOf("3")).toBe(inputsOf("3"));
    expect(new Set(["1", "2", "3", "4"].map(inputsOf)).size).toBeGreaterThan(1);
  });

  it("passes standard input and arguments to the program", () => {
    const stdin = join(folder, "stdin.txt");
    writeFileSync(stdin, "4 38\n");
    const text = `#include <stdio.h>\nint main(int argc, char **argv) { int a, b; scanf("%d %d", &a, &b); printf("%d %s %d\\n", a + b, argv[2], argc); }`;
    expect(run(text, "--stdin", stdin, "--", "one", "--two").stdout).toMatch(/^42 --two 3\n---\n/);
  });
});

describe("output", () => {
  it("prints one line for each step with --trace, with the value written", () => {
    const { stdout } = run("int f(int x) { return x + 1; }\nint main(void) { int y = f(2); return y; }", "--trace");
    expect(stdout.split("\n").slice(1, 4)).toEqual([
      "     2  2  y = f(2)                                  // x = 2",
      "     3  1    return x + 1                            // 3",
      "     4  2  return y",
    ]);
  });

  it("prints the program model with --dump ir", () => {
    const { stdout, status } = run("int main(void) { return 3; }", "--dump", "ir");
    expect(stdout).toContain("int main() {");
    expect(stdout).toMatch(/L\d+ -> L\d+: return 3 {2}\/\/ 1:18/);
    expect(status).toBe(0);
  });

  it("prints nothing with --quiet", () => {
    const silent = run('#include <stdio.h>\nint main(void) { puts("x"); }', "--quiet");
    expect(silent).toEqual({ stdout: "", stderr: "", status: 0 });
    const wrong = run("int main(void) { int x; return x; }", "--quiet");
    expect(wrong).toEqual({ stdout: "", stderr: "", status: 1 });
  });

  it("writes the report to a file with --out, and still prints the program's output", () => {
    const out = join(folder, "report.txt");
    const { stdout } = run('#include <stdio.h>\nint main(void) { puts("hello"); }', "--out", out);
    expect(stdout).toBe("hello\n");
    expect(readFileSync(out, "utf8")).toContain("exits with status 0");
    const wrong = run("int main(void) { return 0; }", "--out", join(folder, "no/such/folder"));
    expect(wrong.stderr).toContain("TF133");
    expect(wrong.status).toBe(2);
  });

  it("prints --help and --version", () => {
    expect(tracefold("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(tracefold("run", "--help").stdout).toContain("--inputs");
    expect(tracefold("--help").status).toBe(0);
  });

  it("prints the same for the same command, byte for byte", () => {
    const args = ["run", "examples/shell-sort.c", "--random-inputs", "--trace"];
    expect(tracefold(...args).stdout).toBe(tracefold(...args).stdout);
  });
});

describe("as a process", () => {
  const endless = '#include <stdio.h>\nint main(void) { for (int i = 0;; i = (i + 1) % 9) printf("%d\\n", i); }';

  it("accepts a reader that goes away", () => {
    const path = join(folder, "endless.c");
    writeFileSync(path, endless);
    const command = `node ${builtCli()} run ${path} --max-steps 100000 | head -n 2`;
    const { stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8", timeout: 600_000 });
    expect(stdout).toBe("0\n1\n");
    expect(stderr).toBe("");
  });

  it("ends after an interrupt with what is known so far", async () => {
    const path = join(folder, "endless.c");
    const body = 'int n = __VERIFIER_nondet_int(); puts("started"); for (;;) n = -n;';
    writeFileSync(path, `${READS}#include <stdio.h>\nint main(void) { ${body} }`);
    const child = spawn("node", [builtCli(), "run", path, "--inputs", "5", "--max-steps", "1e15"]);
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout === "started\n") child.kill("SIGINT");
    });
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect(stdout).toContain("interrupted");
    expect(stdout).toContain("inputs: 5");
    expect(status).toBe(130);
  });

  it("runs deep recursion, and reports endless recursion as a limit", () => {
    const deep = "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } int main(void) { return f(100000) == 100000; }";
    expect(run(deep).stdout).toContain("exits with status 1");
    const endless = run("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0) & 1; }");
    expect(endless.status).toBe(3);
    expect(endless.stderr).toBe("");
  });
});
