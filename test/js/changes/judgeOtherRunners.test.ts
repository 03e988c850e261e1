import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { present } from "../../../src/base/checked.ts";
import { judgeChanges } from "../../../src/js/changes/judgeChanges.ts";
import { surveyTests } from "../../../src/js/changes/surveyTests.ts";
import { mochaOptions } from "../../../src/js/runners/processDriver.ts";
import type { RunnerName } from "../../../src/js/runners/runner.ts";
import { openSession } from "../../../src/js/runners/session.ts";
import { writeProject } from "../runners/fixture.ts";

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

async function judge(
  runner: RunnerName,
  words: readonly string[],
  files: Readonly<Record<string, string>>,
  name: string,
  confirm = 1,
) {
  const root = writeProject(files);
  roots.push(root);
  const session = await openSession({ runner, root, words, cancellation: neverCancelled });
  try {
    const survey = await surveyTests(session, null);
    const target = present(survey.run.tests.find(({ id }) => id.name === name));
    const judgement = await judgeChanges({ session, target, survey, budget: 2000, confirm });
    const failing = survey.run.tests.flatMap(({ id, state }) => (state === "failed" ? [id.name] : []));
    return { failing, judgement };
  } finally {
    session.close();
  }
}

/** Without semicolons, and with a regular expression whose parts cannot all be left out. */
const source = `const marks = ["a", "b"]
const pattern = /^(?:x|y)+[0-9]?$/
module.exports = { count, isMark }
function count(texts) {
  let found = 0
  texts.forEach((text) => {
    if (pattern.test(text)) found--
  })
  return found
}
function isMark(text) { return marks.includes(text) }
`;

describe("mocha with several files", () => {
  const test = (body: string) => `const assert = require("node:assert")
const { count, isMark } = require("../count")
${body}`;
  it("judges a test of any of them, with the other failing tests as witnesses", async () => {
    const { failing, judgement } = await judge(
      "mocha",
      ["--require", "./env.js", "test/*.js"],
      {
        "package.json": "{}",
        "env.js": `if (process.env.BABEL_DISABLE_CACHE !== "1") throw new Error("compiled sources would be kept")`,
        "count.js": source,
        "test/a.js": test(`it("knows marks", () => assert.ok(isMark("a")))`),
        "test/b.js": test(`it("counts one", () => assert.strictEqual(count(["x1", "z"]), 1))
it("counts two", () => assert.strictEqual(count(["x", "y"]), 2))
it("counts none", () => assert.strictEqual(count([]), 0))`),
      },
      "counts one",
    );
    expect(failing).toEqual(["counts one", "counts two"]);
    expect(judgement).toMatchObject({ complete: true, notice: null });
    expect(judgement.lines[0]).toMatchObject({ line: 7 });
    expect(judgement.lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [], repairs: 1, asked: 3 });
  });

  it("lets the tests of other files judge a change before it is run fresh", async () => {
    const source = 'exports.isLarge = (n) => n > 0\nexports.size = (n) => (exports.isLarge(n) ? "large" : "small")\n';
    const head = `const assert = require("node:assert")\nconst { isLarge, size } = require("../size")\n`;
    const { judgement } = await judge(
      "mocha",
      ["test/*.js"],
      {
        "package.json": "{}",
        "size.js": source,
        "test/a.js": `${head}it("knows what is small", () => assert.strictEqual(size(1), "small"))`,
        "test/b.js": `${head}it("knows what is large", () => assert.strictEqual(size(2), "large"))`,
      },
      "knows what is small",
      0,
    );
    const changes = judgement.lines.flatMap((each) => each.changes);
    expect(changes.every(({ asked }) => asked === 1)).toBe(true);
    expect(new Set(changes.map(({ broken }) => broken.join()))).toEqual(new Set(["", "knows what is large"]));
  }, 60_000);

  it("goes on when a timer of the test throws", async () => {
    const { judgement } = await judge(
      "mocha",
      ["test/*.js"],
      {
        "package.json": "{}",
        "later.js": "exports.later = (n, done) => {\n  setTimeout(() => done(n - 1), 1)\n}\n",
        "test/a.js": `const assert = require("node:assert")
const { later } = require("../later")
it("adds", (end) => later(1, (n) => { assert.strictEqual(n, 2); end() }))`,
      },
      "adds",
    );
    expect(judgement).toMatchObject({ complete: true, notice: null });
    expect(judgement.lines.map(({ line }) => line)).toContain(2);
  }, 60_000);

  it("tells tests with the same name apart", async () => {
    const { failing, judgement } = await judge(
      "mocha",
      ["test/*.js"],
      {
        "package.json": "{}",
        "count.js": source,
        "test/a.js": test(`describe("all", () => {
  for (const texts of [[], ["x1"], ["z"]])
    it("are counted", () => assert.strictEqual(count(texts), texts.includes("x1") ? 1 : 0))
})`),
      },
      "all > are counted (2)",
    );
    expect(failing).toEqual(["all > are counted (2)"]);
    expect(judgement.lines[0]).toMatchObject({ line: 7 });
    expect(judgement.lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [], asked: 2 });
  });

  it("runs only the files that it names", () => {
    expect(mochaOptions(["--require", "x", "-t", "500", "test/*.js", "--check-leaks", "other"])).toEqual([
      ...["--require", "x", "-t", "500", "--check-leaks"],
    ]);
  });
});

describe("node:test", () => {
  const test = `const test = require("node:test")
const { createServer, connect } = require("node:net")
const { count } = require("../count")
test("counts", (t) => { t.plan(2); t.assert.ok(true); t.assert.strictEqual(count(["x1", "z"]), 1) })
test("plans", (t) => { t.plan(1); t.assert.strictEqual(count([]), 0) })
test("hears of errors in listeners", (t, done) => {
  setImmediate(() => { t.assert.strictEqual(count(["x"]), 1); done() })
})
test("throws anything", () => { throw Object.create(null) })
test("talks to itself", (t, done) => {
  const server = createServer((socket) => socket.end()).listen(0, () => {
    connect(server.address().port).on("close", () => {
      server.close()
      try { t.assert.strictEqual(count(["y"]), 1); done() } catch (error) { done(error) }
    }).resume()
  })
})
`;
  it.each(["counts", "hears of errors in listeners", "talks to itself"])("judges a test that %s", async (name) => {
    const files = { "package.json": "{}", "count.js": source, "test/count.test.js": test };
    const { failing, judgement } = await judge("node:test", [], files, name);
    expect(failing).toEqual(["counts", "hears of errors in listeners", "throws anything", "talks to itself"]);
    expect(judgement.notice).toBeNull();
    expect(judgement.lines[0]).toMatchObject({ line: 7 });
    expect(judgement.lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [] });
    expect(judgement.lines[0]?.changes[0]?.stillFailing).toEqual(["throws anything"]);
  });
});

describe("jest", () => {
  it("knows tests by their names in the source, also in the first run", async () => {
    const { failing, judgement } = await judge(
      "jest",
      [],
      {
        "package.json": "{}",
        "call.js": "exports.call = (f) => f() + 1\n",
        "call.test.js": `const { call } = require("./call")
test.each([[() => 1]])("calls %s", (f) => expect(call(f)).toBe(3))`,
      },
      "calls () => 1",
    );
    expect(failing).toEqual(["calls () => 1"]);
    expect(judgement.lines[0]?.changes[0]).toMatchObject({ isConfirmed: true, broken: [] });
  }, 60_000);
});
