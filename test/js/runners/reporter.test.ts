import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { digestOf, writeProject } from "./fixture.ts";

const reporter = fileURLToPath(new URL("../../../src/js/runners/reporter.ts", import.meta.url));

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
});

function vitest(file: string) {
  const script = join(root, "node_modules/vitest/vitest.mjs");
  const words = [script, "run", file, "--reporter=default", `--reporter=${reporter}`];
  return spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
}

describe("tracefold/reporter", () => {
  const before = digestOf(root);

  afterAll(() => {
    expect(digestOf(root)).toBe(before);
    rmSync(root, { recursive: true });
  });

  it("explains a failing test below the output of vitest, and keeps the exit status", () => {
    const { stdout, status } = vitest("bad.test.js");
    expect(status).toBe(1);
    const [, below = ""] = stdout.split("\nTracefold\n");
    expect(below).toMatch(/^\ndoubles\n/);
    expect(below.includes("expected 8") || below.includes("not explained in ten seconds")).toBe(true);
  });

  it("is quiet when nothing fails", () => {
    const { stdout, status } = vitest("good.test.js");
    expect(status).toBe(0);
    expect(stdout).not.toContain("Tracefold");
  });
});
