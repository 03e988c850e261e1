import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { type CancelReason, endProcesses, type SharedCancellation, sharedCancellation } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import type { CommonRequest, Job } from "../commands/command.ts";
import type { EngineTask } from "./engineWorker.ts";
import type { Ending, EngineMessage } from "./message.ts";

/** Recursion in a C program is recursion in the interpreter, and only the stack of a separate thread can be large. */
const STACK_MEGABYTES = 128;
const HEAP_MEGABYTES = 8192;

/** The processor time that a cancelled engine may use to report its partial result. A second Ctrl-C ends it at once. */
const GRACE_PROCESSOR_MS = 3000;
const GRACE_MS = 20_000;
/** If the engine told what it knows, that is the answer this long after a signal. */
const GRACE_KNOWN_MS = 500;
const LOOK_MS = 100;

export type Engine<Answer> = {
  /** Asks the engine to stop; it polls. */
  readonly cancellation: SharedCancellation;
  readonly phase: () => string;
  readonly ending: Promise<Ending<Answer>>;
  readonly stop: (reason: CancelReason) => void;
  /** Kills the engine and its solvers at once. */
  readonly end: () => void;
};

/** A thread that does one request after the other: what it has loaded and compiled stays. */
export type EngineThread = Worker;

export const startEngineThread = (): EngineThread => startWorker(null);

/**
 * Starts a thread for a request: for the command line, the library and sessions. A given thread gets the request as a
 * message instead, and lives on unless the engine is ended.
 */
export function startEngine<Request extends CommonRequest, Answer>(
  job: Job<Request, Answer>,
  request: Request,
  hear: (known: Answer) => void = () => {},
  progress: (phase: string) => void = () => {},
  thread: EngineThread | null = null,
): Engine<Answer> {
  const cancellation = sharedCancellation();
  const task: EngineTask = { job: job.name, request, cancellation: cancellation.buffer };
  const worker = thread ?? startWorker(task);
  thread?.removeAllListeners();
  thread?.postMessage(task);
  let phase = "loading";
  let known: Answer | null = null;
  let giveUp: (reason: CancelReason) => void = () => {};
  const ending = new Promise<Ending<Answer>>((resolve, reject) => {
    giveUp = (reason) => resolve({ kind: "ended", reason, known });
    worker.on("message", (message: EngineMessage) => {
      if (message.kind === "phase") {
        phase = message.phase;
        progress(phase);
      } else if (message.kind === "known") {
        known = message.answer as Answer;
        hear(known);
      } else if (message.kind === "error") resolve(message);
      else if (message.job !== job.name) reject(new Defect(`${job.name} was answered by ${message.job}`));
      else resolve({ kind: "answer", answer: message.answer as Answer });
    });
    worker.once("error", (error) => (isOutOfMemory(error) ? resolve(outOfMemory) : reject(error)));
    worker.once("exit", (code) => reject(new Defect(`the engine ended without an answer (${code})`)));
  });
  let watch: NodeJS.Timeout | null = null;
  const end = () => {
    if (watch !== null) clearInterval(watch);
    void worker.terminate();
    endProcesses(present(cancellation.processes));
  };
  const stop = (reason: CancelReason) => {
    cancellation.cancel(reason);
    // Nothing is known yet, and the engine may wait for a pipe that nobody writes to.
    if (phase === "loading" && reason !== "timeout") {
      giveUp(reason);
      return end();
    }
    const start = performance.now();
    const before = process.cpuUsage();
    watch ??= setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      const isShort = known !== null && reason !== "timeout";
      const hasTime = performance.now() - start < (isShort ? GRACE_KNOWN_MS : GRACE_MS);
      if ((user + system) / 1000 < GRACE_PROCESSOR_MS && hasTime) return;
      giveUp(reason);
      end();
    }, LOOK_MS);
  };
  return { cancellation, phase: () => phase, ending, stop, end };
}

function isOutOfMemory(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
}

const outOfMemory: Ending<never> = {
  kind: "error",
  error: {
    kind: "tracefold",
    details: {
      code: "TF343",
      message: "the run needs more memory than there is",
      help: "Give the program smaller inputs, or end the run earlier with --max-steps.",
    },
  },
};

/**
 * When V8 optimises a function, in units of executed bytecode (132 KB by default). Programs with hundreds of changes have
 * large functions that run for a short time: optimising them early took most of the time.
 */
const optimiseAfter = 1_000_000;

/** In `dist/` the built worker; in `src/` the source, which a development dependency compiles on loading. */
function startWorker(workerData: EngineTask | null): Worker {
  setFlagsFromString(`--interrupt-budget=${optimiseAfter}`);
  const isSource = import.meta.url.endsWith(".ts");
  const url = isSource
    ? compiling(new URL("./engineWorker.ts", import.meta.url))
    : new URL("./engineWorker.js", import.meta.url);
  return new Worker(url, {
    workerData,
    resourceLimits: { stackSizeMb: STACK_MEGABYTES, maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
}

/**
 * A module that first registers the compiler in its thread, because `--import` takes effect too late. `require` finds
 * the CommonJS form; the ES module lies beside it.
 */
function compiling(source: URL): URL {
  const compiler = new URL("./index.mjs", pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")));
  const text = `import { register } from "${compiler}"; register(); await import("${source}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}
