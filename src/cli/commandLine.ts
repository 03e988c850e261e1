import { isatty } from "node:tty";
import { Command as Commander, CommanderError, Option as CommanderOption } from "commander";
import picocolors from "picocolors";
import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import { commands } from "../commands/all.ts";
import { type Command, givenTo, optionsOf } from "../commands/command.ts";
import type { Option, Options, Raw, RawValues } from "../commands/options/option.ts";
import type { OutputValues } from "../commands/options/programOptions.ts";
import { exitCodes, openOutput, packageVersion, paintOf } from "../commands/output.ts";
import { askEngine } from "./askEngine.ts";

/** Parses the arguments and runs the command; returns the exit code. Words after `--` belong to the program. */
export async function commandLine(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.fine;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const programArguments = argv.slice(end + 1);
  const program = new Commander("tracefold")
    .description("Folds a failing run into the reason it fails.")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpCommand(false)
    .showHelpAfterError("tracefold --help lists the commands and options.")
    .configureOutput({
      writeOut: (text) => openOutput(1).write(text),
      writeErr: (text) => openOutput(2).write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "tracefold: ")),
    })
    .exitOverride();
  for (const command of commands) {
    addCommand(program, command, async (words, raw) => {
      const { doCommand } = await import("./commandLine.ts");
      code = await doCommand(command, words, programArguments, raw);
    });
  }
  try {
    await program.parseAsync(argv.slice(0, end), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.inputIsWrong;
  }
}

function addCommand(
  program: Commander,
  command: Command,
  action: (words: readonly string[], raw: RawValues<Options>) => Promise<void>,
): void {
  const { name, summary, usage, argument } = command;
  const added = program.command(name).description(summary).argument(argument.words, argument.help);
  if (usage !== undefined) added.usage(usage);
  const options = Object.entries(optionsOf(command)).map(([key, option]) => ({ key, option: commanderOption(option) }));
  for (const { option } of options) added.addOption(option);
  added.action((words: string | string[], flags: Readonly<Record<string, Raw>>) => {
    const raw = options.map(({ key, option }) => [key, flags[option.attributeName()]]);
    return action([words].flat(), Object.fromEntries(raw));
  });
}

function commanderOption({ flags, help, choices, default: usual, repeated, hidden }: Option): CommanderOption {
  const option = new CommanderOption(flags, help);
  if (choices !== undefined) option.choices([...choices]);
  if (usual !== undefined) option.default(usual);
  if (repeated) option.default([]).argParser((value: string, earlier: readonly string[]) => [...earlier, value]);
  return hidden ? option.hideHelp() : option;
}

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
