import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

import { distinctNames } from "../../src/js/runners/runner.ts";

/** How the tests of a project end under its own runner, which knows nothing of Tracefold. */
export type PlainResults = readonly {
  readonly file: string;
  /** Suites and test, joined by " > "; by a space for mocha. */
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
}[];

type JsonReport = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { ancestorTitles: readonly string[]; title: string; status: string }[];
  }[];
};

const usual = 180_000;

/** Empty if the runner did not end in time, or without results. */
export function plainResults(root: string, command: readonly string[], most = usual): PlainResults {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-plain-"));
  const output = join(folder, "results.json");
  const runner = command.map((word) => basename(word)).find((word) => /^(vitest|jest|mocha|--test)$/.test(word));
  try {
    writeFileSync(join(folder, "node.mjs"), nodeReporter);
    writeFileSync(join(folder, "mocha.cjs"), mochaReporter);
    const words =
      runner === "vitest"
        ? ["--reporter=json", `--outputFile=${output}`]
        : runner === "jest"
          ? ["--json", `--outputFile=${output}`, "--ci", `--cacheDirectory=${folder}`]
          : runner === "mocha"
            ? ["--reporter", join(folder, "mocha.cjs")]
            : [`--test-reporter=${join(folder, "node.mjs")}`, `--test-reporter-destination=${output}`];
    const [name = "", ...rest] = command;
    const given = runner === "--test" ? [...words, ...rest] : [...rest, ...words];
    const env = { ...process.env, CI: "1", TRACEFOLD_RESULTS: output };
    // A fault may let tests run for ever: `timeout` ends the whole group of processes.
    const limited = ["--kill-after=5", `${most / 1000}`, name, ...given];
    spawnSync("timeout", limited, { cwd: root, env, maxBuffer: 1 << 28 });
    if (!existsSync(output)) return [];
    const text = readFileSync(output, "utf8");
    return withNames(
      runner === "vitest" || runner === "jest" ? fromReport(JSON.parse(text) as JsonReport, root) : lines(text, root),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Tests of a file with the same name get the names that Tracefold gives them. */
function withNames(results: PlainResults): PlainResults {
  return [...new Set(results.map(({ file }) => file))].flatMap((file) => {
    const own = results.filter((each) => each.file === file);
    const names = distinctNames(own.map(({ name }) => name));
    return own.map((each, i) => ({ ...each, name: names[i] ?? each.name }));
  });
}

function stateOf(status: string): PlainResults[number]["state"] {
  return status === "passed" || status === "failed" ? status : "skipped";
}

function fromReport({ testResults }: JsonReport, root: string): PlainResults {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(root, file),
      name: [...ancestorTitles, title].filter(Boolean).join(" > "),
      state: stateOf(status),
    })),
  );
}

function lines(text: string, root: string): PlainResults {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as [string, readonly string[], string])
    .map(([file, names, status]) => ({
      file: relative(root, file),
      name: names.filter(Boolean).join(" > "),
      state: stateOf(status),
    }));
}

const mochaReporter = `
const { appendFileSync } = require("node:fs");
module.exports = class {
  constructor(runner, options) {
    // A notification on the desktop needs the counts of mocha's own reporters.
    if (options) options.growl = false;
    const note = (status) => (test) => {
      const names = [];
      for (let each = test; each && each.title; each = each.parent) names.unshift(each.title);
      appendFileSync(process.env.TRACEFOLD_RESULTS, JSON.stringify([test.file ?? "", names, status]) + "\\n");
    };
    runner.on("pass", note("passed")).on("fail", note("failed")).on("pending", note("skipped"));
  }
};`;

const nodeReporter = `
export default async function* (source) {
  const open = [];
  for await (const { type, data } of source) {
    if (type === "test:start") { open.length = data.nesting; open.push(data.name); }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const names = [...open.slice(0, data.nesting), data.name];
    const status = type === "test:fail" ? "failed" : data.skip === undefined ? "passed" : "skipped";
    yield JSON.stringify([data.file ?? "", names, status]) + "\\n";
  }
}`;
