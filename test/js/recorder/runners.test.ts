import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSites } from "../../../src/js/recorder/findSites.ts";
import { directoryVariable } from "../../../src/js/recorder/logFormat.ts";
import { type LoggedCall, readCalls, readLog } from "../../../src/js/recorder/readLog.ts";
import { readSources } from "../../../src/js/recorder/sources.ts";
import { parseSource } from "../../../src/js/recorder/syntax.ts";
import { startRecording } from "../../../src/js/recorder/vitest.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
let project: string;
let recording: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "tracefold-runners-"));
  recording = join(project, "recording");
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  startRecording(recording, { quota: 3, maxBytes: 1 << 26, root: project });
});
afterEach(() => rmSync(project, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
}

function node(...words: readonly string[]) {
  const env = { ...process.env, [directoryVariable]: recording, NODE_OPTIONS: "" };
  return spawnSync(process.execPath, words, { cwd: project, env, encoding: "utf8" });
}

const built = (name: string): string => join(root, "src/js/recorder", name);
const tsx = ["--import", join(root, "node_modules/tsx/dist/esm/index.mjs")];

/** Names of the functions whose calls are in the recording, with how the calls ended. */
function recordedCalls(): readonly string[] {
  const names = new Map<number, (call: LoggedCall) => string>();
  for (const source of readSources(recording)) {
    const parsed = parseSource(source.path, source.text, source.kind);
    if (parsed.kind === "refused") continue;
    const table = findSites(parsed);
    names.set(source.number, (call) => table.functions.get(table.sites[call.enter]!.node)!.name);
  }
  return readdirSync(join(recording, "logs")).flatMap((name) =>
    [...readCalls(readLog(join(recording, "logs", name)).events)].map(
      (call) => `${names.get(call.file)!(call)} ${call.outcome.kind}`,
    ),
  );
}

describe("recording under runners", () => {
  it("records under the project's own vitest, with TypeScript, test names and right positions", () => {
    write({
      "half.ts":
        "export function half(n: number): number {\n  if (n % 2 !== 0) throw new Error('odd');\n  return n / 2;\n}\nexport class Base { n = 1 }\nexport class Named extends Base {\n  constructor(readonly name: string) {\n    super();\n    this.n += name.length;\n  }\n}\n",
      "half.test.ts":
        "import { expect, it } from 'vitest';\nimport { half, Named } from './half.ts';\nit('halves', () => {\n  expect(half(4)).toBe(2);\n});\nit('fails', () => {\n  expect(half(4)).toBe(3);\n});\nit('derives', () => {\n  expect(new Named('ab')).toEqual({ n: 3, name: 'ab' });\n});\n",
    });
    const result = node(...tsx, built("runVitest.ts"), "run", "--reporter=tap-flat");
    expect(result.stdout).toContain("ok 1 - half.test.ts > halves");
    expect(result.stdout).toContain("not ok 2 - half.test.ts > fails");
    expect(result.stdout).toContain("half.test.ts:7:19");
    // What a compiler puts behind `super()` stays behind it.
    expect(result.stdout).toContain("ok 3 - half.test.ts > derives");
    expect(recordedCalls()).toEqual(expect.arrayContaining(["half returned"]));
    const log = readLog(join(recording, "logs", readdirSync(join(recording, "logs"))[0]!));
    expect(new Set([...readCalls(log.events)].map((call) => call.test))).toContain("halves");
  });

  it("records under node:test, CommonJS and ES modules, and counts paths beyond the quota", () => {
    write({
      "package.json": "{}",
      "sum.cjs": "exports.sum = function sum(a, b) { return a + b };",
      "twice.mjs":
        "import { createRequire } from 'node:module';\nconst { sum } = createRequire(import.meta.url)('./sum.cjs');\nexport const twice = (x) => sum(x, x);\n",
      "twice.test.mjs":
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { twice } from './twice.mjs';\ntest('twice', () => { for (let i = 0; i < 50; i++) assert.equal(twice(i), 2 * i) });\n",
    });
    const result = node(...tsx, "--import", built("register.ts"), "twice.test.mjs");
    expect(result.stderr).toBe("");
    expect(result.status).toBe(0);
    const calls = recordedCalls();
    expect(calls.filter((name) => name === "sum returned")).toHaveLength(3);
    expect(calls.filter((name) => name === "twice returned")).toHaveLength(3);
    const log = readLog(join(recording, "logs", readdirSync(join(recording, "logs"))[0]!));
    expect(log.summary?.signatures.map(({ calls }) => calls).sort()).toEqual([1, 50, 50]);
  });

  it("reads a log that was cut off up to the last complete block", () => {
    write({
      "package.json": '{"type":"module"}',
      "a.test.js": "import test from 'node:test';\nconst f = (x) => x + 1;\ntest('t', () => { f(1); f(2) });\n",
    });
    expect(node(...tsx, "--import", built("register.ts"), "a.test.js").status).toBe(0);
    const path = join(recording, "logs", readdirSync(join(recording, "logs"))[0]!);
    truncateSync(path, readFileSync(path).length - 5);
    const log = readLog(path);
    expect(log.cutOff).toBeGreaterThan(0);
    expect(log.summary).toBe(null);
    expect([...readCalls(log.events)].length).toBe(3);
  });
});
