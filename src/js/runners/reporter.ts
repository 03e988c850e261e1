import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { joinNames } from "./runner.ts";
import { folderVariable } from "./workerSettings.ts";

/** The parts of the interfaces of vitest and jest that we use. */
type VitestModule = {
  readonly moduleId: string;
  readonly project: { readonly name: string };
  readonly children: { allTests(state: "failed"): Iterable<{ readonly fullName: string }> };
};
type VitestTask = {
  readonly type: string;
  readonly name: string;
  readonly filepath?: string;
  readonly projectName?: string;
  readonly tasks?: readonly VitestTask[];
  readonly result?: { readonly state?: string };
};
type JestResults = {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly testResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
};

type Failed = { readonly name: string; readonly file: string; readonly project: string };

const mostTests = 3;
const mostMilliseconds = 10_000;

/** Tests that failed in their last run, by file. It outlives a reporter: jest makes a new one for each run. */
const failedBefore = new Map<string, ReadonlySet<string>>();

/**
 * A reporter for vitest and jest: `reporters: ["default", "tracefold/reporter"]`. Explains up to three tests that did
 * not fail in their run before. It never changes how the run ends.
 */
export default class TracefoldReporter {
  private hasRunEnd = false;
  private isWatching = false;
  /** Ends explanations that the next run makes useless. */
  private stop = new AbortController();

  onInit(vitest: { readonly version?: string; readonly config?: { readonly watch?: boolean } }): void {
    this.hasRunEnd = Number.parseInt(vitest.version ?? "", 10) >= 3;
    this.isWatching = vitest.config?.watch === true;
  }

  onTestRunStart(): void {
    this.stop.abort();
  }

  /** Vitest from version 3 on. */
  async onTestRunEnd(modules: readonly VitestModule[]): Promise<void> {
    const failed = modules.flatMap(({ moduleId, project, children }) =>
      [...children.allTests("failed")].map(({ fullName }) => ({
        name: fullName,
        file: moduleId,
        project: project.name,
      })),
    );
    const files = modules.map(({ moduleId }) => moduleId);
    await this.report(failed, files, vitestWords);
  }

  /** Vitest 2. */
  async onFinished(tasks: readonly VitestTask[] = []): Promise<void> {
    if (this.hasRunEnd) return;
    const failed = tasks.flatMap(({ filepath = "", projectName = "", tasks: own = [] }) =>
      own.flatMap((task) => failedIn(task, [])).map((name) => ({ name, file: filepath, project: projectName })),
    );
    const files = tasks.map(({ filepath = "" }) => filepath);
    await this.report(failed, files, vitestWords);
  }

  /** Jest. */
  async onRunComplete(_contexts: unknown, { testResults }: JestResults): Promise<void> {
    const failed = testResults.flatMap(({ testFilePath: file, testResults: tests }) =>
      tests
        .filter(({ status }) => status === "failed")
        .map(({ ancestorTitles, title }) => ({ name: joinNames([...ancestorTitles, title]), file, project: "" })),
    );
    const files = testResults.map(({ testFilePath }) => testFilePath);
    await this.report(failed, files, ({ file }) => ["jest", ...configWords(), "--runTestsByPath", file]);
  }

  private async report(failed: readonly Failed[], files: readonly string[], words: Words): Promise<void> {
    const key = ({ name, project }: Failed): string => `${project}\n${name}`;
    const isNew = (test: Failed): boolean => failedBefore.get(test.file)?.has(key(test)) !== true;
    const fresh = failed.filter(isNew);
    for (const file of files) failedBefore.set(file, new Set(failed.filter((test) => test.file === file).map(key)));
    // A run that Tracefold itself has started is not explained.
    if (fresh.length === 0 || process.env[folderVariable] !== undefined) return;
    this.stop = new AbortController();
    const explained = explain(fresh, words, this.stop.signal);
    // The next run must not wait.
    if (!this.isWatching) await explained;
  }
}

type Words = (test: Failed) => readonly string[];

async function explain(failed: readonly Failed[], words: Words, signal: AbortSignal): Promise<void> {
  const chosen = failed.slice(0, mostTests);
  const texts = await Promise.all(
    chosen.map(async (test) => {
      const command = ["explain", "--test", test.name, "--", ...words(test)];
      const printed = await runCommand(command, signal);
      return `${test.name}\n${printed === "" ? `not explained in ten seconds: ${inShell(command)}` : printed}\n`;
    }),
  );
  if (signal.aborted) return;
  const left = failed.length - chosen.length;
  const more = left === 0 ? "" : `${left} more failing test${left === 1 ? " is" : "s are"} not explained here\n`;
  process.stdout.write(`\nTracefold\n\n${texts.join("\n")}${more}`);
}

/** The configuration that the runner's command line names. */
function configWords(): readonly string[] {
  const words = process.argv.slice(2);
  const at = words.findIndex((word) => /^(-c|--config)(=|$)/.test(word));
  return at === -1 ? [] : words.slice(at, words[at]?.includes("=") ? at + 1 : at + 2);
}

function vitestWords({ file, project }: Failed): readonly string[] {
  return ["vitest", "run", file, ...configWords(), ...(project === "" ? [] : ["--project", project])];
}

function inShell(command: readonly string[]): string {
  return ["tracefold", ...command].map((word) => (/^[\w./:-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

function failedIn(task: VitestTask, names: readonly string[]): readonly string[] {
  const inner = [...names, task.name];
  if (task.type === "suite") return (task.tasks ?? []).flatMap((child) => failedIn(child, inner));
  return task.result?.state === "fail" ? [joinNames(inner)] : [];
}

/** The output of our command: all of it, or what there is after ten seconds. */
function runCommand(words: readonly string[], signal: AbortSignal): Promise<string> {
  const isSource = import.meta.url.endsWith(".ts");
  const script = fileURLToPath(new URL(isSource ? "../../cli/main.ts" : "./cli/main.js", import.meta.url));
  const loader = isSource ? ["--import", createRequire(import.meta.url).resolve("tsx")] : [];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...loader, script, ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    const hear = (text: Buffer): void => {
      printed += text.toString("utf8");
    };
    // What it has started ends with it.
    const kill = (): unknown => child.kill("SIGKILL");
    const timer = setTimeout(kill, mostMilliseconds);
    process.once("exit", kill);
    signal.addEventListener("abort", kill);
    const end = (): void => {
      clearTimeout(timer);
      process.off("exit", kill);
      signal.removeEventListener("abort", kill);
      resolve(printed.trimEnd());
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", end);
    child.on("close", end);
  });
}
