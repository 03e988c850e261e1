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

/** A failing test as it was recorded. */
export type RecordedTest = {
  /** `suite > test`. */
  readonly name: string;
  readonly files: readonly RecordedFile[];
  /** Its hooks, then the test itself, which failed. */
  readonly calls: readonly LoggedCall[];
  /** What the runner said of it. */
  readonly message: string;
  /** Some of the log is missing. */
  readonly cutOff: boolean;
};

/** Bytes of the log; what comes behind them is not recorded. */
const mostBytes = 512 * 1024 * 1024;

/** Runs one test under its own runner, with the recorder in front, and reads what it logged. */
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

/** Vitest compares a regular expression with the names of suites and test, joined by blanks. */
function patternOf(name: string): string {
  return name.replaceAll(" > ", " ").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Runs vitest with the recorder in front; resolves with what it printed. Whether it failed says nothing: the test does. */
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

/** What the log has of a test that failed. */
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

/** What the runner says, where it says something: it has no words for a test that ran out of time. */
function saying(message: string): string {
  const first = nth(message.split("\n", 1), 0);
  return first === "" || first === "Error: STACK_TRACE_ERROR" ? "" : `: ${first}`;
}

/** What the runner reports: a test, or a file that did not get to its tests. */
export type TestResult =
  | { readonly kind: "file"; readonly file: string; readonly message: string }
  | {
      readonly kind: "test";
      readonly file: string;
      /** `suite > test`. */
      readonly name: string;
      readonly status: string;
      readonly message: string;
    };

/** The failing test that a name means; says what is in the way where there is none. */
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

/** What a compiler says comes below a line that ends in a colon, then where. */
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

/** The line that says what is wrong, else the last one. */
function lastWords(printed: string): string {
  const lines = stripVTControlCharacters(printed)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "it printed nothing";
}
