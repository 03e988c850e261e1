import type { Backend } from "./backend.ts";
import { startThread } from "./startThread.ts";
import { connectWorker } from "./workerConnection.ts";
import { createWorkerCaller } from "./workerRequest.ts";

/** The module's memory is fixed at 2 GB; below that, an orderly error is better than an abort. */
const wasmMegabytes = 1700;

/**
 * Z3 compiled to WebAssembly, in a thread of its own. It cannot start timer threads, so the time limit is the caller's:
 * the thread is terminated and replaced.
 */
export function wasmBackend(megabytes: number = wasmMegabytes): Backend {
  return {
    name: "wasm",
    options: "(set-option :produce-models true)(set-option :produce-unsat-assumptions true)",
    identity: "Z3",
    limitCommands: ({ resources }) => `(set-option :rlimit ${resources})`,
    open: (_, cancellation) =>
      connectWorker(
        createWorkerCaller(
          (setup, transferList) => startThread(import.meta.url, "wasmWorker", { ...setup, megabytes }, transferList),
          cancellation,
        ),
        0,
      ),
  };
}
