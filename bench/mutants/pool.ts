import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Task, TaskResult } from "./worker.ts";

/** A process serves so many tasks: what explanations leave behind does not add up. */
const tasksPerProcess = 40;

export type Pool = {
  /** Results in the order of the tasks. A task that takes longer than `limit` milliseconds is lost, with its process. */
  readonly map: (tasks: readonly Task[], options: MapOptions) => Promise<readonly TaskResult[]>;
};

export type MapOptions = {
  readonly limit: number;
  onDone(index: number, result: TaskResult): void;
};

/** Two processes, as many as the smallest machine has cores. */
export function createPool(size = 2): Pool {
  return {
    map: async (tasks, options) => {
      const results: TaskResult[] = new Array(tasks.length);
      let next = 0;
      const serve = async () => {
        let server = startServer();
        let served = 0;
        while (next < tasks.length) {
          const index = next++;
          if (served++ === tasksPerProcess || !server.isAlive()) {
            server.end();
            server = startServer();
            served = 1;
          }
          results[index] = await server.ask(tasks[index]!, options.limit);
          options.onDone(index, results[index]!);
        }
        server.end();
      };
      await Promise.all(Array.from({ length: Math.min(size, tasks.length) }, serve));
      return results;
    },
  };
}

type Server = {
  readonly ask: (task: Task, limit: number) => Promise<TaskResult>;
  readonly isAlive: () => boolean;
  readonly end: () => void;
};

function startServer(): Server {
  // A group of its own, so that solvers which it has started end with it.
  const child = fork(fileURLToPath(new URL("./worker.ts", import.meta.url)), { detached: true });
  let alive = true;
  const end = () => {
    if (alive) endGroup(child);
    alive = false;
    process.removeListener("exit", end);
  };
  process.once("exit", end);
  child.once("exit", () => {
    alive = false;
  });
  const ask = (task: Task, limit: number) =>
    new Promise<TaskResult>((resolve) => {
      const lost = (reason: string) => {
        end();
        settle({ kind: "lost", reason });
      };
      const timer = setTimeout(() => lost("no answer in time"), limit);
      const died = () => lost("the process ended");
      const settle = (result: TaskResult) => {
        clearTimeout(timer);
        child.removeListener("exit", died);
        child.removeListener("message", settle);
        resolve(result);
      };
      child.once("exit", died);
      child.once("message", settle);
      child.send(task);
    });
  return { ask, isAlive: () => alive, end };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
