import { type ChildProcess, fork } from "node:child_process";

export type PoolOptions = {
  readonly worker: string;
  readonly size: number;
  readonly timeoutMs: number;
};

/** What a worker process answers, or how it failed to. */
export type Answer<R> =
  | { readonly kind: "answer"; readonly value: R }
  | { readonly kind: "crashed"; readonly message: string }
  | { readonly kind: "timeout" };

/**
 * Gives jobs to worker processes, one at a time each, and calls `done` in the order of completion. A worker that
 * crashes or takes too long is ended and replaced; only its job is lost.
 */
export async function runPool<J extends object, R>(
  jobs: readonly J[],
  options: PoolOptions,
  done: (job: J, answer: Answer<R>) => void,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    let child: ChildProcess | null = null;
    while (next < jobs.length) {
      const job = jobs[next++]!;
      child ??= start(options.worker);
      const answer = await ask<R>(child, job, options.timeoutMs);
      if (answer.kind !== "answer") {
        child.kill("SIGKILL");
        child = null;
      }
      done(job, answer);
    }
    child?.disconnect();
  };
  await Promise.all([...Array(options.size).keys()].map(lane));
}

function start(worker: string): ChildProcess {
  return fork(worker, {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
}

function ask<R>(child: ChildProcess, job: object, timeoutMs: number): Promise<Answer<R>> {
  return new Promise((resolve) => {
    let stderr = "";
    const collect = (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-2000);
    };
    const finish = (answer: Answer<R>) => {
      clearTimeout(timer);
      child.removeAllListeners("message").removeAllListeners("exit");
      child.stderr?.off("data", collect);
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ kind: "timeout" }), timeoutMs);
    child.on("message", (value) => finish({ kind: "answer", value: value as R }));
    child.on("exit", (code, signal) => finish({ kind: "crashed", message: `${signal ?? code}: ${stderr.trim()}` }));
    child.stderr?.on("data", collect);
    child.send(job);
  });
}
