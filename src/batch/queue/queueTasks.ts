import { formatError, TracefoldError } from "../../base/errors.ts";
import type { KeyedTask, TaskDoer } from "../doAll.ts";
import { failed } from "../pool/doTask.ts";
import { type DoneTask, mostAttempts, type PoolLimits } from "../pool/pool.ts";
import { connectQueue, keptSeconds, queueError, reasonOf, watchConnection } from "./connectQueue.ts";
import { type PackedTask, packTask } from "./packedTask.ts";

/** So many tasks, and so many bytes of them, are in the queue at a time: it holds a part of a large batch. */
const mostTasks = 10_000;
const mostBytes = 256 * 2 ** 20;

/** Results are in the events, too: few of them keep Redis small. What is missed is found by looking. */
const mostEvents = 1000;
const lookMilliseconds = 2000;
/** Tasks that are asked for at a time. */
const portion = 500;
const patienceMilliseconds = 5 * 60_000;
const closeMilliseconds = 3000;

type Waiting = {
  readonly each: KeyedTask;
  readonly resolve: (done: DoneTask) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gives tasks to the workers of a queue. The key of a task is its id there: two batches share it, and a batch that goes
 * on finds what was done without it. Events say what is done; whoever missed them looks every few seconds, and gives a
 * task again that Redis has lost.
 */
export async function queueTasks(
  url: string,
  limits: PoolLimits,
  note: (text: string) => void,
  patience = patienceMilliseconds,
): Promise<TaskDoer> {
  const { modules, name, place, client } = await connectQueue(url);
  const redis = client();
  const listening = client();
  const queue = new modules.Queue<PackedTask, DoneTask>(name, {
    connection: redis,
    streams: { events: { maxLen: mostEvents } },
    defaultJobOptions: {
      attempts: mostAttempts,
      backoff: { type: "fixed", delay: 1000 },
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds },
    },
  });
  const events = new modules.QueueEvents(name, { connection: listening });
  const waiting = new Map<string, Waiting>();
  const room = roomFor(mostBytes);
  let settled = 0;

  const settle = (key: string, done: DoneTask) => {
    const found = waiting.get(key);
    if (found === undefined) return;
    settled++;
    waiting.delete(key);
    found.resolve(done);
  };
  const failAll = (error: unknown) => {
    for (const { reject } of waiting.values()) reject(error);
  };
  /** What a worker has begun cannot be removed. After an interruption it goes when its time is over. */
  const remove = async (key: string) => {
    try {
      await queue.remove(key);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  };

  /** What Redis knows of tasks: done, failed, there, or lost. */
  const look = async (keys: readonly string[]) => {
    const pipeline = redis.pipeline();
    for (const key of keys) pipeline.hmget(queue.toKey(key), "timestamp", "finishedOn", "returnvalue", "failedReason");
    const answers = (await pipeline.exec()) ?? [];
    return keys.map((key, i) => {
      const [error, fields] = answers[i] ?? [null, []];
      if (error !== null) throw error;
      const [timestamp, finished, value, reason] = fields as readonly (string | null)[];
      const state = finished == null ? (timestamp == null ? "lost" : "there") : value == null ? "failed" : "done";
      return { key, state, value, reason } as const;
    });
  };
  const give = async (each: KeyedTask, packed: PackedTask) => {
    const [known] = await look([each.key]);
    if (known?.state === "done") return settle(each.key, JSON.parse(known.value ?? "") as DoneTask);
    if (known?.state === "failed") await remove(each.key);
    await queue.add("task", packed, { jobId: each.key });
  };
  const lookAtAll = async () => {
    const keys = [...waiting.keys()];
    for (let i = 0; i < keys.length; i += portion) {
      for (const { key, state, value, reason } of await look(keys.slice(i, i + portion))) {
        const found = waiting.get(key);
        if (found === undefined) continue;
        if (state === "done") settle(key, JSON.parse(value ?? "") as DoneTask);
        if (state === "failed") settle(key, failedJob(reason ?? ""));
        if (state === "lost") await packTask(found.each.task, limits).then(({ packed }) => give(found.each, packed));
      }
    }
  };

  events.on("completed", ({ jobId, returnvalue }) => settle(jobId, returnvalue as unknown as DoneTask));
  events.on("failed", ({ jobId, failedReason }) => settle(jobId, failedJob(failedReason)));
  const watched = watchConnection(redis, patience, {
    lost: () => note(`the queue at ${place} does not answer; trying again`),
    back: () => note(`the queue at ${place} answers again`),
    gone: () =>
      failAll(queueError(`the queue at ${place} has not answered for ${Math.round(patience / 60_000)} minutes`)),
  });
  const ignore = () => {};
  queue.on("error", ignore);
  events.on("error", ignore);
  listening.on("error", ignore);
  await events.waitUntilReady();

  let isLooking = false;
  let before = -1;
  let saidMissing = false;
  const timer = setInterval(async () => {
    if (isLooking || waiting.size === 0 || redis.status !== "ready") return;
    isLooking = true;
    try {
      if (!saidMissing && settled === before && (await queue.getWorkersCount()) === 0) {
        saidMissing = true;
        note(`no worker is there: start tracefold worker --queue ${place}`);
      }
      before = settled;
      await lookAtAll();
    } catch (error) {
      // After an interruption the next look finds the same.
      if (redis.status === "ready" && error instanceof Error && error.name === "ReplyError")
        failAll(refused(place, error));
    } finally {
      isLooking = false;
    }
  }, lookMilliseconds);

  return {
    width: mostTasks,
    async do(each) {
      const { task, key } = each;
      let bytes = 0;
      try {
        const { key: now, packed } = await packTask(task, limits);
        if (!key.startsWith(`${now}-`)) return unplaced("its files changed: start the batch again");
        bytes = packed.files.length;
        await room.take(bytes);
        return await new Promise<DoneTask>((resolve, reject) => {
          waiting.set(key, { each, resolve, reject });
          give(each, packed).catch((error: unknown) => reject(refused(place, error)));
        });
      } catch (error) {
        if (!(error instanceof TracefoldError) || waiting.has(key)) throw error;
        return unplaced(formatError(error));
      } finally {
        room.give(bytes);
      }
    },
    release: (key) => void remove(key),
    async close() {
      clearInterval(timer);
      watched.end();
      // Tasks that a worker has begun stay: their results are found when the batch goes on.
      const leave = async () => {
        for (const key of waiting.keys()) void remove(key);
        await queue.close();
        await events.close();
      };
      await Promise.race([
        leave().catch((error: unknown) => error),
        new Promise((resolve) => setTimeout(resolve, closeMilliseconds).unref()),
      ]);
      redis.disconnect();
      listening.disconnect();
    },
  };
}

/** A task that no worker got. */
function unplaced(reason: string): DoneTask {
  return { ...failed(reason, null), seconds: 0, processorSeconds: null, megabytes: null, attempts: 0 };
}

function failedJob(reason: string): DoneTask {
  const text = /stalled/.test(reason) ? `the workers that did it went away, ${mostAttempts} times` : reason;
  return { ...unplaced(text), attempts: mostAttempts };
}

function refused(place: string, error: unknown): unknown {
  return error instanceof TracefoldError ? error : queueError(`the queue at ${place}: ${reasonOf(error)}`);
}

/** Lets in what has room, in order; what is larger than all room waits until nothing else is there. */
function roomFor(most: number) {
  const queued: { readonly size: number; readonly enter: () => void }[] = [];
  let used = 0;
  const letIn = () => {
    for (let next = queued[0]; next !== undefined && (used === 0 || used + next.size <= most); next = queued[0]) {
      queued.shift();
      used += next.size;
      next.enter();
    }
  };
  return {
    take: (size: number) =>
      new Promise<void>((enter) => {
        queued.push({ size, enter });
        letIn();
      }),
    give(size: number) {
      used -= size;
      letIn();
    },
  };
}
