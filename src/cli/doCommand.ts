import { isatty } from "node:tty";
import picocolors from "picocolors";
import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import { type Command, givenTo } from "../commands/command.ts";
import type { Options, RawValues } from "../commands/options/option.ts";
import type { OutputValues } from "../commands/options/programOptions.ts";
import { exitCodes, openOutput, paintOf } from "../commands/output.ts";
import { askEngine } from "./askEngine.ts";
import { createScreen } from "./screen.ts";

/** Runs a command in the engine and prints its answer; returns the exit code. */
export async function doCommand(
  command: Command,
  words: readonly string[],
  programArguments: readonly string[],
  raw: RawValues<Options>,
): Promise<number> {
  const given = givenTo(command, { words, programArguments, raw });
  const { flags } = given;
  const colours = showsColours(flags);
  const request = command.request({ ...given, colours });
  const printing = { flags, request, paint: paintOf(colours) };
  const isRead = flags.format === "text" && flags.out === null;
  const screen = isRead && !flags.quiet && isatty(1) && process.env.TERM !== "dumb" ? createScreen() : null;
  let shown = Promise.resolve();
  const preview = (known: unknown, beforeWriting: () => void) => {
    if (screen === null) return;
    shown = shown.then(async () => {
      const text = await command.formats.text(known, printing);
      if (typeof text !== "string") return;
      beforeWriting();
      screen.preview(text);
    });
    // An error in writing is reported with the answer, which waits for this.
    shown.catch((error: unknown) => error);
  };
  const print = async (answer: unknown): Promise<number> => {
    const code = command.exitCode(answer);
    if (flags.quiet && isRead) return code;
    const text = await command.formats[flags.format]!(answer, printing);
    await shown;
    if (typeof text === "string" && screen !== null) {
      screen.finish(text);
      return code;
    }
    if (typeof text === "string") {
      writeResult(flags.out, text);
      return code;
    }
    openOutput(2).write(`tracefold: there is nothing to write as ${flags.format}: ${text.nothing}\n`);
    return exitCodes.unknown;
  };
  return askEngine(command, request, { quiet: flags.quiet, debug: flags.debug, preview }, async (answer) => {
    const code = await print(answer);
    if (command.finish === undefined) return code;
    const tell = (text: string) => openOutput(isRead ? 1 : 2).write(text);
    const ask = async (question: string) => (await import("./askUser.ts")).askOnTerminal(question);
    return Math.max(code, await command.finish(answer, printing, { tell, ask }));
  });
}

/** `--color` decides; by default FORCE_COLOR and NO_COLOR, else whether it is a terminal. */
export function showsColours({ out, color }: Pick<OutputValues, "out" | "color">): boolean {
  if (color !== "auto") return color === "always";
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;
  if (refused !== undefined && refused !== "") return false;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return out === null && isatty(1) && picocolors.isColorSupported;
}

export function writeResult(out: string | null, text: string): void {
  if (out === null) return openOutput(1).write(text);
  try {
    writeWhole(out, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--out: cannot write ${out} (${code})` });
  }
}
