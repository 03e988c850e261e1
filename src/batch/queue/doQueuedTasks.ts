import { availableParallelism, totalmem } from "node:os";
import { exitCodes, openOutput } from "../../commands/output.ts";
import { usualMegabytes } from "../limits.ts";
import { listenToSignals } from "../listenToSignals.ts";
import { createPool, type DoneTask, mostAttempts } from "../pool/pool.ts";
import { counted } from "../results/table.ts";
import { connectQueue, keptSeconds, reasonOf, watchConnection } from "./connectQueue.ts";
import { type PackedTask, removeOldFolders, unpackTask } from "./packedTask.ts";

/** A task whose worker says nothing for so long is given to another one. */
const lockMilliseconds = 10_000;
const stalledMilliseconds = 5000;

/** Does tasks of a queue until a signal comes; returns the exit code. */
export async function doQueuedTasks(url: string, given: number | null, isQuiet: boolean): Promise<number> {
  const { modules, name, place, client } = await connectQueue(url);
  const width =
    given ?? Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / 2 ** 20 / usualMegabytes)));
  const output = openOutput(2);
  const say = (text: string) => {
    if (!isQuiet) output.write(`tracefold worker: ${text}\n`);
  };
  removeOldFolders();
  const pool = createPool(width);
  const { stopped, ending } = listenToSignals();
  let done = 0;
  const work = async (job: import("bullmq").Job<PackedTask, DoneTask>, token?: string): Promise<DoneTask> => {
    const { line, remove } = await unpackTask(job.data, job.id ?? "");
    try {
      const result = await pool.do(line, job.data.limits);
      if (ending.signal !== null) {
        await job.moveToWait(token);
        throw new modules.WaitingError();
      }
      done++;
      return { ...result, attempts: result.attempts + job.stalledCounter };
    } finally {
      remove();
    }
  };
  const connection = client();
  const worker = new modules.Worker<PackedTask, DoneTask>(name, work, {
    ...{ connection, concurrency: width, lockDuration: lockMilliseconds, stalledInterval: stalledMilliseconds },
    ...{
      maxStalledCount: mostAttempts - 1,
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds },
    },
  });
  const watched = watchConnection(connection, null, {
    lost: () => say(`the queue at ${place} does not answer; trying again`),
    back: () => say(`the queue at ${place} answers again`),
  });
  worker.on("error", (error) => {
    if (!/lock|closed/i.test(error.message) && connection.status === "ready") say(reasonOf(error));
  });
  say(`${counted(width, "task")} at a time from ${place}; Ctrl-C ends it`);
  await stopped;
  watched.end();
  // First no new tasks, then an end to those that it has.
  const closing = worker.close().catch((error: unknown) => say(reasonOf(error)));
  await pool.close();
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
  connection.disconnect();
  ending.stopListening();
  say(`${counted(done, "task")} done`);
  return ending.signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
}
