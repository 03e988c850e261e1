import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askOn } from "../../src/cli/askUser.ts";
import { unifiedDiff } from "../../src/render/patch.ts";
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

test("writes a patch that applies for a file without a last line end, and says if an old patch stays", () => {
  writeFileSync(
    join(folder, "sum.c"),
    "#include <assert.h>\nint main(void) {\n  int n = 2;\n  assert(n == 3); return 0; }",
  );
  expect(explain("--fix").status).toBe(0);
  const patch = readFileSync(join(folder, "tracefold.patch"), "utf8");
  expect(patch).toContain("\\ No newline at end of file");
  execFileSync("git", ["apply", "tracefold.patch"], { cwd: folder });
  expect(explain("--fix").stdout).not.toContain("change:");
});

test("writes paths that patch and git apply accept", () => {
  const diff = (file: string) => unifiedDiff(file, "a\nb\n", "a\nc\n").split("\n")[0];
  expect(diff("sub/./sum.c")).toBe("--- a/sub/sum.c");
  expect(diff("my file.c")).toBe("--- a/my file.c\t");
  expect(diff("/tmp/x/sum.c")).toBe("--- a/tmp/x/sum.c");
  expect(diff("../x/sum.c")).not.toMatch(/\.\./);
});

test("marks a missing line end on each side of a patch", () => {
  expect(unifiedDiff("a.c", "a\nb", "a\nc").split("\n").slice(2)).toEqual([
    "@@ -1,2 +1,2 @@",
    " a",
    "-b",
    "\\ No newline at end of file",
    "+c",
    "\\ No newline at end of file",
    "",
  ]);
  expect(unifiedDiff("a.c", "a\nb", "c\nb").split("\n").slice(2)).toEqual([
    "@@ -1,2 +1,2 @@",
    "-a",
    "+c",
    " b",
    "\\ No newline at end of file",
    "",
  ]);
});

const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
const commit = () => git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "start");
const now = () => readFileSync(join(folder, "sum.c"), "utf8");

function commitAll(): void {
  git("init", "-q");
  git("add", "sum.c");
  commit();
}

describe("--fix=apply", () => {
  test("shows the diff and changes the file if the tree is clean", () => {
    commitAll();
    writeFileSync(join(folder, "untracked.txt"), "");
    const { stdout, stderr, status } = explain("--fix=apply");
    expect(stdout).toMatch(/^change: of sum.c: a change with which .*\n--- a\/sum.c\n/m);
    expect(stdout).toMatch(/\nsum.c was changed: with this the run passes \(it need not be the right change\)\n$/);
    expect([stderr, status]).toEqual(["", 0]);
    expect(now()).not.toBe(program);
    git("checkout", "sum.c");
    expect(now()).toBe(program);
  });

  test("leaves the file alone without a terminal if git cannot bring it back, unless --yes agrees", () => {
    const outside = explain("--fix=apply");
    expect(outside.stderr).toContain("sum.c was not changed: sum.c is not in git\n");
    expect(outside.stderr).toContain("Commit first, agree with --yes, or write a patch with --fix.");
    git("init", "-q");
    git("add", "sum.c");
    const refused = explain("--fix=apply");
    expect(refused.stdout).toContain("--- a/sum.c\n");
    expect(refused.stderr).toContain("sum.c was not changed: the tree has changes that are not committed\n");
    expect(refused.status).toBe(2);
    expect(now()).toBe(program);
    expect(explain("--fix=apply", "--yes").stdout).toContain("sum.c was changed");
    expect(now()).not.toBe(program);
  });

  test("counts changes of other files in the same tree", () => {
    writeFileSync(join(folder, "other.c"), "int x;\n");
    git("init", "-q");
    git("add", "other.c");
    commitAll();
    writeFileSync(join(folder, "other.c"), "int y;\n");
    expect(explain("--fix=apply", "--format", "json").stderr).toContain("the tree has changes that are not committed");
    expect(now()).toBe(program);
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;

  /** `script` gives the command a terminal, and types the answer into it. */
  test.skipIf(!hasScript).each([
    ["y\n", true],
    ["\n", false],
    ["no\n", false],
  ])("asks on a terminal: %j", (answer, applies) => {
    const words = `${process.execPath} ${builtCli()} explain sum.c --fix=apply`;
    const options = { cwd: folder, encoding: "utf8", input: answer, env: { ...process.env, TERM: "dumb" } } as const;
    const { stdout } = spawnSync("script", ["-qec", words, "/dev/null"], options);
    expect(stdout).toContain("Apply the change to sum.c, although sum.c is not in git? (y/N)");
    expect(stdout.indexOf("--- a/sum.c")).toBeLessThan(stdout.indexOf("(y/N)"));
    expect(stdout).toContain(applies ? "sum.c was changed" : "sum.c was not changed");
    expect(now() !== program).toBe(applies);
  });

  test("takes the end of the input as no", async () => {
    const input = new PassThrough();
    const asked = new PassThrough();
    const answer = askOn("Apply?", input, asked);
    input.end();
    expect(await answer).toBe(false);
    expect(asked.read().toString()).toBe("Apply? (y/N) \n");
  });
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

describe("changes for other programs", () => {
  const exclusive = words.replace("  if (n < 0) {\n", "  if (n == -1) {\n");
  const inputs = { three: ["3", "6"], none: ["0", "0"], two: ["2", "3"] };
  type Region = { startLine: number; startColumn: number; endLine: number; endColumn: number };

  /** Replaces regions of lines and columns, the last one first. */
  function changed(text: string, edits: readonly (readonly [Region, string])[]): string {
    const lines = text.split("\n");
    const offset = (line: number, column: number) =>
      lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    return edits
      .toSorted(([a], [b]) => offset(b.startLine, b.startColumn) - offset(a.startLine, a.startColumn))
      .reduce((all, [{ startLine, startColumn, endLine, endColumn }, replacement]) => {
        return all.slice(0, offset(startLine, startColumn)) + replacement + all.slice(offset(endLine, endColumn));
      }, text);
  }

  beforeEach(() => {
    writeFileSync(join(folder, "sum.c"), exclusive);
    for (const [name, [input, output]] of Object.entries(inputs)) {
      writeFileSync(join(folder, `${name}.in`), `${input}\n`);
      writeFileSync(join(folder, `${name}.out`), `${output}\n`);
    }
  });

  function passes(text: string): boolean {
    writeFileSync(join(folder, "sum.c"), text);
    const run = spawnSync(process.execPath, [builtCli(), "run", "sum.c", "--tests", "."], { cwd: folder });
    return run.status === 0;
  }

  test("JSON lists changes by line and kind, with the tests that they break", () => {
    const { suspects } = JSON.parse(explain("--tests", ".", "--format", "json").stdout);
    type Change = { kind: string; tests: { broken: string[] } };
    type Suspect = { location: { line: number }; changes: readonly Change[] };
    const [first] = suspects as readonly Suspect[];
    expect(first?.location.line).toBe(10);
    expect(first?.changes[0]).toMatchObject({
      kind: "boundary",
      edits: [{ location: { file: "sum.c", line: 10, endLine: 10 }, text: "<=" }],
      level: "passes",
      avoids: false,
      confirmed: true,
      tests: { asked: 2, broken: [], stillFailing: [] },
    });
    const all = (suspects as readonly Suspect[]).flatMap(({ changes }) => changes);
    const broken = all.filter(({ tests }) => tests.broken.length > 0);
    expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThan(3);
    expect(broken.length).toBeGreaterThan(0);
    for (const { tests } of broken) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(tests.broken));
  });

  test("each of the fixes of SARIF passes the tests when it is applied", () => {
    const { runs } = JSON.parse(explain("--tests", ".", "--format", "sarif").stdout);
    type Replacement = { deletedRegion: Region; insertedContent: { text: string } };
    type Fix = { description: { text: string }; artifactChanges: [{ replacements: readonly Replacement[] }] };
    const fixes = runs[0].results[0].fixes as readonly Fix[];
    expect(fixes[0]?.description.text).toBe("with `i <= n` instead of `i < n` all 3 tests pass");
    expect(passes(exclusive)).toBe(false);
    for (const { artifactChanges } of fixes.slice(0, 3)) {
      const edits = artifactChanges[0].replacements.map(
        ({ deletedRegion, insertedContent }) => [deletedRegion, insertedContent.text] as const,
      );
      expect(passes(changed(exclusive, edits))).toBe(true);
    }
  });
});

test("changes the source of a JavaScript test", () => {
  const source = "exports.isAdult = (age) => age > 18;\n";
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "age.js"), source);
  writeFileSync(
    join(folder, "age.test.js"),
    `const test = require("node:test");
const assert = require("node:assert");
const { isAdult } = require("./age.js");
test("18 is enough", () => assert.strictEqual(isAdult(18), true));
test("17 is not", () => assert.strictEqual(isAdult(17), false));
`,
  );
  const words = [builtCli(), "explain", "--fix=apply", "--yes", "--", "node", "--test"];
  const { stdout, status } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  expect(stdout).toContain("age.js was changed: with this all 2 tests pass");
  expect(status).toBe(0);
  expect(readFileSync(join(folder, "age.js"), "utf8")).not.toBe(source);
  const again = spawnSync(process.execPath, ["--test"], { cwd: folder, env: { PATH: process.env.PATH } });
  expect(again.status).toBe(0);
}, 60_000);
