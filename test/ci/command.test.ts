import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { builtCli } from "../support/builtCli.ts";

/** `tracefold ci` outside of GitHub. */

const folder = mkdtempSync(join(tmpdir(), "tracefold-ci-"));
afterAll(() => rmSync(folder, { recursive: true }));

function ci(files: Readonly<Record<string, string>>, ...words: readonly string[]) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // The runner of these tests must not be asked by the one that runs in them.
  const {
    GITHUB_ACTIONS: _,
    GITHUB_STEP_SUMMARY: __,
    NODE_OPTIONS: ___,
    NODE_TEST_CONTEXT: ____,
    ...env
  } = process.env;
  return spawnSync(process.execPath, [builtCli(), "ci", ...words], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
}

it("fails if tests cannot be run, and says why", () => {
  const { status, stdout } = ci({}, "--c", "missing.c");
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: "== Tracefold: the tests could not be run\n\nTF101: missing.c: there is no such file\n",
  });
});

it("does not say that no test ran where it did not ask", () => {
  const { status, stdout } = ci({}, "--", process.execPath, "-e", "0");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "== Tracefold: the test command passes\n" });
});

it("prints screens as text, and as Markdown into a file", () => {
  const half = "#include <assert.h>\nint main(void) { int x = 3 / 2; assert(x == 2); return 0; }\n";
  const { status, stdout } = ci({ "half.c": half }, "--c", "half.c");
  expect(status).toBe(1);
  expect(stdout).toMatch(/^== Tracefold: 1 of 1 program fails\n\n== half\.c\n\nerror: assertion failed: x == 2\n/);
  expect(stdout).not.toContain("```");
});

it("keeps quotes, colons and line breaks of a test's name in annotations", () => {
  const name = 'says "a: b", 100%\\nand ::more::';
  const files = {
    "package.json": '{ "type": "module" }',
    "rebate.js": "export const rebate = (sum) => (sum > 100 ? 10 : 0);\n",
    "odd name.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { rebate } from "./rebate.js";
test('${name}', () => assert.equal(rebate(100), 10));
`,
  };
  const { status, stdout } = ci(files, "--annotations", "--", process.execPath, "--test");
  expect(status).toBe(1);
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::"));
  const title = 'says "a%3A b"%2C 100%25%0Aand %3A%3Amore%3A%3A';
  expect(annotations[0]).toContain("::error file=odd name.test.js,line=4,");
  expect(annotations[0]).toContain(`,title=${title}::received is 0, expected 10`);
  expect(annotations[1]).toContain(`title=look here%3A ${title}::`);
});
