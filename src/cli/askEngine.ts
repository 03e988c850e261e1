import type { CancelReason } from "../base/cancellation.ts";
import { assertNever } from "../base/errors.ts";
import type { Command, CommonRequest } from "../engine/command.ts";
import { exitCodes } from "../engine/exitCodes.ts";
import type { EngineError } from "../engine/message.ts";
import { openOutput } from "../engine/output.ts";
import { type Engine, startEngine } from "../engine/startEngine.ts";
import { showProgress } from "./progress.ts";
import { reportDefect } from "./reportFailure.ts";

export type AskSettings = {
  readonly quiet: boolean;
  readonly debug: boolean;
  /** Prints what is known before the answer. */
  readonly hear: (news: unknown, print: (text: string) => void) => void;
};

/**
 * Has the engine do the work in its own thread and waits, with progress on a terminal. Ctrl-C and the time limit ask it
 * to stop; what it knows by then is the answer. `finish` prints the answer and gives the exit code.
 */
export async function askEngine(
  command: Command,
  request: CommonRequest,
  { quiet, debug, hear }: AskSettings,
  finish: (answer: unknown) => Promise<number>,
): Promise<number> {
  const engine = startEngine(command, request, (news) =>
    hear(news, (text) => {
      progress.clear();
      openOutput(1).write(text);
    }),
  );
  const progress = showProgress(engine.phase, quiet);
  const stopListening = listenToSignals(engine);
  const { timeoutSeconds } = request;
  const timer = timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * timeoutSeconds, "timeout");
  try {
    const ending = await engine.ending;
    progress.end();
    if (ending.kind === "ended") return reportEnded(ending.reason);
    const code = ending.kind === "error" ? reportError(ending.error, debug) : await finish(ending.answer);
    const { reason } = engine.cancellation;
    return code === exitCodes.unknown && reason !== null ? exitCodeOf(reason) : code;
  } finally {
    progress.end();
    if (timer !== null) clearTimeout(timer);
    stopListening();
    engine.end();
  }
}

function reportError(error: EngineError, debug: boolean): number {
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
function listenToSignals(engine: Engine<unknown>): () => void {
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
