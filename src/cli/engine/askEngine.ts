import { assertNever } from "../../base/assertNever.ts";
import type { CancelReason } from "../../base/cancellation.ts";
import { exitCodes } from "../exitCodes.ts";
import { openOutput } from "../output.ts";
import { showProgress } from "../progress.ts";
import { reportDefect } from "../reportFailure.ts";
import type { EngineMessage, EngineNews } from "./engineMessage.ts";
import { type Engine, startEngine } from "./startEngine.ts";

export type EngineSettings = {
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly timeoutSeconds: number | null;
  /** Prints what is known before the answer. */
  readonly hear?: (news: EngineNews) => void;
};

/** An answer that is the command's own to print. */
export type EngineResult = Exclude<EngineMessage, { kind: "error" }>;

/**
 * Has the engine do the work in its own thread and waits, with progress on a terminal. Ctrl-C and the time limit ask it
 * to stop; what it knows by then is the answer. `finish` prints the answer and gives the exit code.
 */
export async function askEngine(
  request: object,
  settings: EngineSettings,
  finish: (answer: EngineResult) => number,
): Promise<number> {
  const engine = startEngine(request, (news) => {
    progress.clear();
    settings.hear?.(news);
  });
  const progress = showProgress(engine.control, settings.quiet);
  const stopListening = listenToSignals(engine);
  const timer =
    settings.timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * settings.timeoutSeconds, "timeout");
  try {
    const answer = await engine.answer;
    progress.end();
    if (answer.kind === "ended") return reportEnded(answer.reason);
    const code = answer.kind === "error" ? reportError(answer, settings.debug) : finish(answer);
    const { reason } = engine.control.cancellation;
    return code === exitCodes.unknown && reason !== null ? exitCodeOf(reason) : code;
  } finally {
    progress.end();
    if (timer !== null) clearTimeout(timer);
    stopListening();
    engine.end();
  }
}

function reportError({ error }: EngineMessage & { kind: "error" }, debug: boolean): number {
  if (error.kind === "defect") return reportDefect(error.message, error.stack, debug);
  openOutput(2).write(`${error.text}\n`);
  return error.limit ? exitCodes.unknown : exitCodes.inputIsWrong;
}

/** The engine did not come to a place where it looks whether it should stop. */
function reportEnded(reason: CancelReason): number {
  openOutput(2).write(reason === "timeout" ? "tracefold: TF342: the time is up\n" : "tracefold: interrupted\n");
  return exitCodeOf(reason);
}

/** What other commands do when the same happens to them. */
function exitCodeOf(reason: CancelReason): number {
  switch (reason) {
    case "interrupt":
      return exitCodes.interrupted;
    case "terminate":
      return exitCodes.terminated;
    case "timeout":
    case "budget":
      return exitCodes.unknown;
    default:
      return assertNever(reason, "reason");
  }
}

const signals = { SIGINT: "interrupt", SIGTERM: "terminate", SIGHUP: "terminate" } as const;

/** The first signal asks the engine to end in order, the second one ends it. */
function listenToSignals(engine: Engine): () => void {
  let isSecond = false;
  const listeners = Object.entries(signals).map(([signal, reason]) => {
    const listener = () => {
      if (isSecond) {
        engine.end();
        process.exit(exitCodeOf(reason));
      }
      isSecond = true;
      engine.stop(reason);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}
