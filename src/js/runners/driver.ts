import childProcess, { type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { workMilliseconds } from "../../base/cancellation.ts";
import { startProcesses } from "./processDriver.ts";
import { describeError, type RunnerAdapter, type RunnerName, type RunnerSetting, withDistinctNames } from "./runner.ts";
import type { DriverAnswer, DriverRequest } from "./session.ts";
import { startVitest } from "./vitestDriver.ts";
import { watchLimit } from "./watchLimit.ts";
import { folderVariable } from "./workerSettings.ts";

/** The process that drives the project's runner. It leads a process group; it and its workers end with the parent. */

const starters: Readonly<Record<RunnerName, (setting: RunnerSetting) => Promise<RunnerAdapter>>> = {
  vitest: startVitest,
  jest: startProcesses("jest"),
  mocha: startProcesses("mocha"),
  "node:test": startProcesses("node:test"),
};

const pause = 200;

/** A thread, because this one may be busy: ends the group when the parent is gone. */
function endWithParent(parent: number): void {
  const text = `
    setInterval(() => {
      if (process.ppid !== ${parent}) process.kill(-process.pid, "SIGKILL");
    }, ${pause});`;
  new Worker(text, { eval: true, execArgv: [] }).unref();
}

const workers = new Set<ChildProcess>();

/** Keeps the processes that the runner starts, whatever way it imports the functions that start them. */
function watchWorkers(): void {
  for (const name of ["fork", "spawn"] as const) {
    const original = childProcess[name] as (...words: unknown[]) => ChildProcess;
    const watched = (...words: unknown[]): ChildProcess => {
      const child = original(...words);
      workers.add(child);
      child.once("exit", () => workers.delete(child));
      return child;
    };
    Reflect.set(childProcess, name, watched);
  }
  syncBuiltinESMExports();
}

function endWorkers(): void {
  for (const child of workers) child.kill("SIGKILL");
}

/** Processor time of this process and of the runner's processes. */
function work(): number {
  return workMilliseconds(Int32Array.from(workers, ({ pid }) => pid ?? 0));
}

function answer(message: DriverAnswer): void {
  process.send?.(message);
}

let adapter: Promise<RunnerAdapter> | null = null;

async function serve(request: DriverRequest): Promise<void> {
  switch (request.kind) {
    case "start": {
      const temporary = join(request.setting.folder, "tmp");
      mkdirSync(temporary, { recursive: true });
      process.env.TMPDIR = temporary;
      process.env[folderVariable] = request.setting.folder;
      adapter = starters[request.runner](request.setting);
      await adapter;
      return answer({ kind: "started" });
    }
    case "run": {
      if (adapter === null) throw new Error("the runner was not started");
      const { limit } = request.request;
      const before = work();
      const watch = watchLimit(limit, work, endWorkers);
      const run = withDistinctNames(await (await adapter).run(request.request));
      clearInterval(watch);
      return answer({ kind: "ran", run, work: work() - before });
    }
    case "close":
      await (await adapter)?.close();
      process.exit();
  }
}

endWithParent(process.ppid);
watchWorkers();
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
process.on("message", (request: DriverRequest) => {
  serve(request).catch((error: unknown) => answer({ kind: "failed", error: describeError(error) }));
});
