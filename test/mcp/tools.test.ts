import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mostTokens } from "../../src/mcp/tokens.ts";
import { countTokens, filesIn, startClient, type TestClient, type TestWorkspace, workspaceOf } from "./client.ts";
import { failingProgram, repairWith } from "./failingPrograms.ts";

const absolute = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int absolute(int x) { return x < 0 ? -x : x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -1000 || x > 1000) return 0;
  assert(absolute(x) >= 0);
  assert(x != 77);
  return 0;
}
`;
const halved =
  'import { test } from "node:test";\nimport assert from "node:assert";\nimport { half } from "./half.js";\ntest("halves", () => assert.equal(half(4), 2));\n';
const wide = `#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); return 0; } /* ${"very ".repeat(2000)}long */\n`;

let workspace: TestWorkspace;
let client: TestClient;

beforeAll(async () => {
  const { copied } = failingProgram("an accumulator that is not read (node:test)");
  const files = { "absolute.c": absolute, "safe.c": absolute.replace("  assert(x != 77);\n", ""), "wide.c": wide };
  const project = { "half.js": "export const half = (x) => x / 2;\n", "halfCheck.js": halved };
  workspace = workspaceOf({ ...files, ...project }, copied);
  const commands = ["--test-command", "npm test", "--test-command", "half=node --test halfCheck.js"];
  client = await startClient(workspace, commands);
});

afterAll(async () => {
  await client.close();
  expect(filesIn(workspace.temporary)).toEqual([]);
  expect(Math.max(...client.sizes)).toBeLessThanOrEqual(mostTokens);
  workspace.remove();
});

describe("a failing test of a JavaScript project", () => {
  it("is explained, asked about, changed and confirmed", async () => {
    await repairWith(client, failingProgram("an accumulator that is not read (node:test)"));
  });

  it("is not said to pass with a change of a file that no test loads", async () => {
    const run = /run (r\d+)/.exec(await client.tell("explain", {}))?.[1];
    const { text, isError } = await client.call("try_change", {
      run,
      edits: [{ file: "package.json", old: '"private": true', new: '"private": false' }],
    });
    expect([isError, text]).toEqual([true, expect.stringMatching(/package\.json is no file of this run/)]);
  });
});

describe("inputs and proofs", () => {
  it("finds a failing input, and explain takes it", async () => {
    const found = await client.tell("find_failing_input", { files: ["absolute.c"] });
    expect(found).toMatch(/^fails at absolute\.c:8: .*\[re-run\]\n 77$/m);
    const next = /^next: explain (.*)$/m.exec(found)?.[1] ?? "";
    expect(await client.tell("explain", JSON.parse(next))).toContain("inputs 77");
  });

  it("proves a program safe, and gives inputs for one that is not", async () => {
    expect(await client.tell("verify", { files: ["safe.c"] })).toMatch(/^safe: .*\[proved\]/);
    expect(await client.tell("verify", { files: ["absolute.c"] })).toMatch(/^unsafe: .*inputs 77 \[re-run\]/);
  });
});

describe("contracts", () => {
  it("say what a change did to them", async () => {
    const before = await client.tell("contracts", { command: "half" });
    expect(before).toMatch(/^half\.js:1 half\(.*\[observed\]$/m);
    expect(before).toMatch(/^ ensures result === x \/ 2 \[observed\]$/m);
    const id = /"against":"(k\d+)"/.exec(before)?.[1];
    expect(await client.tell("contracts", { command: "half", against: id })).toContain("the contracts are the same");
    writeFileSync(join(workspace.root, "half.js"), "export const half = (x) => x - 2;\n");
    const after = await client.tell("contracts", { command: "half", against: id });
    expect(after).toMatch(/^no longer: half\.js half: ensures result === x \/ 2 \[observed\]$/m);
  });
});

describe("long lines", () => {
  it("are shortened, and say by how much", async () => {
    const run = /run (r\d+)/.exec(await client.tell("explain", { files: ["wide.c"] }))?.[1];
    const { text } = await client.call("try_change", {
      run,
      edits: [{ file: "wide.c", old: "int x = 1", new: "int x = 2" }],
    });
    expect(text).toMatch(/^the failing run passes/);
    expect(text).toMatch(/^\+int main.*… \([\d,]+ more characters\)$/m);
    expect(countTokens(text)).toBeLessThanOrEqual(mostTokens);
  });
});
