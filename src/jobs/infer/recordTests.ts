import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cancellation } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { addProcess, removeProcess } from "../../base/childProcesses.ts";
import { TracefoldError } from "../../base/errors.ts";
import { directoryVariable } from "../../js/recorder/logFormat.ts";
import { startRecording } from "../../js/recorder/vitest.ts";
import { testCommand } from "./testCommand.ts";

export type RecordOptions = {
  readonly words: readonly string[];
  readonly folder: string;
  readonly recording: string;
  /** Calls of one path that are kept; 0: all. */
  readonly quota: number;
  readonly maxMegabytes: number;
  /** Where the tests' standard output goes: ours, or our standard error. */
  readonly output: 1 | 2;
  readonly cancellation: Cancellation;
};

/** Runs the tests in a process of their own, recorded. The result is their exit code; null: they were ended. */
export async function recordTests(options: RecordOptions): Promise<number | null> {
  const { words, folder, recording, quota, maxMegabytes } = options;
  startRecording(recording, { quota, maxBytes: maxMegabytes * 1024 * 1024, root: folder });
  const command = testCommand(words, folder);
  if (command.kind === "node") return run(nth(command.words, 0), command.words.slice(1), nodeOptions(), options);
  requireVitest(folder);
  const [runner, ...before] = sourceAware("runVitest");
  return run(process.execPath, [...before, runner!, ...command.words], process.env.NODE_OPTIONS ?? "", options);
}

/** The built file; from source, what compiles it comes along. */
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
  const child = spawn(program, args, { cwd: folder, env, stdio: ["inherit", output, 2] });
  addProcess(cancellation.processes, child.pid);
  const look = setInterval(() => {
    if (cancellation.isCancelled()) child.kill("SIGTERM");
  }, 100);
  try {
    return await new Promise<number | null>((resolve, reject) => {
      child.once("error", (error) => reject(notStarted(program, error)));
      child.once("exit", (code) => resolve(code));
    });
  } finally {
    clearInterval(look);
    removeProcess(cancellation.processes, child.pid);
  }
}

function notStarted(program: string, error: Error): TracefoldError {
  return new TracefoldError({
    code: "TF124",
    message: `${program} cannot be started: ${error.message}`,
    help: "What follows -- is the command that runs the tests: tracefold infer -- npx vitest run",
  });
}
