import { Defect, formatError, TracefoldError } from "../base/errors.ts";
import { taskContents } from "./contents.ts";
import type { TaskDoer } from "./pool/pool.ts";
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
  doer: TaskDoer<KeyedTask>,
  store: ResultStore,
  {
    stopped,
    done,
  }: { readonly stopped: Promise<void>; readonly done: (result: StoredResult, task: BatchTask) => void },
): Promise<Done> {
  const results = new Map(store.results);
  const todo = [...new Map(keyed.filter(({ key }) => !results.has(key)).map((each) => [each.key, each])).values()];
  const reused = keyed.filter(({ key }) => results.has(key)).length;
  let next = 0;
  let isStopped = false;
  const stop = stopped.then(() => {
    isStopped = true;
  });
  const work = async () => {
    for (;;) {
      const each = isStopped ? undefined : todo[next++];
      if (each === undefined) return;
      const { report, ...result } = await doer.do(each);
      if (isStopped) return;
      const { key } = each;
      const hasEnded = result.answer !== null || result.exit !== null;
      if (hasEnded && !store.add({ key, ...result, report })) throw new Defect(`${key} has two results`);
      const kept = { key, ...result, hasReport: report !== null };
      results.set(key, kept);
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
