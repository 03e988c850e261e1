import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CommandLine, TaskSummary, TaskUsage } from "../task.ts";
import { failed } from "./doTask.ts";
import { endTree, type ProcessUsage, usageOf } from "./processUsage.ts";

/** The processes of this machine. */
export type TaskPool = {
  /** Rejected only if the pool itself is broken: a task that ends badly has a result that says so. */
  readonly do: (line: CommandLine, limits: PoolLimits) => Promise<DoneTask>;
  readonly close: () => Promise<void>;
};

export type DoneTask = TaskSummary & TaskUsage;

export type PoolLimits = {
  /** Of all processors together, for one task. It may take four times as long on the clock. */
  readonly seconds: number;
  readonly megabytes: number;
};

/** A task whose process dies is begun so many times before it is reported. */
export const mostAttempts = 3;

const lookMilliseconds = 100;
const clockFactor = 4;
/** A process that has grown beyond this share of the limit makes room for a new one. */
const keptShare = 0.5;
/** So does one that did this many tasks: compiled programs leave about 50 KB each behind. */
const mostTasks = 400;

type TaskProcess = {
  readonly child: ChildProcess;
  readonly id: number;
  /** The end of its standard error, which says why it died. */
  readonly complaints: () => string;
  tasks: number;
};

/** Processes that do one task each at a time. One that died, or was ended at a limit, is replaced. */
export function createPool(width: number): TaskPool {
  const idle: TaskProcess[] = [];
  const all = new Set<TaskProcess>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const start = (): Promise<TaskProcess> =>
    new Promise((resolve, reject) => {
      const child = startProcess();
      let complaints = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        complaints = (complaints + text).slice(-2000);
      });
      const each = { child, id: child.pid ?? 0, complaints: () => complaints, tasks: 0 };
      all.add(each);
      child.once("message", () => resolve(each));
      child.once("error", reject);
      child.once("exit", () => {
        all.delete(each);
        const at = idle.indexOf(each);
        if (at >= 0) idle.splice(at, 1);
        reject(new Error(`a process of the pool did not start: ${complaints}`));
      });
    });
  const end = (each: TaskProcess) => {
    all.delete(each);
    if (each.id > 0) endTree(each.id);
  };

  const once = async (line: CommandLine, limits: PoolLimits): Promise<Attempt> => {
    const each = idle.pop() ?? (await start());
    const attempt = await doIn(each, line, limits);
    each.tasks++;
    const isSmall = (attempt.megabytes ?? 0) < limits.megabytes * keptShare;
    const isKept = attempt.kind === "answer" && isSmall && each.tasks < mostTasks;
    if (isKept && !closed) idle.push(each);
    else end(each);
    return attempt;
  };

  return {
    async do(line, limits) {
      if (busy >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      busy++;
      try {
        for (let attempts = 1; ; attempts++) {
          const { kind, summary, ...usage } = await once(line, limits);
          if (kind === "died" && attempts < mostAttempts && !closed) continue;
          const reason = kind === "died" ? `${summary.reason}, ${attempts} times` : summary.reason;
          return { ...summary, reason, ...usage, attempts };
        }
      } finally {
        busy--;
        waiting.shift()?.();
      }
    },
    async close() {
      closed = true;
      const ends = [...all].map(({ child }) => new Promise((resolve) => child.once("exit", resolve)));
      for (const each of [...all]) end(each);
      await Promise.all(ends);
    },
  };
}

/** `died`: the process ended by itself or by others; `limit`: we ended it. */
type Attempt = Omit<TaskUsage, "attempts"> & {
  readonly kind: "answer" | "died" | "limit";
  readonly summary: TaskSummary;
};

function doIn({ child, id, complaints }: TaskProcess, line: CommandLine, limits: PoolLimits): Promise<Attempt> {
  const start = performance.now();
  const before = usageOf(id);
  let most: number | null = before?.megabytes ?? null;
  const used = (now: ProcessUsage | null) => {
    if (now !== null) most = Math.max(most ?? 0, now.megabytes);
    return now === null || before === null ? null : now.processorSeconds - before.processorSeconds;
  };
  return new Promise((resolve) => {
    const finish = (kind: Attempt["kind"], summary: TaskSummary) => {
      clearInterval(timer);
      child.off("message", answered);
      child.off("exit", died);
      const processorSeconds = used(usageOf(id));
      resolve({ kind, summary, seconds: (performance.now() - start) / 1000, processorSeconds, megabytes: most });
    };
    const answered = (summary: unknown) => finish("answer", summary as TaskSummary);
    const died = (code: number | null, signal: string | null) => {
      const how = signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
      if (/heap out of memory/.test(complaints())) finish("limit", overMemory(limits));
      else finish("died", failed(`the task's process ${how}`, null));
    };
    const timer = setInterval(() => {
      const usage = usageOf(id);
      const seconds = used(usage);
      const clock = (performance.now() - start) / 1000;
      if (usage !== null && usage.megabytes > limits.megabytes) finish("limit", overMemory(limits));
      else if (seconds !== null && seconds > limits.seconds)
        finish("limit", limited(`it took more than ${limits.seconds} s of processor time`));
      else if (clock > clockFactor * limits.seconds)
        finish("limit", limited(`it took more than ${clockFactor * limits.seconds} s`));
    }, lookMilliseconds);
    child.on("message", answered);
    child.once("exit", died);
    child.send(line, (error) => {
      if (error !== null) died(null, "SIGKILL");
    });
  });
}

function overMemory({ megabytes }: PoolLimits): TaskSummary {
  return limited(`it took more than ${megabytes} MB of memory`);
}

/** What a limit ended is unknown, as with the limits of single commands. */
function limited(reason: string): TaskSummary {
  return { ...failed(reason, null), answer: "unknown" };
}

/** In `dist/` the built file lies beside whatever file this is; in `src/` a development dependency compiles it. */
function startProcess(): ChildProcess {
  const built = new URL("./taskProcess.js", import.meta.url);
  const isBuilt = existsSync(fileURLToPath(built));
  const file = isBuilt ? built : new URL("./taskProcess.ts", import.meta.url);
  return fork(fileURLToPath(file), [], {
    // A group of its own: Ctrl-C is for the batch, which then ends the group with its solvers.
    detached: true,
    execArgv: isBuilt ? [] : ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "json",
  });
}
