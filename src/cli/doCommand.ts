import { type Command, givenTo } from "../engine/command.ts";
import { exitCodes } from "../engine/exitCodes.ts";
import type { Options, RawValues } from "../engine/options/option.ts";
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
  raw: RawValues<Options>,
): Promise<number> {
  const given = givenTo(command, { words, programArguments, raw });
  const { flags } = given;
  const colours = showsColours(flags);
  const request = command.request({ ...given, colours });
  const printing = { flags, request, paint: paintOf(colours), announced: false };
  const isRead = flags.format === "text" && flags.out === null;
  let announced: Promise<boolean> = Promise.resolve(false);
  const hear = (news: unknown, print: (text: string) => void) => {
    if (!isRead || command.announce === undefined) return;
    announced = command
      .announce(news, printing)
      .then(print)
      .then(() => true);
  };
  return askEngine(command, request, { quiet: flags.quiet, debug: flags.debug, hear }, async (answer) => {
    const code = command.exitCode(answer);
    if (flags.quiet && isRead && command.isGood(answer)) return code;
    const text = await command.formats[flags.format]!(answer, { ...printing, announced: await announced });
    if (typeof text === "string") {
      writeResult(flags.out, text);
      return code;
    }
    openOutput(2).write(`tracefold: there is nothing to write as ${flags.format}: ${text.nothing}\n`);
    return exitCodes.unknown;
  });
}
