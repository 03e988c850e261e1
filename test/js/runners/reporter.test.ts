import { ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import TracefoldReporter from "../../../src/js/runners/reporter.ts";
import { builtCli } from "../../support/builtCli.ts";
import { digestOf, writeProject } from "./fixture.ts";

const reporter = fileURLToPath(new URL("../../../src/js/runners/reporter.ts", import.meta.url));

/** Jest does not load TypeScript. */
const builtReporter = join(dirname(builtCli()), "../reporter.js");

const root = writeProject({
  "package.json": `{ "type": "module" }`,
  "double.js": "export const double = (x) => x * 3;\n",
  "bad.test.js": `
import { expect, it } from "vitest";
import { double } from "./double.js";
it("doubles", () => expect(double(4)).toBe(8));`,
  "good.test.js": `
import { expect, it } from "vitest";
it("counts", () => expect(1 + 1).toBe(2));`,
  "jest/package.json": "{}",
  "jest/half.config.js": `module.exports = { transform: {}, reporters: [["default", {}], ${JSON.stringify(builtReporter)}] };`,
  "jest/half.js": "exports.half = (x) => x / 4;\n",
  "jest/bad.spec.js": `const { half } = require("./half");\nit("halves", () => expect(half(8)).toBe(4));`,
  "jest/good.spec.js": `it("counts", () => expect(1 + 1).toBe(2));`,
});

function vitest(...words: readonly string[]) {
  return [join(root, "node_modules/vitest/vitest.mjs"), ...words, "--reporter=default", `--reporter=${reporter}`];
}

const env = { ...process.env, FORCE_COLOR: "0" };
const run = (words: readonly string[], cwd = root) =>
  spawnSync(process.execPath, words, { cwd, encoding: "utf8", env });

describe("tracefold/reporter", () => {
  afterAll(() => rmSync(root, { recursive: true }));

  it("explains a failing test below the output of vitest, and keeps the exit status", () => {
    const before = digestOf(root);
    const { stdout, status } = run(vitest("run", "bad.test.js"));
    expect(status).toBe(1);
    const [, below = ""] = stdout.split("\nTracefold\n");
    expect(below).toMatch(/^\ndoubles\n/);
    expect(below.includes("expected 8") || below.includes("not explained in ten seconds")).toBe(true);
    expect(digestOf(root)).toBe(before);
  });

  it("waits ten seconds for an explanation, and says then that there is none", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const kill = vi.spyOn(ChildProcess.prototype, "kill");
    try {
      const failed = {
        moduleId: "bad.test.js",
        project: { name: "" },
        children: { allTests: () => [{ fullName: "t" }] },
      };
      const reported = new TracefoldReporter().onTestRunEnd([failed]);
      vi.advanceTimersByTime(9_999);
      expect(kill).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(kill).toHaveBeenCalledWith("SIGKILL");
      await reported;
      expect(write.mock.calls.join("")).toContain("not explained in ten seconds: tracefold explain --test t");
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it("is quiet when nothing fails", () => {
    const { stdout, status } = run(vitest("run", "good.test.js"));
    expect(status).toBe(0);
    expect(stdout).not.toContain("Tracefold");
  });

  it("explains new failures only while vitest watches", async () => {
    const child = spawn(process.execPath, vitest("watch", "bad.test.js"), { cwd: root, env });
    let printed = "";
    child.stdout.on("data", (text: Buffer) => {
      printed += stripVTControlCharacters(text.toString("utf8"));
    });
    const wait = async (done: () => boolean): Promise<void> => {
      for (let waited = 0; waited < 25_000 && !done(); waited += 50) await setTimeout(50);
      expect(done(), printed).toBe(true);
    };
    const times = (text: string): number => printed.split(text).length - 1;
    const explained = () => times("\nTracefold\n");
    try {
      await wait(() => explained() === 1);
      const test = readFileSync(join(root, "bad.test.js"), "utf8");
      writeFileSync(join(root, "bad.test.js"), `${test}\nit("triples", () => expect(double(4)).toBe(13));`);
      await wait(() => explained() === 2);
      const [, , second = ""] = printed.split("\nTracefold\n");
      expect(second).toMatch(/^\ntriples\n/);
      expect(second).not.toContain("\ndoubles\n");
      writeFileSync(join(root, "bad.test.js"), test);
      await wait(() => times("Watching for file changes") === 3);
      await setTimeout(1000);
      expect(explained()).toBe(2);
    } finally {
      child.kill("SIGKILL");
    }
  }, 90_000);

  it("works for jest", () => {
    const script = join(root, "node_modules/jest/bin/jest.js");
    const words = (file: string) => [script, "--config", "half.config.js", "--runTestsByPath", file];
    const bad = run(words("bad.spec.js"), join(root, "jest"));
    expect(bad.status).toBe(1);
    const [, below = ""] = bad.stdout.split("\nTracefold\n");
    expect(below).toMatch(/^\nhalves\n/);
    expect(below.includes("expected 4") || below.includes("not explained in ten seconds")).toBe(true);
    const good = run(words("good.spec.js"), join(root, "jest"));
    expect(good.status).toBe(0);
    expect(good.stdout).not.toContain("Tracefold");
  });
});
