import { Command as Commander, CommanderError, Option } from "commander";
import type { Command, CommandOption, OutputFlags } from "../engine/command.ts";
import { commands } from "../engine/commands.ts";
import { exitCodes } from "../engine/exitCodes.ts";
import { outputOptions } from "../engine/options/outputOptions.ts";
import { openOutput } from "../engine/output.ts";
import { packageVersion } from "../engine/version.ts";

/** Parses the arguments and does what they say; the result is the exit code. What follows `--` is the program's own. */
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
    addCommand(program, command, async (words, flags) => {
      const { doCommand } = await import("./doCommand.ts");
      code = await doCommand(command, words, programArguments, flags);
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
  action: (words: readonly string[], flags: OutputFlags) => Promise<void>,
): void {
  const { name, summary, usage, argument, options } = command;
  const added = program.command(name).description(summary).argument(argument.words, argument.help);
  if (usage !== undefined) added.usage(usage);
  for (const option of [...options, ...outputOptions(command)]) added.addOption(commanderOption(option));
  added.action((words: string | string[], flags: OutputFlags) => action([words].flat(), flags));
}

function commanderOption({ flags, help, choices, default: usual, repeated, hidden }: CommandOption): Option {
  const option = new Option(flags, help);
  if (choices !== undefined) option.choices([...choices]);
  if (usual !== undefined) option.default(usual);
  if (repeated) option.default([]).argParser((value: string, earlier: readonly string[]) => [...earlier, value]);
  return hidden ? option.hideHelp() : option;
}
