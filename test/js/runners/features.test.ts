import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverCancelled } from "../../../src/base/cancellation.ts";
import { present } from "../../../src/base/checked.ts";
import { explanationOf, recordTest } from "../../../src/commands/explain/failingTest/explainTest.ts";
import { notJudged } from "../../../src/js/changes/judgement.ts";
import { detectRunner } from "../../../src/js/runners/detectRunner.ts";
import type { TestRun } from "../../../src/js/runners/runner.ts";
import { openSession, type RunnerSession } from "../../../src/js/runners/session.ts";
import { root as repository } from "../../support/builtCli.ts";
import { digestOf, writeProject } from "./fixture.ts";

const features = [
  ...["ESM", "CommonJS", "TypeScript", "projects", "monorepo"],
  ...["jsdom", "fake timers", "snapshots", "async", "globals"],
] as const;
type Feature = (typeof features)[number];

/** The files of a feature, or why the runner does not have it. The faulty line ends with `FAULT`. */
type Cell = { readonly files: Readonly<Record<string, string>> } | { readonly none: string };

type Row = {
  readonly runner: string;
  readonly command: readonly string[];
  /** Files that all features share. */
  readonly files: Readonly<Record<string, string>>;
  readonly cells: Readonly<Record<Feature, Cell>>;
};

const commonJs = "module.exports.half = (x) => {\n  return x / 3; // FAULT\n};\n";
const esm = "export function half(x) {\n  return x / 3; // FAULT\n}\n";
const typed = "export function half(x: number): number {\n  return x / 3; // FAULT\n}\n";
const page =
  "module.exports.title = (document) => {\n  const node = document.createElement('h1');\n  node.textContent = 'Tital'; // FAULT\n  return node.textContent;\n};\n";
const esmPage = page.replace("module.exports.title = (document) =>", "export const title = (document) =>");
const later =
  "module.exports.later = (run) => {\n  let calls = 0;\n  setTimeout(() => {\n    calls += 2; // FAULT\n    run(calls);\n  }, 60_000);\n};\n";
const esmLater = later.replace("module.exports.later = (run) =>", "export const later = (run) =>");
const sleepy =
  "export async function half(x) {\n  const given = await Promise.resolve(x);\n  return given / 3; // FAULT\n}\n";
const packageOf = (name: string, more: object) => JSON.stringify({ name, ...more });

/** The name of a test is its feature. */
const vitest = (name: Feature, imports: string, body: string): string =>
  `import { expect, it, vi } from "vitest";\n${imports}\nit("${name}", async () => {\n  ${body}\n});\n`;
const jest = (name: Feature, imports: string, body: string): string =>
  `${imports}\nit("${name}", async () => {\n  ${body}\n});\n`;
const asserted = (name: Feature, imports: string, body: string): string =>
  `const assert = require("node:assert");\n${imports}\nit("${name}", async () => {\n  ${body}\n});\n`;
const nodeTest = (name: Feature, imports: string, body: string): string =>
  `const { it, mock } = require("node:test");\n${asserted(name, imports, body)}`;

const rows: readonly Row[] = [
  {
    runner: "vitest",
    command: ["npx", "vitest", "run"],
    files: {
      "package.json": packageOf("all", { type: "module" }),
      "vitest.config.ts": `
        import { defineConfig } from "vitest/config";
        const alias = { "@here": new URL("./projects", import.meta.url).pathname };
        export default defineConfig({
          test: {
            projects: [
              { test: { name: "main", globals: true, include: ["*.test.{ts,js}", "packages/**/*.test.js"] } },
              { resolve: { alias }, test: { name: "other", include: ["projects/*.test.js"] } },
              { test: { name: "page", environment: "jsdom", include: ["page/*.test.js"] } },
            ],
          },
        });`,
    },
    cells: {
      ESM: {
        files: {
          "esm.js": esm,
          "esm.test.js": vitest("ESM", `import { half } from "./esm.js";`, "expect(half(8)).toBe(4);"),
        },
      },
      CommonJS: {
        files: {
          "old.cjs": commonJs,
          "old.test.js": vitest("CommonJS", `import old from "./old.cjs";`, "expect(old.half(8)).toBe(4);"),
        },
      },
      TypeScript: {
        files: {
          "typed.ts": typed,
          "typed.test.ts": vitest("TypeScript", `import { half } from "./typed.ts";`, "expect(half(8)).toBe(4);"),
        },
      },
      projects: {
        files: {
          "projects/half.js": esm,
          "projects/half.test.js": vitest(
            "projects",
            `import { half } from "@here/half.js";`,
            "expect(half(8)).toBe(4);",
          ),
        },
      },
      monorepo: {
        files: {
          "packages/lib/package.json": packageOf("@shop/lib", { type: "module", main: "src/half.js" }),
          "packages/lib/src/half.js": esm,
          "packages/app/package.json": packageOf("@shop/app", { type: "module" }),
          "packages/app/half.test.js": vitest(
            "monorepo",
            `import { half } from "@shop/lib";`,
            "expect(half(8)).toBe(4);",
          ),
        },
      },
      jsdom: {
        files: {
          "page/page.js": esmPage,
          "page/page.test.js": vitest(
            "jsdom",
            `import { title } from "./page.js";`,
            `expect(title(document)).toBe("Title");`,
          ),
        },
      },
      "fake timers": {
        files: {
          "later.js": esmLater,
          "later.test.js": vitest(
            ...(["fake timers", `import { later } from "./later.js";`] as const),
            "vi.useFakeTimers(); let seen = 0; later((calls) => { seen = calls; }); vi.runAllTimers(); vi.useRealTimers(); expect(seen).toBe(1);",
          ),
        },
      },
      snapshots: {
        files: {
          "snapshot.js": esm,
          "snapshot.test.js": vitest(
            "snapshots",
            `import { half } from "./snapshot.js";`,
            "expect(half(9)).toMatchSnapshot();",
          ),
          "__snapshots__/snapshot.test.js.snap": "// Vitest Snapshot v1\n\nexports[`snapshots 1`] = `4.5`;\n",
        },
      },
      async: {
        files: {
          "sleepy.js": sleepy,
          "sleepy.test.js": vitest("async", `import { half } from "./sleepy.js";`, "expect(await half(8)).toBe(4);"),
        },
      },
      globals: {
        files: {
          "global.js": esm,
          "global.test.js": jest("globals", `import { half } from "./global.js";`, "expect(half(8)).toBe(4);"),
        },
      },
    },
  },
  {
    runner: "jest",
    command: ["node", "--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js"],
    files: {
      "package.json": packageOf("all", {}),
      "strip.js": `const { transformSync } = require("esbuild");
        exports.process = (code) => ({ code: transformSync(code, { loader: "ts", format: "cjs" }).code });`,
      "jest.config.js": `
        const transform = { "\\\\.ts$": "<rootDir>/strip.js" };
        module.exports = {
          projects: [
            { displayName: "main", transform, testMatch: ["<rootDir>/*.test.{js,ts,mjs}", "<rootDir>/packages/**/*.test.js"] },
            { displayName: "other", transform, testMatch: ["<rootDir>/projects/*.test.js"], moduleNameMapper: { "^@here/(.*)": "<rootDir>/projects/$1" } },
            { displayName: "page", transform, testEnvironment: "jsdom", testMatch: ["<rootDir>/page/*.test.js"] },
          ],
        };`,
    },
    cells: {
      ESM: {
        files: {
          "esm.mjs": esm,
          "esm.test.mjs": jest("ESM", `import { half } from "./esm.mjs";`, "expect(half(8)).toBe(4);"),
        },
      },
      CommonJS: {
        files: {
          "old.js": commonJs,
          "old.test.js": jest("CommonJS", `const { half } = require("./old");`, "expect(half(8)).toBe(4);"),
        },
      },
      TypeScript: {
        files: {
          "typed.ts": typed,
          "typed.test.ts": jest("TypeScript", `import { half } from "./typed";`, "expect(half(8)).toBe(4);"),
        },
      },
      projects: {
        files: {
          "projects/half.js": commonJs,
          "projects/half.test.js": jest(
            "projects",
            `const { half } = require("@here/half");`,
            "expect(half(8)).toBe(4);",
          ),
        },
      },
      monorepo: {
        files: {
          "packages/lib/package.json": packageOf("@shop/lib", { main: "src/half.js" }),
          "packages/lib/src/half.js": commonJs,
          "packages/app/package.json": packageOf("@shop/app", {}),
          "packages/app/half.test.js": jest(
            "monorepo",
            `const { half } = require("@shop/lib");`,
            "expect(half(8)).toBe(4);",
          ),
        },
      },
      jsdom: {
        files: {
          "page/page.js": page,
          "page/page.test.js": jest(
            "jsdom",
            `const { title } = require("./page");`,
            `expect(title(document)).toBe("Title");`,
          ),
        },
      },
      "fake timers": {
        files: {
          "later.js": later,
          "later.test.js": jest(
            ...(["fake timers", `const { later } = require("./later");`] as const),
            "jest.useFakeTimers(); let seen = 0; later((calls) => { seen = calls; }); jest.runAllTimers(); jest.useRealTimers(); expect(seen).toBe(1);",
          ),
        },
      },
      snapshots: {
        files: {
          "snapshot.js": commonJs,
          "snapshot.test.js": jest(
            "snapshots",
            `const { half } = require("./snapshot");`,
            "expect(half(9)).toMatchSnapshot();",
          ),
          "__snapshots__/snapshot.test.js.snap":
            "// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`snapshots 1`] = `4.5`;\n",
        },
      },
      async: {
        files: {
          "sleepy.ts": sleepy,
          "sleepy.test.ts": jest("async", `import { half } from "./sleepy";`, "expect(await half(8)).toBe(4);"),
        },
      },
      globals: {
        files: {
          "imported.js": commonJs,
          "imported.test.js": jest(
            ...([
              "globals",
              `const { expect, it } = require("@jest/globals"); const { half } = require("./imported");`,
            ] as const),
            "expect(half(8)).toBe(4);",
          ),
        },
      },
    },
  },
  {
    runner: "mocha",
    command: ["npx", "mocha", "--require", "tsx", "test/*", "packages/*/test/*"],
    files: { "package.json": packageOf("all", {}) },
    cells: {
      ESM: {
        files: {
          "esm.mjs": esm,
          "test/esm.mjs": `import assert from "node:assert";\nimport { half } from "../esm.mjs";\nit("ESM", () => assert.equal(half(8), 4));\n`,
        },
      },
      CommonJS: {
        files: {
          "old.js": commonJs,
          "test/old.js": asserted("CommonJS", `const { half } = require("../old");`, "assert.equal(half(8), 4);"),
        },
      },
      TypeScript: {
        files: {
          "typed.ts": typed,
          "test/typed.ts": `import assert from "node:assert";\nimport { half } from "../typed";\nit("TypeScript", (): void => assert.equal(half(8), 4));\n`,
        },
      },
      projects: { none: "mocha has no projects" },
      monorepo: {
        files: {
          "packages/lib/package.json": packageOf("@shop/lib", { main: "src/half.js" }),
          "packages/lib/src/half.js": commonJs,
          "packages/app/package.json": packageOf("@shop/app", {}),
          "packages/app/test/half.js": asserted(
            "monorepo",
            `const { half } = require("@shop/lib");`,
            "assert.equal(half(8), 4);",
          ),
        },
      },
      jsdom: {
        files: {
          "page.js": page,
          "test/page.js": asserted(
            ...(["jsdom", `const { JSDOM } = require("jsdom"); const { title } = require("../page");`] as const),
            `assert.equal(title(new JSDOM("").window.document), "Title");`,
          ),
        },
      },
      "fake timers": {
        files: {
          "later.js": later,
          "test/later.js": asserted(
            ...([
              "fake timers",
              `const timers = require("@sinonjs/fake-timers"); const { later } = require("../later");`,
            ] as const),
            "const clock = timers.install(); let seen = 0; later((calls) => { seen = calls; }); clock.runAll(); clock.uninstall(); assert.equal(seen, 1);",
          ),
        },
      },
      snapshots: { none: "mocha has no snapshots" },
      async: {
        files: {
          "sleepy.mjs": sleepy,
          "test/sleepy.mjs": `import assert from "node:assert";\nimport { half } from "../sleepy.mjs";\nit("async", async () => assert.equal(await half(8), 4));\n`,
        },
      },
      globals: {
        files: {
          "imported.js": commonJs,
          "test/imported.js": asserted(
            ...(["globals", `const { it } = require("mocha"); const { half } = require("../imported");`] as const),
            "assert.equal(half(8), 4);",
          ),
        },
      },
    },
  },
  {
    runner: "node:test",
    command: ["node", "--import", "tsx", "--test", "test/*", "packages/*/test/*"],
    files: { "package.json": packageOf("all", {}) },
    cells: {
      ESM: {
        files: {
          "esm.mjs": esm,
          "test/esm.mjs": `import assert from "node:assert";\nimport { it } from "node:test";\nimport { half } from "../esm.mjs";\nit("ESM", () => assert.equal(half(8), 4));\n`,
        },
      },
      CommonJS: {
        files: {
          "old.js": commonJs,
          "test/old.js": nodeTest("CommonJS", `const { half } = require("../old");`, "assert.equal(half(8), 4);"),
        },
      },
      TypeScript: {
        files: {
          "typed.ts": typed,
          "test/typed.ts": `import assert from "node:assert";\nimport { it } from "node:test";\nimport { half } from "../typed";\nit("TypeScript", (): void => assert.equal(half(8), 4));\n`,
        },
      },
      projects: { none: "node:test has no projects" },
      monorepo: {
        files: {
          "packages/lib/package.json": packageOf("@shop/lib", { main: "src/half.js" }),
          "packages/lib/src/half.js": commonJs,
          "packages/app/package.json": packageOf("@shop/app", {}),
          "packages/app/test/half.js": nodeTest(
            "monorepo",
            `const { half } = require("@shop/lib");`,
            "assert.equal(half(8), 4);",
          ),
        },
      },
      jsdom: {
        files: {
          "page.js": page,
          "test/page.js": nodeTest(
            ...(["jsdom", `const { JSDOM } = require("jsdom"); const { title } = require("../page");`] as const),
            `assert.equal(title(new JSDOM("").window.document), "Title");`,
          ),
        },
      },
      "fake timers": {
        files: {
          "later.js": later,
          "test/later.js": nodeTest(
            ...(["fake timers", `const { later } = require("../later");`] as const),
            "mock.timers.enable(); let seen = 0; later((calls) => { seen = calls; }); mock.timers.runAll(); mock.timers.reset(); assert.equal(seen, 1);",
          ),
        },
      },
      snapshots: { none: "node:test of Node 20 has no snapshots" },
      async: {
        files: {
          "sleepy.mjs": sleepy,
          "test/sleepy.mjs": `import assert from "node:assert";\nimport { it } from "node:test";\nimport { half } from "../sleepy.mjs";\nit("async", async () => assert.equal(await half(8), 4));\n`,
        },
      },
      globals: { none: "node:test has no globals" },
    },
  },
];

function filesOf({ files, cells }: Row): Readonly<Record<string, string>> {
  return Object.assign({}, files, ...Object.values(cells).map((cell) => ("files" in cell ? cell.files : {})));
}

/** The line of the source that is wrong. */
function faultOf(cell: Cell): { readonly file: string; readonly line: number } {
  const files = "files" in cell ? Object.entries(cell.files) : [];
  const [file, text] = present(files.find(([, each]) => each.includes("FAULT")));
  return { file, line: text.split("\n").findIndex((line) => line.includes("FAULT")) + 1 };
}

describe.each(rows)("$runner", (row) => {
  const root = writeProject(filesOf(row));
  mkdirSync(join(root, "packages/app/node_modules/@shop"), { recursive: true });
  symlinkSync("../../../lib", join(root, "packages/app/node_modules/@shop/lib"));
  const before = digestOf(root);
  let session: RunnerSession;
  let all: TestRun;

  beforeAll(async () => {
    session = await openSession({ ...detectRunner(row.command, root), root, cancellation: neverCancelled });
    all = await session.run({});
    expect(all.problems).toEqual([]);
  });

  afterAll(() => {
    session.close();
    expect(digestOf(root)).toBe(before);
    rmSync(root, { recursive: true });
  });

  it.each(features.filter((feature) => "files" in row.cells[feature]))("%s", async (feature) => {
    const target = present(all.tests.find(({ id }) => id.name === feature));
    expect(target.state).toBe("failed");
    const recorded = await recordTest(session, target, root, { run: all, files: [] });
    // The check of the test is the question.
    expect(recorded.outcome.location.file).toBe(relative(root, target.id.file));
    const { graph } = explanationOf(recorded, target, all.tests, notJudged, { version: "0", ms: 0 });
    const places = graph.nodes.map(({ location: { file, line } }) => ({ file, line }));
    expect(places).toContainEqual(faultOf(row.cells[feature]));
  });
});

describe("docs/explain-test.md", () => {
  it("has the table", () => {
    const cell = (one: Cell): string => ("none" in one ? "none" : "yes");
    const table = [
      `| runner | ${features.join(" | ")} |`,
      `| --- |${" --- |".repeat(features.length)}`,
      ...rows.map(({ runner, cells }) => `| ${runner} | ${features.map((each) => cell(cells[each])).join(" | ")} |`),
    ].join("\n");
    const text = readFileSync(join(repository, "docs/explain-test.md"), "utf8");
    expect(text).toContain(table);
    for (const { cells } of rows)
      for (const each of Object.values(cells)) if ("none" in each) expect(text).toContain(each.none);
  });
});
