import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { openSession, type RunnerSession } from "../../../src/js/runners/session.ts";
import { digestOf, writeProject } from "./fixture.ts";

const module = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

const root = writeProject({
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": `
    import { defineConfig } from "vitest/config";
    const resolve = { alias: { "@lib": new URL("./packages/lib/src", import.meta.url).pathname } };
    export default defineConfig({
      test: {
        experimental: { fsModuleCache: true, fsModuleCachePath: "./modules" },
        projects: [
          { resolve, test: { name: "lib", root: "packages/lib", globals: true } },
          { resolve, test: { name: "app", root: "packages/app" } },
        ],
      },
    });`,
  "packages/lib/src/total.ts": `export function total(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum - price, 0);
}`,
  "packages/lib/total.test.ts": `
    import { total } from "./src/total.ts";
    let start = 0;
    let prices: number[] = [];
    describe("total", () => {
      beforeAll(() => { start = 1; return () => { start = 0; }; });
      beforeEach(() => { prices = [start, 2]; });
      afterEach(() => { prices = []; });
      it("adds", () => { prices.push(3); expect(total(prices)).toBe(6); });
      it("of nothing", () => { expect(total([])).toBe(0); });
      it("softly", () => { expect.soft(total(prices)).toBe(3); });
      it("as written", () => { expect(total(prices)).toMatchSnapshot(); });
    });`,
  "packages/lib/__snapshots__/total.test.ts.snap": "exports[`total > as written 1`] = `3`;\n",
  "packages/app/app.test.ts": `
    import { total } from "@lib/total.ts";
    import { expect, test, vi } from "vitest";
    test("with fake timers", async () => {
      vi.useFakeTimers();
      const later = new Promise((resolve) => setTimeout(resolve, 60_000));
      vi.advanceTimersByTime(60_000);
      await later;
      vi.useRealTimers();
    });
    test("uses the library", async () => { expect({ sum: await total([2]) }).toEqual({ sum: 2 }); });
    test.skip("later", () => {});`,
});

describe("vitest", () => {
  let session: RunnerSession;
  const before = digestOf(root);
  const lib = join(root, "packages/lib/total.test.ts");

  beforeAll(async () => {
    session = await openSession({ runner: "vitest", root, words: ["run"], cancellation: neverCancelled });
  });

  afterAll(() => {
    session.close();
    rmSync(root, { recursive: true });
  });

  it("lists the tests of all projects with their errors", async () => {
    const { tests, problems } = await session.run({});
    expect(problems).toEqual([]);
    expect(tests.map(({ id, state }) => `${id.project}: ${id.name}: ${state}`).sort()).toEqual([
      "app: later: skipped",
      "app: uses the library: failed",
      "app: with fake timers: passed",
      "lib: total > adds: failed",
      "lib: total > as written: failed",
      "lib: total > of nothing: passed",
      "lib: total > softly: failed",
    ]);
    const adds = tests.find(({ id }) => id.name === "total > adds");
    expect(adds?.id.file).toBe(lib);
    expect(adds?.error).toMatchObject({ expected: "6", actual: "-6" });
    expect(adds?.error?.message).toContain("expected -6 to be 6");
  });

  it("loads changed sources in every project, and the original ones again", async () => {
    const change = { transform: module("replaceText"), options: { from: "sum - price", to: "sum + price" } };
    const states = async (request: object) =>
      (await session.run(request)).tests.flatMap(({ state }) => (state === "skipped" ? [] : [state]));
    expect(await states(change)).toEqual(["passed", "passed", "passed", "passed", "passed", "passed"]);
    expect(await states({})).toContain("failed");
  });

  it("lets a module see selected tests, and run them again with their hooks", async () => {
    const notes = join(session.folder, "notes");
    const tests = ["total > adds", "total > softly", "total > as written"];
    await session.run({ files: [lib], tests, hooks: module("noteTests"), options: { notes } });
    expect(readFileSync(notes, "utf8").trim().split("\n")).toEqual([
      "before total > adds",
      "after total > adds expected -6 to be 6 // Object.is equality",
      "before total > softly",
      "after total > softly expected -3 to be 3 // Object.is equality",
      "before total > as written",
      "after total > as written Snapshot `total > as written 1` mismatched",
      "again total > adds failed expected -6 to be 6 // Object.is equality",
      "again total > softly failed expected -3 to be 3 // Object.is equality",
      "again total > as written failed Snapshot `total > as written 1` mismatched",
    ]);
  });

  it("runs tests with fake timers and promises again", async () => {
    const notes = join(session.folder, "notes of the app");
    const files = [join(root, "packages/app/app.test.ts")];
    await session.run({ files, hooks: module("noteTests"), options: { notes } });
    const again = readFileSync(notes, "utf8")
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("again"));
    expect(again).toEqual([
      "again with fake timers passed passed",
      "again uses the library failed expected { sum: -2 } to deeply equal { sum: 2 }",
    ]);
  });

  it("writes nothing into the project, and leaves no process behind", () => {
    session.close();
    expect(digestOf(root)).toBe(before);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(session.folder);
  });
});
