import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directoryVariable } from "../../src/js/recorder/logFormat.ts";
import { startRecording } from "../../src/js/recorder/vitest.ts";
import { builtCli, root } from "../support/builtCli.ts";

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "tracefold-infer-"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  write("package.json", "{}");
  write(
    "clamp.cjs",
    'exports.clamp = function clamp(x, low, high) {\n  if (low > high) throw new RangeError("empty");\n  if (x < low) return low;\n  if (x > high) return high;\n  return x;\n};\n',
  );
  write(
    "test.cjs",
    'const assert = require("node:assert");\nconst { clamp } = require("./clamp.cjs");\nfunction all() {\n  for (let x = -3; x < 9; x++) assert.ok(clamp(x, 0, 5) >= 0);\n  assert.throws(() => clamp(1, 2, 1));\n}\nall();\nconsole.log("passed");\n',
  );
});
afterAll(() => rmSync(project, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

function infer(...words: readonly string[]) {
  return spawnSync(process.execPath, [builtCli(), "infer", ...words], { cwd: project, encoding: "utf8" });
}

describe("tracefold infer", () => {
  it("prints contracts below the tests' own output", () => {
    const { stdout, stderr, status } = infer("--", "node", "test.cjs");
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toBe(
      `passed
clamp.cjs

clamp(x: int, low: int, high: int): int
  throws     RangeError: empty if low > high
  ensures    if low <= high && x < low: result === low
  ensures    if x >= low && x <= high: result === x
  13 calls, 4 paths, 1 test; --all has 2 more lines

1 contract from 15 calls; integers are safe integers
`,
    );
  });

  it("passes the tests' output on beside JSON, compares with earlier JSON, and writes comments", () => {
    const old = join(project, "old.json");
    const json = infer("--format", "json", "--", "node", "test.cjs");
    expect(json.stderr).toBe("passed\n");
    const report = JSON.parse(json.stdout) as { functions: { post: string[] }[] };
    report.functions[0]!.post.push("result >= 0");
    writeFileSync(old, JSON.stringify(report));
    const diff = infer("--diff", old, "--", "node", "test.cjs");
    expect(diff.stdout).toContain("no longer: clamp.cjs clamp: ensures result >= 0\n");
    expect(diff.status).toBe(1);
    const patch = infer("--tsdoc", "--", "node", "test.cjs").stdout;
    expect(patch).toContain("+ * @throws RangeError: empty if low > high\n");
    write("clamp.patch", patch);
    expect(spawnSync("patch", ["-p1", "--dry-run", "-i", "clamp.patch"], { cwd: project }).status).toBe(0);
    const wrong = infer("--diff", join(project, "package.json"), "--", "node", "test.cjs");
    expect(wrong.stderr).toContain("TF123");
    expect(wrong.status).toBe(2);
  });

  it("chooses files by a pattern with braces, and says if none matches", () => {
    expect(infer("--only", "{clamp,other}.cjs", "--", "node", "test.cjs").stdout).toContain("clamp(x: int");
    const none = infer("--only", "src/{a,b}.cjs", "--", "node", "test.cjs");
    expect(none.stderr).toContain("TF125: no file that was loaded matches --only src/{a,b}.cjs");
    expect(none.status).toBe(2);
  });

  it("compares with a revision, and fails if a contract is gone", () => {
    const folder = mkdtempSync(join(tmpdir(), "tracefold-base-test-"));
    const git = (...words: readonly string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder });
    const compare = (revision: string) =>
      spawnSync(process.execPath, [builtCli(), "infer", "--base", revision, "--", "node", "test.cjs"], {
        cwd: folder,
        encoding: "utf8",
      });
    for (const name of ["clamp.cjs", "test.cjs"]) writeFileSync(join(folder, name), readFileSync(join(project, name)));
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    const same = compare("main");
    expect([same.stdout, same.status]).toEqual(["the contracts are the same\n", 0]);
    const text = readFileSync(join(folder, "clamp.cjs"), "utf8");
    writeFileSync(join(folder, "clamp.cjs"), text.replace("return high", "return high + 1"));
    const other = compare("main");
    expect(other.stdout).toContain(
      "no longer: clamp.cjs clamp: ensures if low <= high && x > high: result === high\nnew:       ",
    );
    expect(other.status).toBe(1);
    const wrong = compare("nowhere");
    expect(wrong.stderr).toContain("TF123: the revision nowhere cannot be compared with");
    expect(wrong.status).toBe(2);
    rmSync(folder, { recursive: true });
  });

  it("infers from jest's tests, and writes properties that pass under jest", () => {
    const folder = mkdtempSync(join(tmpdir(), "tracefold-infer-jest-"));
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    put("package.json", JSON.stringify({ scripts: { test: "jest" }, jest: { testEnvironment: "node" } }));
    put(
      "level.js",
      'function level(x) {\n  if (x < 0) return "low";\n  return "high";\n}\nmodule.exports = { level };\n',
    );
    put(
      "level.test.js",
      'const { level } = require("./level.js");\nit("has two levels", () => {\n  expect([level(-1), level(1)]).toEqual(["low", "high"]);\n});\n',
    );
    const { stdout, status } = spawnSync(
      process.execPath,
      [builtCli(), "infer", "--properties", "props.test.js", "--", "npm", "test"],
      { cwd: folder, encoding: "utf8" },
    );
    expect(stdout).toContain("jest: 1 tests, 0 failed");
    expect(stdout).toContain('ensures    if x < 0: result === "low"');
    expect(stdout).toContain("props.test.js has 3 properties; they pass\n");
    expect(status).toBe(0);
    const again = spawnSync(process.execPath, [join(root, "node_modules/jest/bin/jest.js"), "props"], { cwd: folder });
    expect(again.status).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it("says what is wrong with a request", () => {
    expect(infer().status).toBe(2);
    const missing = infer("--", "no-such-runner", "run");
    expect(missing.stderr).toContain("TF124: no-such-runner cannot be started");
    expect(missing.status).toBe(2);
    const idle = infer("--", "node", "-e", "1");
    expect(idle.stderr).toContain("TF125");
    expect(idle.status).toBe(2);
  });

  it("shows the message of a test file that does not compile, then its own", () => {
    write("broken.test.cjs", "function f( {\n");
    const { stderr, status } = infer("--", "node", "broken.test.cjs");
    expect(stderr).toContain("SyntaxError");
    expect(stderr).toMatch(
      /TF125: node broken.test.cjs called no function of this project \(it ended with exit code 1\).*does not parse/,
    );
    expect(status).toBe(2);
  });

  it("ends the tests after Ctrl-C, and writes contracts of the calls until then", async () => {
    write(
      "endless.cjs",
      'const { clamp } = require("./clamp.cjs");\nfunction all() {\n  for (let x = -3; x < 9; x++) clamp(x, 0, 5);\n}\nall();\nconsole.log("ready");\nsetInterval(() => {}, 1000);\n',
    );
    const words = [builtCli(), "infer", "--", "node", "endless.cjs"];
    // A terminal sends the signal to all processes of the group.
    const child = spawn(process.execPath, words, { cwd: project, detached: true, stdio: ["ignore", "pipe", "ignore"] });
    let stdout = "";
    let isSent = false;
    child.stdout.on("data", (text: Buffer) => {
      stdout += text.toString();
      if (isSent || !stdout.includes("ready")) return;
      isSent = true;
      process.kill(-child.pid!, "SIGINT");
    });
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect(stdout).toContain("ensures    if x < low: result === low");
    expect(stdout).toContain("unknown: the work was interrupted");
    expect(status).toBe(130);
  });

  it("runs a C program once for each file with inputs, and says if there is nothing to infer", () => {
    write(
      "limits.c",
      "int limit(int x) { return x > 9 ? 9 : x; }\nint __VERIFIER_nondet_int(void);\nint test(void) { return limit(__VERIFIER_nondet_int()); }\nint idle(void) { return 0; }\n",
    );
    write("a.txt", "3\n");
    write("b.txt", "12 # too much\n");
    const { stdout, status } = infer("limits.c", "--entry", "test", "--inputs-file", "a.txt", "b.txt");
    expect(stdout).toContain(
      "int limit(int x)\n  ensures    if x <= 9: result == x\n  ensures    if x > 9: result == 9\n  pure\n  2 calls, 2 paths, 2 runs\n",
    );
    expect(status).toBe(0);
    const idle = infer("limits.c", "--entry", "idle");
    expect(idle.stderr).toContain("TF189: idle called no function");
    expect(idle.status).toBe(2);
    const short = infer("limits.c", "--entry", "test", "--inputs", "3", "--inputs", " ");
    expect(short.stdout).toContain("unknown: --inputs   ends before the run does");
    expect(short.status).toBe(3);
  });

  it("reports a runner that is not installed", () => {
    const bare = mkdtempSync(join(tmpdir(), "tracefold-bare-"));
    writeFileSync(join(bare, "package.json"), "{}");
    const run = (...words: readonly string[]) =>
      spawnSync(process.execPath, [builtCli(), ...words], { cwd: bare, encoding: "utf8" });
    const inferred = run("infer", "--", "npx", "vitest", "run");
    expect(inferred.stderr).toContain("TF124: vitest is not installed in");
    expect(inferred.status).toBe(2);
    const explained = run("explain", "--test", "x", "--", "npx", "vitest", "run");
    expect(explained.stderr).toContain("TF129: vitest is not installed in");
    expect(explained.status).toBe(2);
    rmSync(bare, { recursive: true });
  });

  it("writes the contracts of what came before a cut in the log", () => {
    const recording = join(project, "recording");
    startRecording(recording, { quota: 6, maxBytes: 1 << 26, root: project });
    const env = { ...process.env, [directoryVariable]: recording };
    spawnSync(process.execPath, ["--import", join(root, "dist/register.js"), "test.cjs"], { cwd: project, env });
    const log = join(recording, "logs", readdirSync(join(recording, "logs"))[0]!);
    truncateSync(log, readFileSync(log).length - 3);
    const { stdout, status } = infer("--recording", recording);
    expect(stdout).toContain("clamp(x: int, low: int, high: int): int");
    expect(stdout).toContain("unknown: a log ends in the middle");
    expect(status).toBe(3);
    truncateSync(log, 20);
    const nothing = infer("--recording", recording);
    expect(nothing.stderr).toContain(`TF125: the recording in ${recording} has no call of a function: its log ends`);
    expect(nothing.status).toBe(2);
  });
});
