import type { SolverConnection } from "./backend.ts";
import type { Reply } from "./connection.ts";
import type { WorkerCaller, WorkerRequest } from "./workerRequest.ts";

/**
 * A connection over a worker thread. Whatever goes wrong, the thread is given up: `stop` first lets it end a process
 * of its own, within `stopMilliseconds` (zero for a thread that cannot listen while it works).
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
    // A thread that was never asked has no process to end.
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
