import { Argument, Command as Commander, CommanderError, Option as CommanderOption } from "commander";
import { commands } from "../commands/all.ts";
import { type Command, optionsOf } from "../commands/command.ts";
import { type Option, type Options, type Raw, type RawValues, readOptions } from "../commands/options/option.ts";
import { exitCodes, openOutput, packageVersion } from "../commands/output.ts";
import { completionCommand, completionScript, type Shell, shells } from "./completion/completionScript.ts";
import { services } from "./services.ts";

/** Parses the arguments and runs the command; returns the exit code. Words after `--` belong to the program. */
export async function commandLine(argv: readonly string[]): Promise<number> {
  if (argv.length === 2 && argv.includes("--json") && argv.some((word) => word === "--version" || word === "-V")) {
    openOutput(1).write(`${JSON.stringify(versions())}\n`);
    return exitCodes.fine;
  }
  let code: number = exitCodes.fine;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const programArguments = argv.slice(end + 1);
  const program = new Commander("tracefold")
    .description("Folds a failing run into the reason it fails.")
    .version(packageVersion(), "-V, --version", "print the version; with --json also those of Node and the system")
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
      const { doCommand } = await import("./doCommand.ts");
      code = await doCommand(command, words, programArguments, raw);
    });
  }
  for (const service of services) {
    const added = program.command(service.name).description(service.summary).addHelpText("after", service.teaching);
    if (service.argument !== undefined) added.argument(service.argument.words, service.argument.help);
    addOptions(added, service.options, async (own, raw) => {
      code = await service.serve(readOptions(service.options, raw), programArguments, own);
    });
  }
  const { name, summary, argument, argumentHelp } = completionCommand;
  program
    .command(name)
    .description(summary)
    .addArgument(new Argument(argument, argumentHelp).choices(shells))
    .action((shell: Shell) => openOutput(1).write(completionScript(shell)));
  try {
    await program.parseAsync(argv.slice(0, end), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.inputIsWrong;
  }
}

function versions() {
  const { version: node, platform, arch } = process;
  return { tracefold: packageVersion(), node: node.replace("v", ""), platform, arch };
}

function addCommand(
  program: Commander,
  command: Command,
  action: (words: readonly string[], raw: RawValues<Options>) => Promise<void>,
): void {
  const { name, summary, usage, argument } = command;
  const added = program.command(name).description(summary).argument(argument.words, argument.help);
  if (usage !== undefined) added.usage(usage);
  addOptions(added, optionsOf(command), action);
}

function addOptions(
  added: Commander,
  declared: Options,
  action: (words: readonly string[], raw: RawValues<Options>) => Promise<void>,
): void {
  const options = Object.entries(declared).map(([key, option]) => ({ key, option: commanderOption(option) }));
  for (const { option } of options) added.addOption(option);
  added.action((...given: unknown[]) => {
    // The command's own words, if it takes any, come before the flags.
    const words = added.registeredArguments.length === 0 ? [] : ([given[0]].flat() as string[]);
    const flags = added.opts<Readonly<Record<string, Raw>>>();
    const raw = options.map(({ key, option }) => [key, flags[option.attributeName()]]);
    return action(words, Object.fromEntries(raw));
  });
}

function commanderOption({ flags, help, choices, default: usual, repeated, hidden }: Option): CommanderOption {
  const option = new CommanderOption(flags, help);
  if (choices !== undefined) option.choices([...choices]);
  if (usual !== undefined) option.default(usual);
  if (repeated) option.default([]).argParser((value: string, earlier: readonly string[]) => [...earlier, value]);
  return hidden ? option.hideHelp() : option;
}
