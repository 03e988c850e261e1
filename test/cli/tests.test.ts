import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { offsetOf, sourceFile } from "../../src/base/sourceFile.ts";
import { applyEdits } from "../../src/changes/change.ts";
import { givenTo } from "../../src/commands/command.ts";
import type { TextChange } from "../../src/commands/explain/result.ts";
import { requestedPassing, splitWords } from "../../src/commands/options/testOptions.ts";
import { run } from "../../src/commands/run/command.ts";
import { isFix } from "../../src/render/patch.ts";
import { builtCli } from "../support/builtCli.ts";

/** A folder of tests: `--tests`. */

const folder = mkdtempSync(join(tmpdir(), "tracefold-tests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Counts the numbers above a limit; the limit is an argument. It forgets that the limit is exclusive. */
const above = `#include <stdio.h>
#include <stdlib.h>

static int count(int limit) {
  int n, count = 0;
  while (scanf("%d", &n) == 1)
    if (n >= limit)
      count++;
  return count;
}

int main(int argc, char **argv) {
  int limit = argc > 1 ? atoi(argv[1]) : 0;
  printf("%d\\n", count(limit));
  return argc > 2 ? 3 : 0;
}
`;

function put(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

beforeAll(() => {
  put(".", { "above.c": above });
  put("some", {
    ...{ "two.in": "1 2 -3\n", "two.out": "2", "two.args": "", "README.md": "not a test" },
    ...{ "equal.in": "5 6 7\n", "equal.out": "2\n", "equal.args": "5\n" },
    ...{ "zero.in": "0 0 0 0 0 0 0 0 1\n", "zero.out": "1\n" },
    ...{ "status.in": "9", "status.out": "  1 ", "status.args": "8\n'a b'", "status.exit": "3\n" },
  });
  put("good", { "input1.txt": "1\n", "output1.txt": "1\n", "input10.txt": "", "output10.txt": "0", "input.c": "" });
  put("none", { "a.txt": "" });
  put("half", { "a.in": "1" });
});

function tracefold(...args: string[]) {
  return spawnSync("node", [builtCli(), ...args], { cwd: folder, encoding: "utf8", timeout: 600_000 });
}

describe("run --tests", () => {
  it("lists all tests, and fails if one does", () => {
    const { stdout, status } = tracefold("run", "above.c", "--tests", "some");
    expect(stdout).toMatch(/^FAIL {2}equal +\d+ steps {2}above.c:14:3: wrong output: .* is "3", expected "2"/m);
    expect(stdout).toMatch(/^pass {2}status +\d+ steps$/m);
    expect(stdout).toMatch(/^pass {2}two {4}/m);
    expect(stdout).toContain("\n2 of 4 tests fail\n");
    expect(status).toBe(1);
  });

  it("takes input1 with output1, in the order of the numbers", () => {
    const { stdout, status } = tracefold("run", "above.c", "--tests", "good");
    expect(stdout).toMatch(/^pass {2}input1\.txt .*\npass {2}input10\.txt .*\nall 2 tests pass\n$/);
    expect(status).toBe(0);
  });

  it("compares bytes with --exact", () => {
    const { stdout } = tracefold("run", "above.c", "--tests", "good", "--exact", "--format", "json");
    const tests = JSON.parse(stdout).tests as readonly { name: string; passes: boolean }[];
    expect(tests.map(({ name, passes }) => `${name} ${passes}`)).toEqual(["input1.txt true", "input10.txt false"]);
  });

  it("runs one test alone with --test", () => {
    const { stdout, status } = tracefold("run", "above.c", "--tests", "some", "--test", "equal");
    expect(stdout).toContain("above.c:14:3: wrong output");
    expect(status).toBe(1);
  });

  it("says what is wrong with a folder", () => {
    const requestOf = (tests: string, more = {}, programArguments: readonly string[] = []) =>
      run.request(givenTo(run, { words: ["a.c"], programArguments, raw: { tests: join(folder, tests), ...more } }));
    expect(() => requestOf("none")).toThrow(/has no tests/);
    expect(() => requestOf("half")).toThrow(/half\/a.in has no expected output/);
    expect(() => requestOf("above.c")).toThrow(/cannot read .*above.c \(it is no folder\)/);
    expect(() => requestOf("missing")).toThrow(/cannot read .*missing/);
    expect(() => requestOf("some", { test: "three" })).toThrow(/has no such test, but equal, status, two, zero/);
    expect(() => requestOf("some", {}, ["5"])).toThrow(/give no others/);
    expect(() => requestOf("some", { trace: true })).toThrow(/--trace prints one run/);
    expect(requestOf("some").tests?.list.map(({ args }) => args)).toEqual([["5"], ["8", "a b"], [], []]);
  });
});

describe("explain --tests", () => {
  it("explains the shortest failing test; the tests that pass judge changes", () => {
    const { stdout, status } = tracefold("explain", "above.c", "--tests", "some");
    expect(stdout).toMatch(/: expected "2"\n +printed {2}"3"\n/);
    expect(stdout).toMatch(/7 +if \(n >= limit\) +5 >= 5 is true/);
    expect(stdout).toContain("n > limit");
    expect(stdout).toContain("tests:  2 of 4 tests fail; this run is equal; zero fails for the same reason\n");
    expect(status).toBe(0);
  });

  it("explains a wrong number before a right one in another form", () => {
    const half = `#include <stdio.h>
int main(void) {
  int n;
  scanf("%d", &n);
  if (n > 100) n++;
  printf("%.1f\\n", n / 2.0);
}
`;
    const tests = { "a.in": "4", "a.out": "2", "b.in": "102", "b.out": "51.0", "c.in": "3", "c.out": "1.5" };
    const path = put("form", { "half.c": half, ...tests });
    const { stdout } = tracefold("explain", join(path, "half.c"), "--tests", path, "--no-proof");
    expect(stdout).toContain('expected "51.0"');
    expect(stdout).toContain("this run is b");
    const form = tracefold("explain", join(path, "half.c"), "--tests", path, "--test", "a", "--no-proof");
    expect(form.stdout).toContain("the right number in another form");
  });

  it("explains the chosen test", () => {
    const { stdout } = tracefold("explain", "above.c", "--tests", "some", "--test", "zero", "--format", "json");
    const { tests, outcome } = JSON.parse(stdout);
    expect(tests.explained).toBe("zero");
    expect(tests.list).toHaveLength(4);
    expect(outcome.difference).toMatchObject({ expected: '"1"', found: '"9"' });
  });

  it("shows the shortest of changes that behave alike, and a moved statement once, with its new line", () => {
    put("sums", {
      "sum.c": `#include <stdio.h>
int main(void) {
  int n, sum = 0, v;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n; i++) {
    scanf("%d", &v);
    sum += v;
    sum = sum % 7;
  }
  printf("%d\\n", sum);
  return 0;
}
`,
      ...{ "a.in": "3 1 2 3", "a.out": "6", "b.in": "3 10 20 3", "b.out": "33" },
      ...{ "z.in": "0", "z.out": "0", input4: "2 100 1", output4: "101" },
    });
    const { stdout } = tracefold("explain", "sums/sum.c", "--tests", "sums");
    expect(stdout).toMatch(/sum = sum % 7; .*<-- one of these: without `sum = sum % 7` all 4 tests pass/);
    expect(stdout.match(/line 8 moved to line 5/g)).toHaveLength(1);
  });

  it("has nothing to explain if all tests pass", () => {
    const { stdout, status } = tracefold("explain", "above.c", "--tests", "good");
    expect(stdout).toBe("all 2 tests pass: there is nothing to explain.\n");
    expect(status).toBe(0);
  });
});

function changesIn(json: string): readonly TextChange[] {
  return JSON.parse(json).suspects.flatMap(({ changes }: { readonly changes: readonly TextChange[] }) => changes);
}

describe("what a change has to print", () => {
  it("is asked of it also if the test fails by its status", () => {
    const text = `#include <stdio.h>
int main(void) {
  int n = 0, v;
  while (scanf("%d", &v) == 1) n++;
  if (n == 0) {
    printf("none\\n");
    return 3;
  }
  printf("%d\\n", n);
  return 0;
}
`;
    put("counted", { "c.c": text, "a.in": "7", "a.out": "1", "z.in": "", "z.out": "none" });
    const { stdout } = tracefold("explain", "counted/c.c", "--tests", "counted", "--format", "json", "--no-proof");
    for (const { edits, ...change } of changesIn(stdout).filter(isFix)) {
      const source = sourceFile("c.c", text);
      const changed = applyEdits(
        text,
        edits.map(({ location, text: now }) => ({
          start: offsetOf(source, location.line, location.column),
          end: offsetOf(source, location.endLine, location.endColumn),
          text: now,
        })),
      );
      put("changed", { "c.c": changed });
      const after = tracefold("run", "changed/c.c", "--tests", "counted");
      expect(after.status, `${change.text}\n${after.stdout}`).toBe(0);
    }
  });

  it("is what it prints now, for a passing run without an expected output", () => {
    put("twice", { "d.c": twice, "3.in": "3", "3.out": "6\n", "1.in": "1" });
    const given = ["--stdin", "twice/3.in", "--expect-stdout", "twice/3.out", "--passing", "twice/1.in"];
    const { stdout } = tracefold("explain", "twice/d.c", ...given, "--format", "json", "--no-proof");
    const passing = changesIn(stdout)
      .filter(isFix)
      .map(({ edits }) => edits[0]?.text);
    expect(passing).not.toContain("(n + 1) + 2");
    expect(passing.length).toBeGreaterThan(0);
  });
});

const twice = `#include <stdio.h>
int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  printf("%d\\n", n + 1);
  return 0;
}
`;

describe("--passing with parts", () => {
  it("has arguments and an expected output of its own", () => {
    const given = `stdin=${join(folder, "some/status.in")} args='8 "a b"' out=${join(folder, "some/status.out")} exit=3`;
    expect(requestedPassing(given, { exact: false })).toMatchObject({
      entry: null,
      args: ["8", "a b"],
      expected: { exit: 3, compares: "tokens" },
    });
    const explain = (...passing: string[]) =>
      tracefold(
        ...["explain", "above.c", "--stdin", "some/equal.in", "--expect-stdout", "some/equal.out"],
        ...passing.flatMap((each) => ["--passing", each]),
        ...["--format", "json", "--", "5"],
      );
    const judged = explain("stdin=some/two.in args='' out=some/two.out", "stdin=some/status.in args=8");
    expect(judged.stderr).toBe("");
    const [first] = JSON.parse(judged.stdout).suspects;
    expect(first.whatIfs[0]).toMatchObject({ text: expect.stringContaining("n > limit"), passingRuns: { asked: 2 } });
    const wrong = explain("stdin=some/two.in args='' out=some/zero.out");
    expect(wrong.stderr).toContain("--passing stdin=some/two.in args='' out=some/zero.out: this run does not pass");
    expect(wrong.status).toBe(2);
  });

  it("refuses parts that do not exist", () => {
    expect(() => requestedPassing("stdin=/dev/null name=x", { exact: false })).toThrow(/name is no part of a run/);
    expect(() => requestedPassing("args=a b", { exact: false })).toThrow(/"b" is no part such as stdin=FILE/);
  });
});

describe("words", () => {
  it("are split as in a shell", () => {
    expect(splitWords("x", " a  'b c'\\ d\n\"e \\\" \\n\"f '' ")).toEqual(["a", "b c d", 'e " \\nf', ""]);
    expect(() => splitWords("x", "a 'b")).toThrow(/x: a quote or a backslash has no end/);
  });
});
