import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { present } from "../../../src/base/checked.ts";
import { judgeChanges } from "../../../src/js/changes/judgeChanges.ts";
import { surveyTests } from "../../../src/js/changes/surveyTests.ts";
import type { RunnerName } from "../../../src/js/runners/runner.ts";
import { openSession, type RunnerSession } from "../../../src/js/runners/session.ts";
import { digestOf, writeProject } from "./fixture.ts";

const module = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

const source = `function total(prices) {
  return prices.reduce((sum, price) => sum - price, 0);
}
`;
const commonJs = `${source}module.exports = { total };\n`;
const esm = `${source}export { total };\n`;

/** The same tests in the words of each runner; `x` is what the module imports. */
const tests = (x: string, before: string, equal: (actual: string, expected: string) => string) => `${x}
let start = 0;
let prices = [];
describe("total", () => {
  ${before}(() => { start = 1; });
  beforeEach(() => { prices = [start, 2]; });
  it("adds", () => { prices.push(3); ${equal("total(prices)", "6")}; });
  it("of nothing", async () => { await null; ${equal("total([])", "0")}; });
  it.skip("never", () => {});
});
`;
const assertEqual = (actual: string, expected: string) => `assert.strictEqual(${actual}, ${expected})`;
const expectToBe = (actual: string, expected: string) => `expect(${actual}).toBe(${expected})`;

const projects: readonly [string, RunnerName, readonly string[], Readonly<Record<string, string>>][] = [
  [
    ...(["jest with CommonJS", "jest", []] as const),
    {
      "package.json": "{}",
      "jest.config.js": "module.exports = { transform: {} };",
      "total.js": commonJs,
      "total.test.js": tests(`const { total } = require("./total");`, "beforeAll", expectToBe),
    },
  ],
  [
    ...(["jest with a transform of TypeScript", "jest", []] as const),
    {
      "package.json": "{}",
      "jest.config.js": `module.exports = { transform: { "\\\\.ts$": "./strip.js" } };`,
      "strip.js": `const { transformSync } = require("esbuild");
        exports.process = (code) => ({ code: transformSync(code, { loader: "ts", format: "cjs" }).code });`,
      "total.ts": esm.replace("(prices)", "(prices: number[]): number"),
      "total.test.ts": tests(`import { total } from "./total";`, "beforeAll", expectToBe),
    },
  ],
  [
    ...(["mocha with CommonJS", "mocha", []] as const),
    {
      "package.json": "{}",
      "total.js": commonJs,
      "test/total.js": tests(
        `const assert = require("node:assert"); const { total } = require("../total");`,
        "before",
        assertEqual,
      ),
    },
  ],
  [
    ...(["mocha with ES modules", "mocha", ["spec/*.js"]] as const),
    {
      "package.json": `{ "type": "module" }`,
      "total.js": esm,
      "spec/total.js": tests(
        `import assert from "node:assert"; import { total } from "../total.js";`,
        "before",
        assertEqual,
      ),
    },
  ],
  [
    ...(["node:test with ES modules", "node:test", []] as const),
    {
      "package.json": `{ "type": "module" }`,
      "total.js": esm,
      "test/total.test.js": tests(
        `import assert from "node:assert"; import { total } from "../total.js";
import { before, beforeEach, describe, it } from "node:test";`,
        "before",
        assertEqual,
      ),
    },
  ],
  [
    ...(["node:test with CommonJS", "node:test", []] as const),
    {
      "package.json": "{}",
      "total.js": commonJs,
      "test/total.test.js": tests(
        `const assert = require("node:assert"); const { total } = require("../total");
const { before, beforeEach, describe, it } = require("node:test");`,
        "before",
        assertEqual,
      ),
    },
  ],
];

describe.each(projects)("%s", (_, runner, words, files) => {
  const root = writeProject(files);
  const before = digestOf(root);
  let session: RunnerSession;

  beforeAll(async () => {
    session = await openSession({ runner, root, words, cancellation: neverCancelled });
  });

  afterAll(() => {
    session.close();
    expect(digestOf(root)).toBe(before);
    rmSync(root, { recursive: true });
  });

  it("lists tests, loads changed sources, and runs tests again in place", async () => {
    const plain = await session.run({});
    expect(plain.problems).toEqual([]);
    const states = plain.tests.map(({ id, state }) => `${id.name}: ${state}`);
    expect(states).toEqual(["total > adds: failed", "total > of nothing: passed", "total > never: skipped"]);
    expect(plain.tests[0]?.error?.message).toMatch(/-6/);
    expect(plain.tests[0]?.error).toMatchObject({ expected: "6", actual: "-6" });

    const change = { transform: module("replaceText"), options: { from: "sum - price", to: "sum + price" } };
    expect((await session.run(change)).tests.map(({ state }) => state)).toEqual(["passed", "passed", "skipped"]);

    const notes = join(session.folder, "notes");
    await session.run({ tests: ["total > adds"], hooks: module("noteTests"), options: { notes } });
    const seen = readFileSync(notes, "utf8")
      .trim()
      .split("\n")
      .filter((line) => /^(before|after|again) total/.test(line));
    expect(seen.map((line) => line.split(" ").slice(0, 4).join(" "))).toEqual([
      "before total > adds",
      "after total > adds",
      "again total > adds",
    ]);
  });

  it("judges changes", async () => {
    const survey = await surveyTests(session, null);
    const target = present(survey.run.tests.find(({ state }) => state === "failed"));
    const { lines } = await judgeChanges({ session, target, survey, budget: 2000, confirm: 1 });
    expect(lines[0]).toMatchObject({ line: 2 });
    expect(lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [] });
  });
});
