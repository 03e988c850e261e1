import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { present } from "../../../src/base/checked.ts";
import { judgeChanges } from "../../../src/js/changes/judgeChanges.ts";
import { surveyTests } from "../../../src/js/changes/surveyTests.ts";
import { openSession } from "../../../src/js/runners/session.ts";
import { writeProject } from "../runners/fixture.ts";

const months = ["31", "28", "31", "30", "31", "30", "31", "31", "30", "32", "30", "31"];

const files = {
  "package.json": "{}",
  "days.js": `const days = [\n${months.map((each) => `  ${each},\n`).join("")}]
exports.daysOf = (month) => days[month]\n`,
  "test/days.test.js": `const assert = require("node:assert")
const { daysOf } = require("../days")
let opened = 0
beforeEach(() => { opened++ })
it("knows January", () => assert.strictEqual(daysOf(0), 31))
it("knows October", () => { assert.ok(opened > 0); assert.strictEqual(daysOf(9), 31) })
it("knows February", () => assert.strictEqual(daysOf(1), 28))
it("knows September and November", () => assert.deepStrictEqual([daysOf(8), daysOf(10)], [30, 30]))`,
};

it.each([
  ["mocha", ["test/*.js"]],
  ["jest", []],
] as const)("%s: finds a faulty value of a table that is made once, at load", async (runner, words) => {
  const root = writeProject(files);
  const session = await openSession({ runner, root, words, cancellation: neverCancelled });
  try {
    const survey = await surveyTests(session, null);
    const target = present(survey.run.tests.find(({ state }) => state === "failed"));
    expect(target.id.name).toBe("knows October");
    const { lines, reruns } = await judgeChanges({ session, target, survey, budget: 3000, confirm: 1 });
    expect(lines[0]).toMatchObject({ line: 11 });
    expect(lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [], asked: 3 });
    // So many processes would take much longer.
    expect(reruns).toBeGreaterThan(20);
  } finally {
    session.close();
    rmSync(root, { recursive: true });
  }
});

it("finds a fault whose result a cache keeps", async () => {
  const root = writeProject({
    "package.json": "{}",
    "double.js": `const known = new Map()
exports.double = (n) => {
  if (!known.has(n)) known.set(n, n * 3)
  return known.get(n)
}\n`,
    "test/double.test.js": `const assert = require("node:assert")
const { double } = require("../double")
it("doubles nothing", () => assert.strictEqual(double(0), 0))
it("doubles two", () => assert.strictEqual(double(2), 4))
it("doubles five", () => assert.strictEqual(double(5), 10))`,
  });
  const session = await openSession({ runner: "mocha", root, words: ["test/*.js"], cancellation: neverCancelled });
  try {
    const survey = await surveyTests(session, null);
    const target = present(survey.run.tests.find(({ state }) => state === "failed"));
    const { lines } = await judgeChanges({ session, target, survey, budget: 3000, confirm: 1 });
    expect(lines[0]).toMatchObject({ line: 3 });
    expect(lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [], stillFailing: [] });
  } finally {
    session.close();
    rmSync(root, { recursive: true });
  }
});
