import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mutationsOf } from "../../bench/mutants/mutate.ts";
import { mutatedText } from "../../bench/mutants/mutation.ts";
import { testedPrograms } from "../../bench/mutants/programs.ts";
import type { ReportedTask } from "../../src/batch/results/batchReport.ts";
import { builtCli } from "../support/builtCli.ts";

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "tracefold-batch-"));
}

/** Writes mutants of our own programs, evenly spread, and their tasks; returns the file of tasks. */
export async function writeMutants(folder: string, count: number, commands: readonly string[]): Promise<string> {
  const mutants = (
    await Promise.all(
      testedPrograms().map(async (program) =>
        (
          await mutationsOf(program)
        ).map((mutation, i) => ({
          name: `${program.name}-${i}`,
          text: mutatedText(program.text, mutation),
        })),
      ),
    )
  ).flat();
  const lines = Array.from({ length: count }, (_, i) => {
    const { name, text } = mutants[Math.floor((i * mutants.length) / count)]!;
    writeFileSync(join(folder, `${name}.c`), text);
    const command = commands[i % commands.length];
    return JSON.stringify({
      name,
      command,
      files: [`${name}.c`],
      options: ["--max-steps", "100000", ...(command === "explain" ? ["--no-proof"] : [])],
    });
  });
  const path = join(folder, "tasks.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** The command line in a process of its own. */
export function startCli(words: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [builtCli(), ...words], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>(
    (resolve) => child.once("close", (status) => resolve({ status, stdout, stderr })),
  );
  return { child, ended };
}

export const runCli = (words: readonly string[], cwd: string) => startCli(words, cwd).ended;

export function readJsonLines(path: string): readonly ReportedTask[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReportedTask);
}
