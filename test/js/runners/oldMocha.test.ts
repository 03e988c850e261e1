import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { plainLaunch } from "../../../src/js/runners/runner.ts";
import { openSession } from "../../../src/js/runners/session.ts";

/** As mocha 1 and 2: unknown options are errors, the reporter is not asked whether it is done, growl needs its counts. */
const script = `
const { EventEmitter } = require("node:events");
const words = process.argv.slice(2);
const unknown = words.find((word) => word.startsWith("--") && word !== "--reporter");
if (unknown !== undefined) { console.error("error: unknown option " + unknown); process.exit(1); }
const at = words.indexOf("--reporter");
const Reporter = require(words[at + 1]);
class Suite extends EventEmitter {
  title = ""; root = true; suites = []; tests = []; ctx = {};
  _beforeAll = []; _beforeEach = []; _afterEach = []; _afterAll = [];
}
const suite = new Suite();
const [file] = words.filter((word, i) => i !== at && i !== at + 1).map((word) => require("node:path").resolve(word));
global.it = (title, fn) => suite.tests.push({ title, fn, file, parent: suite, ctx: {}, pending: false });
require(file);
class Runner extends EventEmitter {
  suite = suite;
  run(end) {
    this.on("end", () => end(0));
    for (const test of suite.tests) {
      this.emit("test", test);
      try { test.fn(); test.state = "passed"; } catch (error) { test.state = "failed"; this.emit("fail", test, error); }
      this.emit("test end", test);
    }
    this.emit("end");
  }
}
const options = { growl: true };
const runner = new Runner();
const reporter = new Reporter(runner, options);
if (options.growl) runner.on("end", () => console.log(reporter.stats.failures));
runner.run(process.exit);
`;

const root = mkdtempSync(join(tmpdir(), "tracefold-old-mocha-"));
for (const [name, text] of Object.entries({
  "package.json": "{}",
  "node_modules/mocha/package.json": `{ "version": "2.1.0", "bin": { "_mocha": "./bin/_mocha" } }`,
  "node_modules/mocha/bin/_mocha": script,
  "test.js": `it("adds", () => { if (1 + 1 !== 3) throw new Error("wrong"); });\nit("is", () => {});\n`,
})) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

afterAll(() => rmSync(root, { recursive: true }));

it("runs the tests of mocha 1 and 2, which know less of reporters", async () => {
  const words = ["--bail", "test.js"];
  const session = await openSession({
    ...{ runner: "mocha", root, words, launch: plainLaunch },
    cancellation: neverCancelled,
  });
  try {
    const { tests, problems } = await session.run({});
    expect(problems).toEqual([]);
    expect(tests.map(({ id, state }) => [id.name, state])).toEqual([
      ["adds", "failed"],
      ["is", "passed"],
    ]);
  } finally {
    session.close();
  }
});
