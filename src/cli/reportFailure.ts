import { nth } from "../base/checked.ts";
import { formatError, TracefoldError } from "../base/errors.ts";
import { spelledOut } from "../base/text.ts";
import { exitCodes } from "../engine/exitCodes.ts";
import { openOutput } from "../engine/output.ts";
import { packageVersion } from "../engine/version.ts";

/** Prints why a command could not do its work; the result is the exit code. */
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
