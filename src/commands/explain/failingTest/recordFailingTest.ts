import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { type Cancellation, throwIfCancelled } from "../../../base/cancellation.ts";
import { nth } from "../../../base/checked.ts";
import { addProcess, removeProcess } from "../../../base/childProcesses.ts";
import { TracefoldError } from "../../../base/errors.ts";
import { directoryVariable } from "../../../js/recorder/logFormat.ts";
import { type LoggedCall, readCalls, readLog } from "../../../js/recorder/readLog.ts";
import { readSources } from "../../../js/recorder/sources.ts";
import { startRecording } from "../../../js/recorder/vitest.ts";
import { type RecordedFile, readRecordedFile } from "../../../js/replay/recordedFile.ts";

export type RecordedTest = {
  readonly name: string;
  readonly files: readonly RecordedFile[];
  /** The hooks, then the failed test itself. */
  readonly calls: readonly LoggedCall[];
  /** The runner's message. */
  readonly message: string;
  /** True if a part of the log is missing. */
  readonly cutOff: boolean;
};

/** The size limit of the log. */
const mostBytes = 512 * 1024 * 1024;

/** Runs one test under its own runner with the recorder, and reads the log. */
export async function recordTest(
  name: string,
  command: readonly string[],
  cancellation: Cancellation,
): Promise<RecordedTest> {
  const words = vitestWords(command);
  const root = process.cwd();
  requireRunner(root);
  const directory = mkdtempSync(join(tmpdir(), "tracefold-"));
  try {
    startRecording(directory, { quota: 0, maxBytes: mostBytes, root });
    const results = join(directory, "results.json");
    const more = ["--testNamePattern", patternOf(name), "--reporter=json", `--outputFile=${results}`];
    const printed = await runRecorded([...words, ...more], directory, root, cancellation);
    throwIfCancelled(cancellation, "running the test");
    const chosen = chooseTest(name, readResults(results), printed);
    return readRecording(directory, chosen, root);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `npx vitest run src/a.test.ts` gives `run src/a.test.ts`. */
function vitestWords(command: readonly string[]): readonly string[] {
  const at = command.findIndex((word) => /(^|\/)vitest(\.m?js)?$/.test(word));
  if (at === -1) {
    throw new TracefoldError({
      code: "TF129",
      message: `explain --test runs vitest, and this is another command: ${command.join(" ")}`,
      help: "For example: tracefold explain --test NAME -- npx vitest run",
    });
  }
  const words = command.slice(at + 1).filter((word) => word !== "--watch");
  return words[0] === "run" ? words : ["run", ...words];
}

function requireRunner(root: string): void {
  try {
    createRequire(join(root, "package.json")).resolve("vitest/node");
  } catch (error) {
    if (!/MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED/.test(`${(error as NodeJS.ErrnoException).code}`)) throw error;
    throw new TracefoldError({
      code: "TF129",
      message: `vitest is not installed in ${root}`,
      help: "Install it there (npm install --save-dev vitest), or run this in the folder of the project.",
    });
  }
}

/** Vitest matches a regular expression against the names of suites and test, joined by blanks. */
function patternOf(name: string): string {
  return name.replaceAll(" > ", " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Runs vitest with the recorder and returns its output. Its exit code is irrelevant; the log has the test's result. */
export function runRecorded(
  words: readonly string[],
  directory: string,
  root: string,
  cancellation: Cancellation,
): Promise<string> {
  const isSource = import.meta.url.endsWith(".ts");
  const file = isSource ? "../../../js/recorder/runVitest.ts" : "./runVitest.js";
  const script = fileURLToPath(new URL(file, import.meta.url));
  const loader = isSource ? ["--import", createRequire(import.meta.url).resolve("tsx")] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...loader, script, ...words], {
      env: { ...process.env, [directoryVariable]: directory },
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    addProcess(cancellation.processes, child.pid);
    let printed = "";
    const hear = (text: Buffer): void => {
      printed = (printed + text.toString("utf8")).slice(-100_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const watch = setInterval(() => {
      if (cancellation.isCancelled()) child.kill("SIGKILL");
    }, 100);
    child.on("error", reject);
    child.on("close", () => {
      clearInterval(watch);
      removeProcess(cancellation.processes, child.pid);
      resolve(printed);
    });
  });
}

function readResults(path: string): readonly TestResult[] | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  const report = JSON.parse(text) as {
    readonly testResults?: readonly {
      readonly name: string;
      readonly message?: string;
      readonly assertionResults: readonly {
        readonly ancestorTitles: readonly string[];
        readonly title: string;
        readonly status: string;
        readonly failureMessages?: readonly string[];
      }[];
    }[];
  };
  return (report.testResults ?? []).flatMap(({ name: file, message, assertionResults }) => [
    ...(message ? [{ kind: "file" as const, file, message }] : []),
    ...assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      kind: "test" as const,
      file,
      name: [...ancestorTitles.filter((each) => each !== ""), title].join(" > "),
      status,
      message: failureMessages?.[0] ?? "",
    })),
  ]);
}

/** Reads the log of a failed test. */
export function readRecording(
  directory: string,
  { name, message }: { name: string; message: string },
  root: string,
): RecordedTest {
  const files = readSources(directory).flatMap(({ path, text, kind, number, skipped }) => {
    const file = skipped === null ? readRecordedFile(relative(root, path), text, kind, number) : null;
    return file === null ? [] : [file];
  });
  const logs = join(directory, "logs");
  let cutOff = false;
  for (const log of existsSync(logs) ? readdirSync(logs) : []) {
    const read = readLog(join(logs, log));
    cutOff ||= read.cutOff > 0 || read.summary?.stopped === true;
    const top = [...readCalls(read.events)].filter((call) => call.parent === null && call.test === name);
    const failed = top.findIndex(({ outcome }) => outcome.kind === "threw");
    if (failed !== -1) return { name, files, calls: top.slice(0, failed + 1), message, cutOff };
  }
  throw new TracefoldError({
    code: "TF128",
    message: `nothing was recorded of how the test "${name}" failed${saying(message)}`,
    help: "Its own code came to its end: it failed by a time limit, by expect.soft, or outside of the project's functions.",
  });
}

/** The runner's message; a timed-out test has none. */
function saying(message: string): string {
  const first = nth(message.split("\n", 1), 0);
  return first === "" || first === "Error: STACK_TRACE_ERROR" ? "" : `: ${first}`;
}

/** A result of the runner: a test, or a file that failed before its tests. */
export type TestResult =
  | { readonly kind: "file"; readonly file: string; readonly message: string }
  | {
      readonly kind: "test";
      readonly file: string;
      readonly name: string;
      readonly status: string;
      readonly message: string;
    };

/** Finds the failing test with a name, or explains why there is none. */
export function chooseTest(
  wanted: string,
  results: readonly TestResult[] | null,
  printed: string,
): { readonly name: string; readonly message: string } {
  const tests = (results ?? []).filter((result) => result.kind === "test");
  const ran = tests.filter(({ status }) => status === "passed" || status === "failed");
  const isNamed = ({ name }: { readonly name: string }) => name === wanted || name.endsWith(` > ${wanted}`);
  const named = ran.some(isNamed) ? ran.filter(isNamed) : ran;
  const failed = named.find(({ status }) => status === "failed");
  if (failed !== undefined) return failed;
  if (named.length > 0) {
    throw new TracefoldError({
      code: "TF126",
      message: `the test "${nth(named, 0).name}" passes: there is nothing to explain`,
      help: "Name a test that fails.",
    });
  }
  const broken = (results ?? []).find((result) => result.kind === "file");
  if (broken !== undefined || results === null) {
    throw new TracefoldError({
      code: "TF127",
      message: `the runner did not get to the tests: ${broken === undefined ? lastWords(printed) : `${broken.file}: ${firstLine(broken.message)}`}`,
      help: "Run the same command without tracefold: it has to get to the test and fail there.",
    });
  }
  const others = tests.slice(0, 3).map(({ name }) => `"${name}"`);
  throw new TracefoldError({
    code: "TF128",
    message: `no test is named "${wanted}"`,
    help: others.length === 0 ? "The runner found no tests." : `There are ${others.join(", ")} and others.`,
  });
}

/** Compiler messages follow a line that ends in a colon. */
function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first, second, third] = lines;
  if (first === undefined || !first.endsWith(":") || second === undefined) return first ?? "";
  const place = /[\w./-]+:\d+:\d+/.exec(third ?? "")?.[0];
  return `${first} ${second}${place === undefined ? "" : ` (${place})`}`;
}

/** The line with the error, otherwise the last line. */
function lastWords(printed: string): string {
  const lines = stripVTControlCharacters(printed)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "it printed nothing";
}
