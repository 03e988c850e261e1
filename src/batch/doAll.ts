import { Defect, formatError, TracefoldError } from "../base/errors.ts";
import { taskContents } from "./contents.ts";
import { failed } from "./pool/doTask.ts";
import type { DoneTask } from "./pool/pool.ts";
import type { ResultStore, StoredResult } from "./store.ts";
import type { BatchTask, BrokenTask } from "./task.ts";

/** A task with its key. */
export type KeyedTask = { readonly task: BatchTask; readonly key: string };

/** The keys of tasks; a task whose files cannot be read is broken. `limits` are part of the key. */
export function keyTasks(
  tasks: readonly BatchTask[],
  limits: string,
): { readonly keyed: readonly KeyedTask[]; readonly broken: readonly BrokenTask[] } {
  const keyed: KeyedTask[] = [];
  const broken: BrokenTask[] = [];
  for (const task of tasks) {
    try {
      keyed.push({ task, key: `${taskContents(task).key}-${limits}` });
    } catch (error) {
      if (!(error instanceof TracefoldError)) throw error;
      broken.push({ name: task.name, reason: formatError(error) });
    }
  }
  return { keyed, broken };
}

/** Does tasks: the processes of this machine, or a queue that others take tasks from. */
export type TaskDoer = {
  /** Rejected only if the doer itself is broken: a task that ends badly has a result that says so. */
  readonly do: (each: KeyedTask) => Promise<DoneTask>;
  /** Called when a result needs to be kept no longer, because the batch has it. */
  readonly release: (key: string) => void;
  /** So many tasks at a time keep it busy. */
  readonly width: number;
  readonly close: () => Promise<void>;
};

/** What a batch knows when it ends, by key. */
export type Done = {
  readonly results: ReadonlyMap<string, StoredResult>;
  readonly reused: number;
};

/**
 * Does the tasks that the store has no result of, each key once. A result is stored as it comes; one of a task whose
 * process died is not, so that the next batch tries again. Stopped, it ends with what it has.
 */
export async function doAll(
  keyed: readonly KeyedTask[],
  doer: TaskDoer,
  store: ResultStore,
  {
    stopped,
    done,
  }: { readonly stopped: Promise<void>; readonly done: (result: StoredResult, task: BatchTask) => void },
): Promise<Done> {
  const results = new Map(store.results);
  const todo = distinct(keyed.filter(({ key }) => !results.has(key)));
  const reused = distinct(keyed).length - todo.length;
  let next = 0;
  let isStopped = false;
  const stop = stopped.then(() => {
    isStopped = true;
  });
  const work = async () => {
    for (;;) {
      const each = isStopped ? undefined : todo[next++];
      if (each === undefined) return;
      const { key } = each;
      const given = await doer.do(each);
      if (isStopped) return;
      const { report, ...result } = isSame(each) ? given : { ...given, ...changed };
      const hasEnded = result.answer !== null || result.exit !== null;
      if (hasEnded && !store.add({ key, ...result, report })) throw new Defect(`${key} has two results`);
      const kept = { key, ...result, hasReport: report !== null };
      results.set(key, kept);
      doer.release(key);
      done(kept, each.task);
    }
  };
  const width = Math.min(doer.width, todo.length);
  const all = Promise.all(Array.from({ length: width }, work));
  // After a stop, the rejections of those that still work matter to nobody.
  all.catch((error: unknown) => error);
  await Promise.race([all, stop]);
  return { results, reused };
}

/** Each key once. */
export function distinct(keyed: readonly KeyedTask[]): readonly KeyedTask[] {
  return [...new Map(keyed.map((each) => [each.key, each])).values()];
}

const changed = failed("its files changed while it was done: start the batch again", null);

/** False if the task's files are no longer those that its key stands for. */
export function isSame({ task, key }: KeyedTask): boolean {
  try {
    return key.startsWith(`${taskContents(task).key}-`);
  } catch (error) {
    if (error instanceof TracefoldError) return false;
    throw error;
  }
}
