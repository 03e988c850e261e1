import { commands } from "../../commands/all.ts";
import { services } from "../services.ts";
import { bashCompletion } from "./bash.ts";
import { type CommandSyntax, commandSyntax, serviceSyntax } from "./commandSyntax.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const printers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export type Shell = keyof typeof printers;
export const shells = Object.keys(printers) as readonly Shell[];

/** The command that prints the script. It needs no engine, so it is none of the commands that have one. */
export const completionCommand = {
  name: "completion",
  summary: "print a shell's completion script",
  argument: "<shell>",
  argumentHelp: 'for this shell alone: eval "$(tracefold completion bash)"',
  argumentValue: { kind: "choice", name: "shell", choices: shells },
  options: [],
} as const satisfies CommandSyntax;

export function allCommands(): readonly CommandSyntax[] {
  return [...commands.map(commandSyntax), ...services.map(serviceSyntax), completionCommand];
}

export function completionScript(shell: Shell): string {
  return printers[shell](allCommands());
}
