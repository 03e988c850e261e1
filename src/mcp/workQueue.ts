import { TracefoldError } from "../base/errors.ts";
import { openTemporaryFolder, type TemporaryFolder } from "../base/temporaryFolder.ts";
import type { CommonRequest, Job } from "../commands/command.ts";
import { rebuildError } from "../engine/message.ts";
import { type Engine, startEngine } from "../engine/startEngine.ts";
import { counted } from "../render/phrases.ts";

/** The connection of a call with the client. */
export type ClientCall = {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  progress(message: string): void;
};

/** Does work in the engine's thread, one job after another: budgets count the processor time of the process. */
export type WorkQueue = {
  run<Request extends CommonRequest, Answer>(
    job: Job<Request, Answer>,
    request: Request,
    call: ClientCall,
  ): Promise<Answer>;
  /** Ends the work at once, and removes what it has written. */
  close(): void;
};

/** Clients that wait only as long as they hear something hear this often that the work goes on. */
const beatMs = 5000;

export function createWorkQueue(seconds: number): WorkQueue {
  const waiting: (() => void)[] = [];
  let running: Engine<unknown> | null = null;
  let temporary: TemporaryFolder | null = null;
  let isBusy = false;

  /** Waits for its turn; the queue is told how many are before it. */
  const turn = async ({ signal, progress }: ClientCall): Promise<void> => {
    if (!isBusy) {
      isBusy = true;
      return;
    }
    progress(`waiting for ${counted(waiting.length + 1, "other call")}`);
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const at = waiting.indexOf(start);
        if (at !== -1) waiting.splice(at, 1);
        reject(cancelled());
      };
      waiting.push(start);
      signal.addEventListener("abort", leave, { once: true });
    });
  };

  const next = (): void => {
    const start = waiting.shift();
    if (start === undefined) isBusy = false;
    else start();
  };

  return {
    async run(job, request, call) {
      call.signal.throwIfAborted();
      await turn(call);
      try {
        temporary = openTemporaryFolder("tracefold-mcp-");
        return await runOnce(job, request, call, seconds, (engine) => {
          running = engine;
        });
      } finally {
        running = null;
        temporary?.remove();
        temporary = null;
        next();
      }
    },
    close() {
      running?.end();
      temporary?.remove();
    },
  };
}

async function runOnce<Request extends CommonRequest, Answer>(
  job: Job<Request, Answer>,
  request: Request,
  { signal, progress }: ClientCall,
  seconds: number,
  started: (engine: Engine<Answer>) => void,
): Promise<Answer> {
  const start = performance.now();
  const engine = startEngine(job, request, undefined, progress);
  started(engine);
  const stop = () => engine.stop("interrupt");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(engine.stop, 1000 * seconds, "timeout");
  const beat = setInterval(() => {
    progress(`${engine.phase()}, ${Math.round((performance.now() - start) / 1000)} s`);
  }, beatMs);
  try {
    const ending = await engine.ending;
    if (signal.aborted) throw cancelled();
    if (ending.kind === "answer") return ending.answer;
    if (ending.kind === "ended" && ending.known !== null) return ending.known;
    const error = ending.kind === "error" ? rebuildError(ending.error) : null;
    // Only the user can allow more.
    if (error === null || (error instanceof TracefoldError && error.code === "TF342"))
      throw new TracefoldError({
        code: "TF342",
        message: error?.message ?? `nothing was known after ${seconds} s (${engine.phase()})`,
        help: `The limit is ${seconds} s. Ask for less, or let the user start the server with a larger --timeout.`,
      });
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(beat);
    signal.removeEventListener("abort", stop);
    engine.end();
  }
}

function cancelled(): TracefoldError {
  return new TracefoldError({ code: "TF345", message: "the call was cancelled", help: "Call again." });
}
