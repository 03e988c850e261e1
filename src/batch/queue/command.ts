import { flag, type Options, optionalCount, text, usageError } from "../../commands/options/option.ts";
import type { Service } from "../../commands/service.ts";

const options = {
  queue: text("--queue <url>", "where tasks come from: redis://HOST, as given to tracefold batch"),
  workers: optionalCount(
    "--workers <count>",
    "number of tasks at a time (default: one for each processor, and for each 4 GB of memory)",
  ),
  quiet: flag("--quiet", "print errors alone"),
} satisfies Options;

/** `tracefold worker`: does tasks of batches that are elsewhere. */
export const worker: Service<typeof options> = {
  name: "worker",
  summary: "do tasks of tracefold batch --queue; on as many machines as you like",
  teaching: `
  tracefold worker --queue redis://HOST            until Ctrl-C; what it has begun goes back to the queue

A worker does tasks of its own version of Tracefold. It needs no files: tasks bring their own. Whoever can write to the
queue can give it tasks, so keep Redis in a network of your own or behind a password: docs/batch.md.`,
  options,
  async serve({ queue, workers, quiet }) {
    if (queue === null) throw usageError("worker needs --queue redis://HOST");
    if (workers === 0) throw usageError("--workers needs at least one");
    const { doQueuedTasks } = await import("./doQueuedTasks.ts");
    return doQueuedTasks(queue, workers, quiet);
  },
};
