import type { Command, OutputFlags } from "../engine/command.ts";
import { exitCodes } from "../engine/exitCodes.ts";
import { openOutput } from "../engine/output.ts";
import { paintOf } from "../engine/paintOf.ts";
import { askEngine } from "./askEngine.ts";
import { showsColours } from "./showsColours.ts";
import { writeResult } from "./writeResult.ts";

/** Has the engine do what a command is asked for, and prints its answer; the result is the exit code. */
export async function doCommand(
  command: Command,
  words: readonly string[],
  programArguments: readonly string[],
  flags: OutputFlags,
): Promise<number> {
  const colours = showsColours(flags);
  const request = command.request({ words, programArguments, flags, colours });
  const printing = { flags, request, paint: paintOf(colours), announced: false };
  const isRead = flags.format === "text" && flags.out === undefined;
  let announced: Promise<boolean> = Promise.resolve(false);
  const hear = (news: unknown, print: (text: string) => void) => {
    if (!isRead || command.announce === undefined) return;
    announced = command
      .announce(news, printing)
      .then(print)
      .then(() => true);
  };
  return askEngine(
    command,
    request,
    { quiet: flags.quiet ?? false, debug: flags.debug ?? false, hear },
    async (answer) => {
      const code = command.exitCode(answer);
      if (flags.quiet && isRead && command.isGood(answer)) return code;
      const text = await command.formats[flags.format]!(answer, { ...printing, announced: await announced });
      if (typeof text === "string") {
        writeResult(flags.out, text);
        return code;
      }
      openOutput(2).write(`tracefold: there is nothing to write as ${flags.format}: ${text.nothing}\n`);
      return exitCodes.unknown;
    },
  );
}
