import { Worker } from "node:worker_threads";
import type { CancelReason } from "../../base/cancellation.ts";
import { endProcesses } from "../../base/childProcesses.ts";
import { type Control, newControl } from "./control.ts";
import type { EngineMessage, EngineNews } from "./engineMessage.ts";

/** Deep recursion in a C program is recursion in the interpreter: a thread's stack, unlike the main one's, can be large. */
const STACK_MEGABYTES = 128;
const HEAP_MEGABYTES = 8192;

/**
 * How much of the processor's time an engine that was asked to stop may take to say what it knows: on a busy machine that takes
 * longer. A second Ctrl-C ends it at once.
 */
const GRACE_PROCESSOR_MS = 3000;
const GRACE_MS = 20_000;
const LOOK_MS = 100;

export type Engine = {
  readonly control: Control;
  /** The engine's answer, or the reason for which it was ended without one. */
  readonly answer: Promise<EngineMessage | { readonly kind: "ended"; readonly reason: CancelReason }>;
  readonly stop: (reason: CancelReason) => void;
  /** Ends the engine, and the solvers that work for it, at once. */
  readonly end: () => void;
};

export function startEngine(request: object, hear: (news: EngineNews) => void): Engine {
  const control = newControl();
  const worker = startWorker({ request, control: control.shared });
  let giveUp: (reason: CancelReason) => void = () => {};
  const answer: Engine["answer"] = new Promise((resolve, reject) => {
    giveUp = (reason) => resolve({ kind: "ended", reason });
    worker.on("message", (message: EngineMessage | EngineNews) =>
      message.kind === "failed" ? hear(message) : resolve(message),
    );
    worker.once("error", (error) => (isOutOfMemory(error) ? resolve(outOfMemory) : reject(error)));
    worker.once("exit", (code) => reject(new Error(`the engine ended without an answer (${code})`)));
  });
  let watch: NodeJS.Timeout | null = null;
  const end = () => {
    if (watch !== null) clearInterval(watch);
    void worker.terminate();
    endProcesses(control.cancellation.processes!);
  };
  const stop = (reason: CancelReason) => {
    control.cancellation.cancel(reason);
    const start = performance.now();
    const before = process.cpuUsage();
    watch ??= setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 < GRACE_PROCESSOR_MS && performance.now() - start < GRACE_MS) return;
      giveUp(reason);
      end();
    }, LOOK_MS);
  };
  return { control, answer, stop, end };
}

function isOutOfMemory(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
}

const outOfMemory: EngineMessage = {
  kind: "error",
  error: {
    kind: "tracefold",
    text: "TF343: the run needs more memory than there is\n  Give the program smaller inputs, or end the run earlier with --max-steps.",
    limit: true,
  },
};

/** From `dist/` the built worker; from `src/`, in tests, the source, which needs a loader. */
function startWorker(workerData: object): Worker {
  const source = import.meta.url.endsWith(".ts");
  return new Worker(new URL(source ? "./engineWorker.ts" : "./engineWorker.js", import.meta.url), {
    workerData,
    resourceLimits: { stackSizeMb: STACK_MEGABYTES, maxOldGenerationSizeMb: HEAP_MEGABYTES },
    ...(source ? { execArgv: ["--import", "tsx"] } : {}),
  });
}
