import type { Redis } from "ioredis";
import { TracefoldError } from "../../base/errors.ts";
import { isSystemError } from "../../base/files.ts";
import { usageError } from "../../commands/options/option.ts";
import { packageVersion } from "../../commands/output.ts";

/** The modules of the queue, and connections to its Redis. */
export type QueueConnection = {
  readonly modules: typeof import("bullmq");
  /** Workers of another version do not see the tasks of this one: results depend on the version. */
  readonly name: string;
  /** The address without user and password, for messages. */
  readonly place: string;
  /** A connection of its own, which connects again after each interruption. */
  readonly client: () => Redis;
};

const connectMilliseconds = 5000;
const mostPauseMilliseconds = 2000;

/** Results that nobody takes are kept so long: a batch that was stopped finds them when it goes on. */
export const keptSeconds = 24 * 3600;

/** An error with the reason if there is no Redis at the address. */
export async function connectQueue(url: string): Promise<QueueConnection> {
  const place = placeOf(url);
  const { modules, ioredis } = await loadModules();
  const first = new ioredis.Redis(url, {
    ...{ lazyConnect: true, connectTimeout: connectMilliseconds, maxRetriesPerRequest: 0 },
    retryStrategy: () => null,
  });
  let reason: unknown = null;
  first.on("error", (error: unknown) => {
    reason ??= error;
  });
  try {
    await first.connect();
    await first.ping();
  } catch (error) {
    throw queueError(`--queue: there is no Redis at ${place} (${reasonOf(reason ?? error)})`);
  } finally {
    first.disconnect();
  }
  return {
    ...{ modules, place, name: `tracefold-${packageVersion()}` },
    client: () =>
      new ioredis.Redis(url, {
        maxRetriesPerRequest: null,
        retryStrategy: (times) => Math.min(100 * times, mostPauseMilliseconds),
      }),
  };
}

export function queueError(message: string, help?: string): TracefoldError {
  return new TracefoldError({ code: "TF100", message, ...(help === undefined ? {} : { help }) });
}

/** Why Redis did not do something, in one line. */
export function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return isSystemError(error) && code.startsWith("E") ? code : (message.split("\n")[0] ?? "");
}

function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["redis:", "rediss:"].includes(parsed.protocol))
    throw usageError(`--queue: ${url} is no address of Redis, such as redis://HOST or redis://HOST:6379`);
  return `${parsed.protocol}//${parsed.host}`;
}

async function loadModules() {
  try {
    return { modules: await import("bullmq"), ioredis: await import("ioredis") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw queueError("--queue needs two more packages", "Install them beside Tracefold: npm install bullmq ioredis");
  }
}

type Watched = { readonly lost: () => void; readonly back: () => void; readonly gone?: () => void };

/** Tells when a connection is lost and when it is back; `gone` after it was lost for as long as `patience` lasts. */
export function watchConnection(redis: Redis, patience: number | null, { lost, back, gone }: Watched) {
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  let isLost = false;
  redis.on("error", () => {});
  redis.on("close", () => {
    if (ended || isLost) return;
    isLost = true;
    lost();
    if (patience !== null) timer = setTimeout(() => gone?.(), patience);
  });
  redis.on("ready", () => {
    if (!isLost) return;
    isLost = false;
    if (timer !== null) clearTimeout(timer);
    back();
  });
  return {
    end() {
      ended = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
