import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type TransferListItem,
  type Worker,
} from "node:worker_threads";
import { type Cancellation, neverCancelled } from "../../base/cancellation.ts";
import type { LostCause, Reply, SolverConnection } from "./backend.ts";

/** The common `workerData` of a worker. The signal counts its messages. */
export type WorkerSetup = { readonly port: MessagePort; readonly signal: Int32Array };

/** A thread that is not ready by then has failed to start. Until then no time limit of a request runs. */
const startMilliseconds = 15_000;

/** Milliseconds between checks for cancellation while waiting. */
const lookMilliseconds = 50;

export type WorkerRequest = {
  readonly id: number;
  /** `exchange`: the conversation; `script`: a fresh context; `restart`: a new conversation; `stop`: end everything. */
  readonly kind: "exchange" | "script" | "restart" | "stop";
  readonly text: string;
};

export type WorkerAnswer =
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "failed"; readonly cause: LostCause; readonly message: string };

export type WorkerResponse = WorkerAnswer & { readonly id: number };

/** The caller's end of a worker: asks and sleeps until the answer. */
export type WorkerCaller = {
  ask(kind: WorkerRequest["kind"], text: string, milliseconds: number): WorkerAnswer | null;
  /** Asks without waiting; returns null until there is an answer. Nothing else may be asked meanwhile. */
  post(kind: WorkerRequest["kind"], text: string): () => WorkerAnswer | null;
  terminate(): void;
};

/**
 * `start` makes the thread with the setup in its data. The answer is a message; the shared counter wakes the caller,
 * which sleeps in `Atomics.wait`. Once cancelled, it waits only for the end of the thread.
 */
export function createWorkerCaller(
  start: (setup: WorkerSetup, transfer: TransferListItem[]) => Worker,
  cancellation: Cancellation = neverCancelled,
): WorkerCaller {
  const { port1: port, port2: workerPort } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = start({ port: workerPort, signal }, [workerPort]);
  port.unref();
  let lastId = 0;
  /** The first count means that the thread listens. */
  const started = (milliseconds: number): boolean => {
    if (Atomics.load(signal, 0) === 0) Atomics.wait(signal, 0, 0, milliseconds);
    return Atomics.load(signal, 0) > 0;
  };
  return {
    ask(kind, text, milliseconds) {
      const id = ++lastId;
      port.postMessage({ id, kind, text } satisfies WorkerRequest);
      if (!started(kind === "stop" ? milliseconds : startMilliseconds)) return null;
      const end = performance.now() + milliseconds;
      for (;;) {
        const seen = Atomics.load(signal, 0);
        for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
          const response = received.message as WorkerResponse;
          if (response.id === id) return response;
        }
        const left = end - performance.now();
        if (left <= 0) return null;
        if (kind === "stop") Atomics.wait(signal, 0, seen, left);
        else if (cancellation.isCancelled()) return interrupted;
        else Atomics.wait(signal, 0, seen, Math.min(left, lookMilliseconds));
      }
    },
    post(kind, text) {
      const id = ++lastId;
      port.postMessage({ id, kind, text } satisfies WorkerRequest);
      return () => {
        for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
          const response = received.message as WorkerResponse;
          if (response.id === id) return response;
        }
        return null;
      };
    },
    terminate() {
      port.close();
      void worker.terminate();
    },
  };
}

const interrupted: WorkerAnswer = { kind: "failed", cause: "interrupted", message: "interrupted" };

/** The worker's end: answers each request with the result of `handle`, at once or later. */
export function serveRequests(
  { port, signal }: WorkerSetup,
  handle: (request: WorkerRequest, respond: (answer: WorkerAnswer) => void) => void,
): void {
  const wake = () => {
    Atomics.add(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  port.on("message", (request: WorkerRequest) => {
    handle(request, (answer) => {
      port.postMessage({ ...answer, id: request.id } satisfies WorkerResponse);
      wake();
    });
  });
  wake();
}

/**
 * A connection over a worker thread. On any failure the thread is discarded: `stop` first lets it end its process,
 * within `stopMilliseconds` (zero for a thread that cannot listen while it works).
 */
export function connectWorker(caller: WorkerCaller, stopMilliseconds: number): SolverConnection {
  let lost: Reply | null = null;
  let asked = false;
  const ask = (kind: WorkerRequest["kind"], text: string, milliseconds: number): Reply => {
    if (lost !== null) return lost;
    asked = true;
    const answer = caller.ask(kind, text, milliseconds);
    if (answer?.kind === "output") return answer;
    close();
    lost =
      answer === null
        ? { kind: "lost", cause: "time", message: `no answer within ${Math.round(milliseconds)} ms` }
        : { kind: "lost", cause: answer.cause, message: answer.message };
    return lost;
  };
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    // A thread that was never asked has no process.
    if (asked && stopMilliseconds > 0) caller.ask("stop", "", stopMilliseconds);
    caller.terminate();
  };
  return {
    exchange: (text, milliseconds) => ask("exchange", text, milliseconds),
    script: (text, milliseconds) => ask("script", text, milliseconds),
    begin(text) {
      if (lost !== null) return () => lost;
      asked = true;
      const take = caller.post("script", text);
      return () => {
        const answer = take();
        if (answer === null || answer.kind === "output") return answer;
        return { kind: "lost", cause: answer.cause, message: answer.message };
      };
    },
    restart: (text, milliseconds) => ask("restart", text, milliseconds),
    close() {
      lost ??= { kind: "lost", cause: "died", message: "connection closed" };
      close();
    },
  };
}
