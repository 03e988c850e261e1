import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { addProcess, type Cancellation, endProcess, removeProcess, throwIfCancelled } from "../../base/cancellation.ts";
import { TracefoldError } from "../../base/errors.ts";
import { entryPath } from "./entries.ts";
import {
  type Launch,
  plainLaunch,
  type RunnerName,
  type RunnerSetting,
  type TestError,
  type TestRun,
  type TestRunRequest,
} from "./runner.ts";

export type DriverRequest =
  | { readonly kind: "start"; readonly runner: RunnerName; readonly setting: RunnerSetting }
  | { readonly kind: "run"; readonly request: TestRunRequest }
  | { readonly kind: "close" };

export type DriverAnswer =
  | { readonly kind: "started" }
  | { readonly kind: "ran"; readonly run: TestRun; readonly work: number }
  | { readonly kind: "failed"; readonly error: TestError };

/** The project's own test runner in a process group of its own. */
export type RunnerSession = {
  readonly runner: RunnerName;
  readonly root: string;
  /** A temporary folder; it goes with the session. */
  readonly folder: string;
  run(request: Partial<TestRunRequest>): Promise<TestRun>;
  /** Where a source of the project is, as this session's tests load it. */
  pathOf(path: string): string;
  /** The same tests in a temporary copy of the project: what changed programs write does not get into the user's files. */
  copy(): Promise<RunnerSession>;
  /** Milliseconds of processor time of all runs. */
  work(): number;
  /** What the runner and the tests printed, the last of it. */
  printed(): string;
  /** Ends the runner with all its workers. */
  close(): void;
};

/** Loaders that keep compiled sources in the project, by time of change: what we rewrite must not get in there. */
const withoutCaches = { BABEL_DISABLE_CACHE: "1", ESM_DISABLE_CACHE: "1" };

const mostPrinted = 100_000;
const pause = 50;

export type SessionRequest = {
  readonly runner: RunnerName;
  readonly root: string;
  readonly words: readonly string[];
  readonly launch?: Launch;
  readonly cancellation: Cancellation;
};

export async function openSession({
  runner,
  root,
  words,
  launch = plainLaunch,
  cancellation,
}: SessionRequest): Promise<RunnerSession> {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-"));
  const isSource = import.meta.url.endsWith(".ts");
  const loader = isSource ? ["--import", createRequire(import.meta.url).resolve("tsx")] : [];
  const child = spawn(process.execPath, [...loader, entryPath("runnerDriver")], {
    cwd: root,
    // A group of its own, so that the workers end with it.
    detached: true,
    env: { ...process.env, ...launch.env, CI: "1", NO_COLOR: "1", FORCE_COLOR: "0", ...withoutCaches },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const group = child.pid === undefined ? undefined : -child.pid;
  addProcess(cancellation.processes, group);
  let [printed, work] = ["", 0];
  const hear = (text: Buffer): void => {
    printed = (printed + text.toString("utf8")).slice(-mostPrinted);
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    if (group !== undefined) endProcess(group);
    removeProcess(cancellation.processes, group);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const ask = async (request: DriverRequest): Promise<DriverAnswer> => {
    const answer = await answerOf(child, request, cancellation);
    if (answer !== null && answer.kind !== "failed") return answer;
    close();
    throwIfCancelled(cancellation, "running the tests");
    throw failure(runner, answer?.error.message ?? "", printed);
  };
  try {
    await ask({ kind: "start", runner, setting: { root, words, nodeFlags: launch.nodeFlags, folder } });
  } catch (error) {
    close();
    throw error;
  }
  return {
    runner,
    root,
    folder,
    async run(request) {
      const none = { files: null, tests: null, transform: null, hooks: null, options: null, limit: null };
      const whole = { ...none, ...request };
      const answer = await ask({ kind: "run", request: whole });
      if (answer.kind !== "ran") return { tests: [], problems: [] };
      work += answer.work;
      return answer.run;
    },
    pathOf: (path) => path,
    async copy() {
      const to = mkdtempSync(join(folder, "copy-"));
      copyProject(root, to);
      return inCopy(await openSession({ runner, root: to, words, launch, cancellation }), root, to);
    },
    work: () => work,
    printed: () => printed,
    close,
  };
}

/** Dependencies are linked, and the history is left out. */
function copyProject(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === ".git") continue;
    if (entry.name === "node_modules") symlinkSync(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) copyProject(source, target);
    else if (entry.isFile()) copyFileSync(source, target);
  }
}

/** A session in a copy that is asked, and answers, with the paths of the project. */
function inCopy(session: RunnerSession, from: string, to: string): RunnerSession {
  const moved = (path: string, a: string, b: string) => (path.startsWith(a + sep) ? b + path.slice(a.length) : path);
  const pathOf = (path: string) => moved(path, from, to);
  return {
    ...session,
    pathOf,
    async run(request) {
      const files = request.files?.map(pathOf) ?? null;
      const { tests, problems } = await session.run({ ...request, files });
      const back = tests.map((test) => ({ ...test, id: { ...test.id, file: moved(test.id.file, to, from) } }));
      return { tests: back, problems };
    },
  };
}

/** Null if the driver ended or the work was cancelled. */
function answerOf(
  child: ChildProcess,
  request: DriverRequest,
  cancellation: Cancellation,
): Promise<DriverAnswer | null> {
  return new Promise((resolve) => {
    const settle = (answer: DriverAnswer | null): void => {
      clearInterval(watch);
      child.off("message", settle);
      child.off("exit", ended);
      child.off("error", ended);
      resolve(answer);
    };
    const ended = (): void => settle(null);
    const watch = setInterval(() => {
      if (cancellation.isCancelled()) settle(null);
    }, pause);
    if (child.exitCode !== null || child.signalCode !== null) return ended();
    child.on("message", settle);
    child.on("exit", ended);
    child.on("error", ended);
    child.send(request, (error) => {
      if (error !== null) ended();
    });
  });
}

function failure(runner: RunnerName, message: string, printed: string): TracefoldError {
  const said = message !== "" ? message : (printed.trim().split("\n").at(-1) ?? "");
  return new TracefoldError({
    code: "TF129",
    message: `${runner} did not run${said === "" ? "" : `: ${said}`}`,
    help: `Run ${runner} itself in this folder; if it works there, please report this.`,
  });
}
