import { isatty } from "node:tty";
import type { CancelReason } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { assertNever, formatError, TracefoldError } from "../base/errors.ts";
import { spelledOut } from "../base/text.ts";
import type { Command, CommonRequest } from "../commands/command.ts";
import { exitCodes, openOutput, packageVersion } from "../commands/output.ts";
import { rebuildError } from "../engine/message.ts";
import { type Engine, startEngine } from "../engine/startEngine.ts";

export type AskSettings = {
  readonly quiet: boolean;
  readonly debug: boolean;
  /** Shows what is known before the answer. */
  readonly preview: (known: unknown, beforeWriting: () => void) => void;
};

/**
 * Runs the work in the engine's thread and waits, with progress on a terminal. Ctrl-C and the time limit ask it to
 * stop; its partial result is then the answer. `finish` prints the answer and returns the exit code.
 */
export async function askEngine(
  command: Command,
  request: CommonRequest,
  { quiet, debug, preview }: AskSettings,
  finish: (answer: unknown) => Promise<number>,
): Promise<number> {
  const engine = startEngine(command, request, (known) => preview(known, () => progress.clear()));
  const progress = showProgress(engine.phase, quiet);
  const stopListening = listenToSignals(engine);
  const { timeoutSeconds } = request;
  const timer = timeoutSeconds === null ? null : setTimeout(engine.stop, 1000 * timeoutSeconds, "timeout");
  try {
    const ending = await engine.ending;
    progress.end();
    if (ending.kind === "ended") {
      if (ending.known !== null) await finish(ending.known);
      return reportEnded(ending.reason);
    }
    const code =
      ending.kind === "error" ? reportFailure(rebuildError(ending.error), debug) : await finish(ending.answer);
    const { reason } = engine.cancellation;
    return code === exitCodes.unknown && reason !== null ? exitCodeOf(reason) : code;
  } finally {
    progress.end();
    if (timer !== null) clearTimeout(timer);
    stopListening();
    engine.end();
    endForCertain(engine.cancellation.reason);
  }
}

const leastMs = 350;

/** A thread that waits for a pipe, or that collects garbage, is not ended at once: then the signal ends the process. */
function endForCertain(reason: CancelReason | null): void {
  const signal = reason === "interrupt" ? "SIGINT" : reason === "terminate" ? "SIGTERM" : null;
  if (signal !== null) setTimeout(() => process.kill(process.pid, signal), leastMs).unref();
}

/** The engine did not react to the cancellation. */
function reportEnded(reason: CancelReason): number {
  openOutput(2).write(reason === "timeout" ? "tracefold: TF342: the time is up\n" : "tracefold: interrupted\n");
  return exitCodeOf(reason);
}

/** The exit code for a cancellation, as in other tools. */
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

/** The first signal asks the engine to stop, the second one kills it. */
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

/** Shorter work shows no progress. */
const FIRST_AFTER_MS = 1000;
const EVERY_MS = 200;

export type Progress = {
  /** Removes the line, so that something else can be printed. */
  readonly clear: () => void;
  readonly end: () => void;
};

/** Shows the engine's progress on a terminal. */
export function showProgress(phase: () => string, quiet: boolean): Progress {
  if (quiet || !isatty(2)) return { clear: () => {}, end: () => {} };
  const output = openOutput(2);
  const start = performance.now();
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed < FIRST_AFTER_MS) return;
    shown = true;
    output.write(`\r\x1b[K${phase()} … ${(elapsed / 1000).toFixed(0)} s  (Ctrl-C to stop)`);
  }, EVERY_MS);
  const clear = () => {
    if (shown) output.write("\r\x1b[K");
    shown = false;
  };
  const end = () => {
    clearInterval(timer);
    clear();
  };
  return { clear, end };
}

/** Prints why a command failed; returns the exit code. */
export function reportFailure(error: unknown, debug: boolean): number {
  if (error instanceof TracefoldError) {
    openOutput(2).write(`${formatError(error)}\n`);
    return error.kind === "limit" ? exitCodes.unknown : exitCodes.inputIsWrong;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  return reportDefect(message, stack ?? message, debug);
}

export function reportDefect(message: string, stack: string, debug: boolean): number {
  const first = spelledOut(nth(message.split("\n"), 0));
  openOutput(2).write(
    `tracefold: internal defect: ${first}\n` +
      `This is a bug in tracefold ${packageVersion()}, not in your program. Please report it with the program and the command line.\n` +
      (debug ? `${stack}\n` : "  --debug shows where it happened.\n"),
  );
  return exitCodes.defect;
}
