import { type StdioOptions, spawn } from "node:child_process";
import { existsSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addProcess, type Cancellation, endProcess, removeProcess } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { directoryVariable } from "../../js/recorder/logFormat.ts";
import { startRecording } from "../../js/recorder/vitest.ts";
import { type DetectedRunner, findRunner } from "../../js/runners/detectRunner.ts";
import { entryPath } from "../../js/runners/entries.ts";
import { openSession } from "../../js/runners/session.ts";

export type RecordOptions = {
  readonly words: readonly string[];
  readonly folder: string;
  readonly recording: string;
  /** The number of calls kept for each path; 0: all. */
  readonly quota: number;
  readonly maxMegabytes: number;
  /** The stream for the tests' standard output; null: they run apart, without our streams and in a group of their own. */
  readonly output: 1 | 2 | null;
  readonly cancellation: Cancellation;
};

/** Null if the tests were stopped. */
type ExitCode = number | null;

/** Runs the tests in a recorded process. */
export async function recordTests(options: RecordOptions): Promise<ExitCode> {
  const { words, folder, recording, quota, maxMegabytes } = options;
  startRecording(recording, { quota, maxBytes: maxMegabytes * 1024 * 1024, root: folder });
  const command = testCommand(words, folder);
  if (command.kind === "jest") return recordJest(command.detected, options);
  if (command.kind === "node") return run(nth(command.words, 0), command.words.slice(1), nodeOptions(), options);
  requireVitest(folder);
  const [runner, ...before] = sourceAware("runVitest");
  return run(process.execPath, [...before, runner!, ...command.words], process.env.NODE_OPTIONS ?? "", options);
}

/** Jest loads the sources itself, so it runs as it does for `explain`. */
async function recordJest(detected: DetectedRunner, options: RecordOptions): Promise<ExitCode> {
  const { folder, recording, output, cancellation } = options;
  const session = await openSession({ ...detected, root: folder, cancellation });
  try {
    const { tests, problems } = await session.run({
      transform: entryPath("recordSources"),
      hooks: entryPath("recordTests"),
      options: { directory: recording, root: folder },
    });
    const failed = tests.filter(({ state }) => state === "failed");
    const told = [
      ...failed.map(({ id }) => `failed: ${id.name}`),
      ...problems.map(({ file, error }) => `${file ?? "jest"}: ${error.message}`),
      `jest: ${tests.length} tests, ${failed.length} failed`,
    ];
    if (output !== null) writeSync(output, `${told.join("\n")}\n\n`);
    return failed.length + problems.length > 0 ? 1 : 0;
  } finally {
    session.close();
  }
}

/** The built file, or the source file with its compiler. */
function sourceAware(name: string): readonly string[] {
  const isSource = import.meta.url.endsWith(".ts");
  const place = isSource ? `../../js/recorder/${name}.ts` : `./${name}.js`;
  const file = fileURLToPath(new URL(place, import.meta.url));
  return isSource ? [file, "--import", createRequire(import.meta.url).resolve("tsx/esm")] : [file];
}

function nodeOptions(): string {
  const [register, , compiler] = sourceAware("register");
  const imports = [compiler, register].flatMap((file) => (file === undefined ? [] : [`--import=${file}`]));
  return [process.env.NODE_OPTIONS ?? "", ...imports].join(" ").trim();
}

function requireVitest(folder: string): void {
  try {
    createRequire(join(folder, "package.json")).resolve("vitest/node");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new TracefoldError({
      code: "TF124",
      message: `vitest is not installed in ${folder}`,
      help: "Install it there, or start tracefold in the folder of the project.",
    });
  }
}

async function run(
  program: string,
  args: readonly string[],
  nodeOptions: string,
  options: RecordOptions,
): Promise<number | null> {
  const { folder, recording, output, cancellation } = options;
  const env = { ...process.env, [directoryVariable]: recording, NODE_OPTIONS: nodeOptions };
  const isApart = output === null;
  const stdio: StdioOptions = isApart ? "ignore" : ["inherit", output, 2];
  const child = spawn(program, args, { cwd: folder, env, stdio, detached: isApart });
  const listed = child.pid === undefined ? undefined : isApart ? -child.pid : child.pid;
  addProcess(cancellation.processes, listed);
  const look = setInterval(() => {
    if (!cancellation.isCancelled()) return;
    if (isApart && listed !== undefined) endProcess(listed);
    else child.kill("SIGTERM");
  }, 100);
  try {
    const { code, signal } = await new Promise<Ended>((resolve, reject) => {
      child.once("error", (error) => reject(notStarted(program, error)));
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    // Ctrl-C goes to the tests and to us; the tests may end before our own thread has noticed it.
    for (let waited = 0; signal === "SIGINT" && !cancellation.isCancelled() && waited < ctrlCWait; waited += 20)
      await setTimeout(20);
    return code;
  } finally {
    clearInterval(look);
    removeProcess(cancellation.processes, listed);
  }
}

type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** Milliseconds. */
const ctrlCWait = 2000;

function notStarted(program: string, error: Error): TracefoldError {
  return new TracefoldError({
    code: "TF124",
    message: `${program} cannot be started: ${error.message}`,
    help: "What follows -- is the command that runs the tests: tracefold infer -- npx vitest run",
  });
}

export type TestCommand =
  | { readonly kind: "jest"; readonly detected: DetectedRunner }
  | { readonly kind: "vitest"; readonly words: readonly string[] }
  /** Any other command; its Node processes load the recorder first. */
  | { readonly kind: "node"; readonly words: readonly string[] };

export function testCommand(words: readonly string[], folder: string): TestCommand {
  const found = findRunner(words, folder);
  if (found?.runner === "jest") return { kind: "jest", detected: found };
  const script = npmScript(words, folder);
  const rest = withoutLauncher(script ?? words);
  const [program, ...args] = rest;
  if (program !== undefined && /(^|\/)vitest(\.mjs)?$/.test(program)) return { kind: "vitest", words: args };
  if (
    program !== undefined &&
    /(^|\/)_?mocha(\.js)?$/.test(program) &&
    !args.some((word) => /^(-t|--timeout)/.test(word))
  )
    // Recorded code is slower than mocha's limit of two seconds allows.
    return { kind: "node", words: [...words, ...(script === null ? [] : ["--"]), "--timeout", "20000"] };
  return { kind: "node", words };
}

function withoutLauncher(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === "npx" || first === "bunx") {
    const start = words.findIndex((word, at) => at > 0 && !word.startsWith("-"));
    return start < 0 ? [] : words.slice(start);
  }
  if ((first === "pnpm" || first === "yarn") && second === "exec") return words.slice(2);
  if ((first === "pnpm" || first === "yarn") && second === "vitest") return words.slice(1);
  return words;
}

function npmScript(words: readonly string[], folder: string): readonly string[] | null {
  const [manager, verb, name] = words;
  if (manager !== "npm" && manager !== "pnpm" && manager !== "yarn") return null;
  const script = verb === "test" || verb === "t" ? "test" : verb === "run" ? name : null;
  const manifest = join(folder, "package.json");
  if (script == null || !existsSync(manifest)) return null;
  const { scripts } = JSON.parse(readFileSync(manifest, "utf8")) as { scripts?: Record<string, string> };
  const text = scripts?.[script];
  if (text === undefined || /[&|;<>$`"'\\]/.test(text)) return null;
  const extra = words.slice(verb === "run" ? 3 : 2).filter((word) => word !== "--");
  return [...text.trim().split(/\s+/), ...extra];
}
