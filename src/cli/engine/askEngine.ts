import { exitCodes } from "../exitCodes.ts";
import { openOutput } from "../output.ts";
import { showProgress } from "../progress.ts";
import { reportDefect } from "../reportFailure.ts";
import type { EngineMessage, EngineNews } from "./engineMessage.ts";
import { startEngine } from "./startEngine.ts";

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
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) process.exit(exitCodes.interrupted);
    interrupted = true;
    engine.stop("interrupt");
  };
  process.on("SIGINT", interrupt);
  const timer =
    settings.timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * settings.timeoutSeconds, "timeout");
  try {
    const answer = await engine.answer;
    progress.end();
    if (answer.kind === "ended") return reportEnded(answer.reason);
    const code = answer.kind === "error" ? reportError(answer, settings.debug) : finish(answer);
    return interrupted && code === exitCodes.unknown ? exitCodes.interrupted : code;
  } finally {
    progress.end();
    if (timer !== null) clearTimeout(timer);
    process.off("SIGINT", interrupt);
  }
}

function reportError({ error }: EngineMessage & { kind: "error" }, debug: boolean): number {
  if (error.kind === "defect") return reportDefect(error.message, error.stack, debug);
  openOutput(2).write(`${error.text}\n`);
  return error.limit ? exitCodes.unknown : exitCodes.inputIsWrong;
}

/** The engine did not come to a place where it looks whether it should stop. */
function reportEnded(reason: "interrupt" | "timeout"): number {
  openOutput(2).write(reason === "timeout" ? "tracefold: TF342: the time is up\n" : "tracefold: interrupted\n");
  return reason === "timeout" ? exitCodes.unknown : exitCodes.interrupted;
}
