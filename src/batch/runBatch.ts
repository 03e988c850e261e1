import { TracefoldError } from "../base/errors.ts";
import { isSystemError, writeWhole } from "../base/files.ts";
import { usageError } from "../commands/options/option.ts";
import { exitCodes, openOutput, packageVersion, paintOf } from "../commands/output.ts";
import { type Done, distinct, doAll, type KeyedTask, keyTasks, type TaskDoer } from "./doAll.ts";
import { listenToSignals } from "./listenToSignals.ts";
import { createPool, type PoolLimits } from "./pool/pool.ts";
import { batchProgress } from "./progress.ts";
import { type BatchReport, groupsOf, isBad, reportedBroken, reportedTask } from "./results/batchReport.ts";
import { compareBatches, jsonLines, readBatch } from "./results/diff.ts";
import { openStore, type ResultStore } from "./store.ts";
import type { BrokenTask } from "./task.ts";
import { readTasks } from "./tasks/readTasks.ts";
import type { TaskSettings } from "./tasks/taskSettings.ts";

export type BatchSettings = TaskSettings &
  PoolLimits & {
    readonly words: readonly string[];
    readonly workers: number;
    readonly store: string;
    readonly resumes: boolean;
    readonly queue: string | null;
    readonly quiet: boolean;
    readonly colours: boolean;
    readonly diff: string | null;
    /** Where each format is written; null if it is not wanted. */
    readonly files: { readonly [Format in "jsonl" | "xml" | "junit" | "html"]: string | null };
  };

/** Does all tasks and writes their results; returns the exit code. */
export async function runBatch(settings: BatchSettings): Promise<number> {
  const start = new Date();
  const before = settings.diff === null ? null : readBatch(settings.diff);
  const { tasks, broken } = readTasks(settings.words, settings);
  if (tasks.length + broken.length === 0) throw usageError("batch: there are no tasks");
  const { keyed, broken: unreadable } = keyTasks(tasks, `${settings.seconds}s-${settings.megabytes}MB`);
  const store = openStore(settings.store, settings.resumes);
  try {
    const { done, signal } = await doTasks(keyed, store, settings);
    const report = reportOf(keyed, [...broken, ...unreadable], done, start, settings);
    const difference = before === null ? null : compareBatches(before, report.tasks);
    await writeFiles(report, start, store, keyed, settings);
    if (!settings.quiet) {
      const { batchTable } = await import("./results/table.ts");
      openOutput(1).write(batchTable(report, paintOf(settings.colours), difference));
    }
    return signal === "SIGINT" ? exitCodes.interrupted : signal !== null ? exitCodes.terminated : exitCodeOf(report);
  } finally {
    store.close();
  }
}

async function doTasks(keyed: readonly KeyedTask[], store: ResultStore, settings: BatchSettings) {
  const all = distinct(keyed);
  const stored = all.filter(({ key }) => store.results.has(key)).length;
  const progress = batchProgress(all.length, stored, settings.quiet);
  const doer = await doerOf(settings, progress.note);
  const { stopped, ending } = listenToSignals();
  try {
    const done = await doAll(keyed, doer, store, {
      stopped,
      done: (result, task) => progress.done(reportedTask(task, result).category),
    });
    return { done, signal: ending.signal };
  } finally {
    progress.end();
    await doer.close();
    ending.stopListening();
  }
}

async function doerOf({ queue, workers, ...limits }: BatchSettings, note: (text: string) => void): Promise<TaskDoer> {
  if (queue !== null) {
    const { queueTasks } = await import("./queue/queueTasks.ts");
    return queueTasks(queue, limits, note);
  }
  const pool = createPool(workers);
  return {
    ...{ width: workers, close: pool.close, release: () => {} },
    do: ({ task: { command, words, arguments: given, folder } }) =>
      pool.do({ command, words, arguments: given, folder }, limits),
  };
}

function reportOf(
  keyed: readonly KeyedTask[],
  broken: readonly BrokenTask[],
  { results, reused }: Done,
  start: Date,
  { seconds, megabytes }: PoolLimits,
): BatchReport {
  const done = keyed.flatMap(({ task, key }) => {
    const result = results.get(key);
    return result === undefined ? [] : [reportedTask(task, result)];
  });
  const tasks = [...done, ...broken.map(reportedBroken)];
  return {
    command: "batch",
    tool: { name: "tracefold", version: packageVersion() },
    tasks,
    groups: groupsOf(tasks),
    limits: { seconds, megabytes },
    left: keyed.length - done.length,
    reused,
    seconds: (Date.now() - start.getTime()) / 1000,
  };
}

async function writeFiles(
  report: BatchReport,
  start: Date,
  store: ResultStore,
  keyed: readonly KeyedTask[],
  { files }: BatchSettings,
): Promise<void> {
  const write = (path: string | null, text: string) => {
    try {
      if (path !== null) writeWhole(path, text);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new TracefoldError({ code: "TF133", message: `cannot write ${path} (${error.code})` });
    }
  };
  write(files.jsonl, jsonLines(report.tasks));
  if (files.xml !== null)
    write(files.xml, (await import("./results/benchexecXml.ts")).benchexecXml(report, start, files.xml));
  if (files.junit !== null) write(files.junit, (await import("./results/junitXml.ts")).junitXml(report));
  if (files.html !== null) {
    const { htmlTable } = await import("./results/htmlTable.ts");
    const folders = new Map(keyed.map(({ task, key }) => [key, task.folder]));
    for (const [path, text] of await htmlTable(report, files.html, store, folders)) write(path, text);
  }
}

/** 1: something is wrong; 2: a task cannot be read or done; 3: something is unknown. */
function exitCodeOf({ tasks }: BatchReport): number {
  if (tasks.some((task) => task.category === "wrong" || isBad(task))) return exitCodes.programIsWrong;
  if (tasks.some(({ category }) => category === "failed")) return exitCodes.inputIsWrong;
  return tasks.some(({ category }) => category === "unknown") ? exitCodes.unknown : exitCodes.fine;
}
