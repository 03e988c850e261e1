import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expandGlob } from "../../base/glob.ts";
import { entryPath } from "./entries.ts";
import { readReport, writeReporter } from "./nodeTestResults.ts";
import type { RunnerAdapter, RunnerName, RunnerSetting, TestRun, TestRunRequest } from "./runner.ts";
import { settingsName, type WorkerSettings } from "./workerSettings.ts";

/** The file in which the process of a run leaves its result. */
export const resultName = "result.json";

/** Words for `node` that start a runner. */
type Start = (request: TestRunRequest, setting: RunnerSetting) => readonly string[];

/** A small module for the runner, which finds the function that `preload` has left for it. */
function writeBridge({ folder }: RunnerSetting, name: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(path, `module.exports = globalThis[Symbol.for("tracefold ${name}")];\n`);
  return path;
}

type Manifest = { readonly version: string; readonly bin: string | Readonly<Record<string, string>> };

function manifestOf(root: string, name: string): { readonly folder: string; readonly manifest: Manifest } {
  const path = createRequire(join(root, "package.json")).resolve(`${name}/package.json`);
  return { folder: dirname(path), manifest: JSON.parse(readFileSync(path, "utf8")) as Manifest };
}

/** The script of a package of the project: `bin` may name one file or several. */
function binOf(root: string, name: string, script: string): string {
  const { folder, manifest } = manifestOf(root, name);
  const { bin } = manifest;
  return join(folder, typeof bin === "string" ? bin : (bin[script] ?? bin[name] ?? ""));
}

function withoutWatch(words: readonly string[]): readonly string[] {
  return words.filter((word) => !/^(-w|--watch(All)?)$/.test(word));
}

/** Against what a configuration says. Up to mocha 5 these options are an error. */
function mochaNegations(root: string): readonly string[] {
  const oldest = 6;
  const { version } = manifestOf(root, "mocha").manifest;
  return Number.parseInt(version, 10) < oldest ? [] : ["--no-parallel", "--no-bail"];
}

/** Options of mocha that have a value in the next word. */
const mochaValues =
  /^(-[rRtugfscoOn]|--(require|reporter|timeout|ui|grep|fgrep|file|extension|config|package|opts|slow|globals?|retries|exclude|ignore|reporter-options?|node-option|import|loader|jobs))$/;

/** The words without the files that mocha would run besides those that we name. */
export function mochaOptions(words: readonly string[]): readonly string[] {
  return words.filter((word, i) => word.startsWith("-") || mochaValues.test(words[i - 1] ?? ""));
}

const starts: Readonly<Record<Exclude<RunnerName, "vitest">, Start>> = {
  jest: ({ files }, setting) => [
    binOf(setting.root, "jest", "jest"),
    ...withoutWatch(setting.words),
    ...["--runInBand", "--ci", "--coverage=false", "--watchman=false", "--bail=0", "--randomize=false"],
    `--cacheDirectory=${join(setting.folder, "jest")}`,
    `--testRunner=${writeBridge(setting, "jestRunner")}`,
    `--reporters=${writeBridge(setting, "jestReporter")}`,
    ...(files === null ? [] : ["--runTestsByPath", ...files]),
  ],
  mocha: ({ files }, setting) => {
    const words = withoutWatch(setting.words).filter((word) => !/^(-b|--bail|-p|--parallel)$/.test(word));
    return [
      binOf(setting.root, "mocha", "_mocha"),
      ...(files === null ? words : mochaOptions(words)),
      ...["--reporter", writeBridge(setting, "mochaReporter"), ...mochaNegations(setting.root)],
      ...(files ?? []),
    ];
  },
  // Without hooks the real one; with hooks each file in a process of its own, where our module stands in for it.
  "node:test": ({ files, hooks }, { words, folder, root }) =>
    hooks !== null
      ? (files ?? [])
      : [
          "--test",
          `--test-reporter=${pathToFileURL(writeReporter(folder)).href}`,
          "--test-reporter-destination=stdout",
          ...(files ?? words.filter((word) => !word.startsWith("--test")).flatMap((word) => expandGlob(word, root))),
        ],
};

/** Starts a process for each run: jest, mocha and node:test keep nothing between runs. */
export function startProcesses(runner: Exclude<RunnerName, "vitest">) {
  return async (setting: RunnerSetting): Promise<RunnerAdapter> => {
    const { root, folder, nodeFlags } = setting;
    let testFiles: readonly string[] = [];
    const runOnce = async (request: TestRunRequest): Promise<TestRun> => {
      const { transform, hooks, options, tests } = request;
      const settings: WorkerSettings = { root, runner, transform, hooks, options, tests, testFiles, modules: {} };
      writeFileSync(join(folder, settingsName), JSON.stringify(settings));
      const result = join(folder, resultName);
      rmSync(result, { force: true });
      const words = starts[runner](request, setting);
      const loader = import.meta.url.endsWith(".ts") ? ["--import", createRequire(import.meta.url).resolve("tsx")] : [];
      const code = await runNode([...loader, "--import", entryPath("preload"), ...nodeFlags, ...words], root);
      const report = runner === "node:test" && hooks === null ? readReport(folder) : null;
      if (report !== null) return report;
      if (existsSync(result)) return JSON.parse(readFileSync(result, "utf8")) as TestRun;
      const error = { name: "", message: `${runner} ended with code ${code}`, stack: "" };
      return {
        tests: [],
        problems: [{ file: null, error: { ...error, expected: null, actual: null, matcher: null } }],
      };
    };
    const note = (run: TestRun): TestRun => {
      testFiles = [...new Set([...testFiles, ...run.tests.map(({ id }) => id.file)])];
      return run;
    };
    return {
      async run(request) {
        if (runner !== "node:test" || request.hooks === null) return note(await runOnce(request));
        if (request.files === null && testFiles.length === 0)
          note(await runOnce({ ...request, hooks: null, transform: null, tests: null }));
        const runs: TestRun[] = [];
        for (const file of request.files ?? testFiles) runs.push(await runOnce({ ...request, files: [file] }));
        return { tests: runs.flatMap(({ tests }) => tests), problems: runs.flatMap(({ problems }) => problems) };
      },
      close: async () => {},
    };
  };
}

function runNode(words: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("exit", resolve);
  });
}
