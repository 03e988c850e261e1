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

/**
 * A reporter for vitest and jest: `reporters: ["default", "tracefold/reporter"]`. Explains up to three tests that did
 * not fail in the run before. It never changes how the run ends.
 */
export default class TracefoldReporter {
  private before: ReadonlySet<string> = new Set();
  private hasRunEnd = false;

  onInit(vitest: { readonly version?: string }): void {
    this.hasRunEnd = Number.parseInt(vitest.version ?? "", 10) >= 3;
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
    await this.explain(failed, vitestWords);
  }

  /** Vitest 2. */
  async onFinished(files: readonly VitestTask[] = []): Promise<void> {
    if (this.hasRunEnd) return;
    const failed = files.flatMap(({ filepath = "", projectName = "", tasks = [] }) =>
      tasks.flatMap((task) => failedIn(task, [])).map((name) => ({ name, file: filepath, project: projectName })),
    );
    await this.explain(failed, vitestWords);
  }

  /** Jest. */
  async onRunComplete(_contexts: unknown, { testResults }: JestResults): Promise<void> {
    const failed = testResults.flatMap(({ testFilePath: file, testResults: tests }) =>
      tests
        .filter(({ status }) => status === "failed")
        .map(({ ancestorTitles, title }) => ({ name: joinNames([...ancestorTitles, title]), file, project: "" })),
    );
    await this.explain(failed, ({ file }) => ["jest", "--runTestsByPath", file]);
  }

  private async explain(failed: readonly Failed[], words: (test: Failed) => readonly string[]): Promise<void> {
    const key = ({ name, file, project }: Failed) => `${project}\n${file}\n${name}`;
    const fresh = failed.filter((test) => !this.before.has(key(test))).slice(0, mostTests);
    this.before = new Set(failed.map(key));
    // A run that Tracefold itself has started is not explained.
    if (fresh.length === 0 || process.env[folderVariable] !== undefined) return;
    const texts = await Promise.all(
      fresh.map(async (test) => {
        const command = ["explain", "--test", test.name, "--", ...words(test)];
        return `${test.name}\n${(await runCommand(command)) ?? `not explained in ten seconds: ${inShell(command)}`}\n`;
      }),
    );
    const left = failed.length - fresh.length;
    const more = left === 0 ? "" : `${left} more failing test${left === 1 ? " is" : "s are"} not explained here\n`;
    process.stdout.write(`\nTracefold\n\n${texts.join("\n")}${more}`);
  }
}

function vitestWords({ file, project }: Failed): readonly string[] {
  return ["vitest", "run", file, ...(project === "" ? [] : ["--project", project])];
}

function inShell(command: readonly string[]): string {
  return ["tracefold", ...command].map((word) => (/^[\w./:-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

function failedIn(task: VitestTask, names: readonly string[]): readonly string[] {
  const inner = [...names, task.name];
  if (task.type === "suite") return (task.tasks ?? []).flatMap((child) => failedIn(child, inner));
  return task.result?.state === "fail" ? [joinNames(inner)] : [];
}

/** The output of our command; null if it takes too long or cannot be started. */
function runCommand(words: readonly string[]): Promise<string | null> {
  const isSource = import.meta.url.endsWith(".ts");
  const script = fileURLToPath(new URL(isSource ? "../../cli/main.ts" : "./cli/main.js", import.meta.url));
  const loader = isSource ? ["--import", createRequire(import.meta.url).resolve("tsx")] : [];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...loader, script, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const end = (): unknown => child.kill("SIGKILL");
    process.once("exit", end);
    let printed = "";
    const hear = (text: Buffer): void => {
      printed += text.toString("utf8");
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const timer = setTimeout(() => {
      // What it has started ends with it.
      end();
      resolve(null);
    }, mostMilliseconds);
    child.on("error", () => resolve(null));
    child.on("close", () => {
      clearTimeout(timer);
      process.off("exit", end);
      resolve(printed.trimEnd());
    });
  });
}
